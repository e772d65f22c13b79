"""How the reference reads its inputs: array-likes in, floating point out."""

import numpy as np
from numpy import ndarray as Array

__all__ = ["Array", "as_float"]


def as_float(x) -> Array:
    """`x` as an array of floats: floats keep their type, integers and booleans become float64."""
    x = np.asarray(x)
    if x.dtype.kind not in "biuf":
        raise ValueError(f"expected real numbers, got an array of dtype {x.dtype}")
    return x if x.dtype.kind == "f" else x.astype(np.float64)
