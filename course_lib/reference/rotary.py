"""Rotary positions: queries and keys are turned by their position before they meet.

Source: Su et al., 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding",
equations 14 to 16.
"""

import numpy as np
from jaxtyping import Float, Real

from course_lib.reference.arrays import Array, as_float
from course_lib.reference.positions import angular_frequencies


def apply_rotary(x: Real[Array, "*batch T d_k"], *, start: int = 0) -> Float[Array, "*batch T d_k"]:
    """Row t of `x` with each pair of columns (2i, 2i+1) turned by ω_i t, for t from `start` on.

    Apply it to queries and keys, not to values: q_t · k_s then depends on t and s through t − s
    alone. The paper turns (x, y) to (x cos − y sin, x sin + y cos), so that row t is
    x_t @ position_rotation(−t). GPT-NeoX and many after it pair column i with column i + d_k / 2
    instead; weights trained one way need their columns reordered for the other.
    """
    x = as_float(x)
    if x.ndim < 2 or x.shape[-1] % 2:
        raise ValueError(f"expected rows of even width, (…, T, d_k), got shape {x.shape}")
    T, d_k = x.shape[-2:]
    angles = np.arange(start, start + T)[:, None] * angular_frequencies(d_k)  # (T, pairs)
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)
    return turned.reshape(x.shape)  # (*batch, T, pairs, 2) → (*batch, T, d_k)
