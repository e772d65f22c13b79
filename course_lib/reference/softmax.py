"""Softmax, its logarithm and its Jacobian."""

import numpy as np
from jaxtyping import Float, Real

from course_lib.reference.arrays import Array, as_float


def softmax(
    x: Real[Array, "*shape"], axis: int = -1, *, out: Float[Array, "*shape"] | None = None
) -> Float[Array, "*shape"]:
    """Weights exp(x_i) / Σ_j exp(x_j) along `axis`: none negative, summing to 1.

    Subtracting the largest entry first changes nothing in exact arithmetic and keeps exp from
    overflowing. A slice that is −∞ throughout has nothing to choose from; its weights are
    zeros. A score of +∞ makes its slice NaN, as in PyTorch: ∞ − ∞ has no value.

    out: where to write the weights, as for NumPy's own functions; may be `x` itself.
    """
    x = as_float(x)
    weights = np.subtract(x, _peak(x, axis), out=out)
    np.exp(weights, out=weights)
    total = weights.sum(axis=axis, keepdims=True)
    weights /= np.where(total == 0, 1, total)
    return weights


def log_softmax(x: Real[Array, "*shape"], axis: int = -1) -> Float[Array, "*shape"]:
    """log softmax(x), without ever taking the logarithm of a weight that rounded to 0."""
    x = as_float(x)
    shifted = x - _peak(x, axis)
    total = np.exp(shifted).sum(axis=axis, keepdims=True)
    return shifted - np.log(np.where(total == 0, 1, total))


def softmax_jacobian(weights: Real[Array, "*batch n"]) -> Float[Array, "*batch n n"]:
    """∂softmax(x)_i / ∂x_j = p_i (δ_ij − p_j), from the weights p = softmax(x)."""
    p = as_float(weights)
    if p.ndim == 0:
        raise ValueError(f"expected weights along an axis, got a single number: {p}")
    return p[..., :, None] * (np.eye(p.shape[-1], dtype=p.dtype) - p[..., None, :])


def _peak(x: Array, axis: int) -> Array:
    """The largest entry along `axis`; 0 where there is none or all are −∞, since −∞ + ∞ is NaN."""
    if x.ndim == 0:
        raise ValueError(f"expected scores along an axis, got a single number: {x}")
    peak = x.max(axis=axis, keepdims=True, initial=-np.inf)
    return np.where(np.isneginf(peak), 0, peak)
