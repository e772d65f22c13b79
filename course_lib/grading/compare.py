"""Is a result the expected one? Shapes first, then values."""

from typing import Any

import numpy as np

from course_lib.grading.failures import Mismatch

# Wide enough for float32, for loops and einsum; narrow enough to tell √d_k from √d_model.
RTOL, ATOL = 1e-4, 1e-6


def expect(got: Any, expected: Any, *, rtol: float = RTOL, atol: float = ATOL) -> None:
    """Fail, in words, unless `got` has the shape and the values of `expected`.

    Lists, tensors, float32 and float64 are all right. A tuple is compared entry by entry.
    """
    reason = difference(got, expected, rtol=rtol, atol=atol)
    if reason:
        raise Mismatch(reason, got, expected)


def difference(got: Any, expected: Any, *, rtol: float = RTOL, atol: float = ATOL) -> str:
    """How `got` differs from `expected`, in a sentence; empty where it does not."""
    if isinstance(expected, tuple):
        if not isinstance(got, tuple) or len(got) != len(expected):
            return f"Expected {len(expected)} results, got {_how_many(got)}."
        for place, (one, other) in enumerate(zip(got, expected, strict=True), start=1):
            reason = difference(one, other, rtol=rtol, atol=atol)
            if reason:
                return f"Result {place}: {reason}"
        return ""
    try:
        got = np.asarray(got)
    except ValueError:
        return "Expected an array of numbers, got lists of different lengths."
    expected = np.asarray(expected)
    if got.dtype.kind not in "biuf":
        return f"Expected numbers, got {type(got.item() if got.ndim == 0 else got).__name__}."
    if got.shape != expected.shape:
        return f"Expected the shape {expected.shape}, got {got.shape}."
    if np.isnan(got).any() and not np.isnan(expected).any():
        return "The result contains NaN (not a number)."
    if not np.allclose(got, expected, rtol=rtol, atol=atol, equal_nan=True):
        return "The values differ."
    return ""


def _how_many(got: Any) -> str:
    return str(len(got)) if isinstance(got, tuple) else "one"
