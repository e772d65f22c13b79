"""Sinusoidal positions, and the rotation that moves them.

Source: Vaswani et al., 2017, section 3.5. Sines and cosines alternate, as in the paper's formula.
"""

import numpy as np
from jaxtyping import Float

from course_lib.reference.arrays import Array


def angular_frequencies(d_model: int) -> Float[Array, "pairs"]:
    """ω_i = 1 / 10000^(2i / d_model) in radians per position, one for each pair of columns."""
    return 10000.0 ** -(np.arange(0, d_model, 2) / d_model)


def sinusoidal_positional_encoding(
    num_positions: int, d_model: int, *, start: int = 0
) -> Float[Array, "num_positions d_model"]:
    """PE(t, 2i) = sin(ω_i t) and PE(t, 2i+1) = cos(ω_i t) for t from `start` on.

    An odd `d_model` leaves the last sine without its cosine. Returns the table alone, which the
    caller adds to the embeddings.
    """
    if num_positions < 0 or d_model < 1:
        raise ValueError(
            f"expected num_positions ≥ 0 and d_model ≥ 1, got {num_positions} and {d_model}"
        )
    t = np.arange(start, start + num_positions)
    angles = t[:, None] * angular_frequencies(d_model)  # (num_positions, pairs)
    waves = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (num_positions, pairs, 2)
    return waves.reshape(num_positions, 2 * waves.shape[1])[:, :d_model]


def position_rotation(delta: float, d_model: int) -> Float[Array, "d_model d_model"]:
    """The matrix R(Δ) with PE(t + Δ) = PE(t) @ R(Δ) for every t: one 2 × 2 rotation a pair.

    For the row (sin ω t, cos ω t) the block is [[cos ω Δ, −sin ω Δ], [sin ω Δ, cos ω Δ]].
    """
    if d_model < 2 or d_model % 2:
        raise ValueError(
            f"d_model must be even and at least 2, so that each sine has a cosine, got {d_model}"
        )
    rotation = np.zeros((d_model, d_model))
    angles = delta * angular_frequencies(d_model)
    sines, cosines = np.arange(0, d_model, 2), np.arange(1, d_model, 2)
    rotation[sines, sines] = rotation[cosines, cosines] = np.cos(angles)
    rotation[cosines, sines] = np.sin(angles)
    rotation[sines, cosines] = -np.sin(angles)
    return rotation
