"""How the reference reads its inputs: array-likes in, floating point out, misfits refused."""

import numpy as np
from numpy import ndarray as Array

__all__ = ["Array", "as_array", "as_float", "project", "require_shape"]


def as_array(x) -> Array:
    """`x` as an array, refused if a mask would be lost."""
    if isinstance(x, np.ma.MaskedArray):
        raise ValueError("expected a plain array, got a MaskedArray, whose mask would be lost")
    return np.asarray(x)


def as_float(x) -> Array:
    """`x` as an array of floats to compute with.

    float32 and float64 keep their type and integers and booleans become float64. float16 becomes
    float32: its largest number is 65504, which a single score can pass.
    """
    x = as_array(x)
    if x.dtype.kind not in "biuf":
        raise ValueError(f"expected real numbers, got an array of dtype {x.dtype}")
    smallest = np.float32 if x.dtype.kind == "f" else np.float64
    return x.astype(np.promote_types(x.dtype, smallest), copy=False)


def project(x_name: str, x, matrix_name: str, matrix) -> Array:
    """x @ matrix: every row of `x` through a matrix of shape (d_in, d_out)."""
    x, matrix = as_float(x), as_float(matrix)
    if x.ndim < 1 or matrix.ndim != 2 or x.shape[-1] != matrix.shape[0]:
        message = (
            f"{x_name} of shape {x.shape} can't be multiplied by {matrix_name} of shape "
            f"{matrix.shape}: expected (…, d_in) and (d_in, d_out)"
        )
        if matrix.ndim == 2 and x.shape[-1:] == matrix.shape[1:]:
            message += f"; nn.Linear stores (d_out, d_in), its transpose {matrix_name}.T fits"
        raise ValueError(message)
    return x @ matrix


def require_shape(name: str, x, shape: tuple[int, ...]) -> Array:
    """`x` as floats, refused unless it has this shape."""
    x = as_float(x)
    if x.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {x.shape}")
    return x
