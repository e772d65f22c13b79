"""How close two vectors are: dot product, cosine, angle, nearest neighbours."""

import numpy as np
from jaxtyping import Float, Int, Real

from course_lib.reference.arrays import Array, as_float


def dot(
    a: Real[Array, "*#batch d"], b: Real[Array, "*#batch d"]
) -> Float[Array, "*#batch"] | np.floating:
    """The dot product Σ_i a_i b_i along the last axis; it grows with both norms.

    Leading axes broadcast: one vector can be compared with every row of a table.
    """
    a, b = _same_width(a, b)
    return (a * b).sum(axis=-1)


def cosine_similarity(
    a: Real[Array, "*#batch d"], b: Real[Array, "*#batch d"]
) -> Float[Array, "*#batch"] | np.floating:
    """The cosine of the angle between `a` and `b`, in [−1, 1]; leading axes broadcast.

    A zero vector has no direction: its cosine with anything is 0 by convention.
    """
    a, b = _same_width(a, b)
    # Rounding can carry the sum a little past 1, where arccos is NaN.
    return np.clip((_unit(a) * _unit(b)).sum(axis=-1), -1, 1)


def angle(
    a: Real[Array, "*#batch d"], b: Real[Array, "*#batch d"]
) -> Float[Array, "*#batch"] | np.floating:
    """The angle between `a` and `b` in radians, from 0 to π; π/2 where either is zero.

    The arccosine is steep at 1: an angle below about 1e-8 (float32: 3e-4) can't be told from 0.
    """
    return np.arccos(cosine_similarity(a, b))


def nearest_neighbours(
    query: Real[Array, "d"], table: Real[Array, "n d"], k: int
) -> Int[Array, "k"]:
    """Row numbers of the `k` rows of `table` with the largest cosine to `query`, best first.

    Rows of zeros come last, whatever the others are; equal cosines keep the table's order.
    """
    query, table = as_float(query), as_float(table)
    if query.ndim != 1 or table.ndim != 2:
        raise ValueError(
            f"expected one query (d,) and a table (n, d), got shapes {query.shape} "
            f"and {table.shape}"
        )
    if not 1 <= k <= len(table):
        raise ValueError(f"k must lie between 1 and the table's {len(table)} rows, got k = {k}")
    query, table = _same_width(query, table)
    _require_finite("the query", query)
    for i in np.flatnonzero(~np.isfinite(table).all(axis=-1)):
        _require_finite(f"row {i} of the table", table[i])
    cosines = np.where(table.any(axis=-1), cosine_similarity(query, table), -np.inf)
    return np.argsort(-cosines, kind="stable")[:k]


def _unit(x: Array) -> Array:
    """`x` with norm 1; zeros stay zeros."""
    # The norm squares its entries: without this step 1e-200 would vanish and 1e200 overflow.
    largest = np.abs(x).max(axis=-1, keepdims=True)
    x = x / np.where(largest == 0, 1, largest)
    norm = np.linalg.norm(x, axis=-1, keepdims=True)
    return x / np.where(norm == 0, 1, norm)


def _require_finite(name: str, vector: Array) -> None:
    """Refuse NaN and ∞, whose cosine is NaN, which an order hides: it would come last or first."""
    odd = vector[~np.isfinite(vector)]
    if len(odd):
        raise ValueError(f"{name} has no direction: it holds {odd[0]}")


def _same_width(a, b) -> tuple[Array, Array]:
    a, b = as_float(a), as_float(b)
    if a.ndim == 0 or b.ndim == 0 or a.shape[-1] != b.shape[-1] or a.shape[-1] == 0:
        raise ValueError(f"expected vectors of one width ≥ 1, got shapes {a.shape} and {b.shape}")
    if any(m != n and 1 not in (m, n) for m, n in zip(a.shape[::-1], b.shape[::-1], strict=False)):
        raise ValueError(
            f"leading axes must be alike or 1, got shapes {a.shape} and {b.shape}; for every pair "
            "of rows write a[:, None]"
        )
    return a, b
