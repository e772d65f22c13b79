"""Is a result the expected one? Shapes first, then values."""

from typing import Any

import numpy as np

from course_lib.grading.failures import Mismatch
from course_lib.messages import Text

# Wide enough for float32, for loops and einsum; narrow enough to tell √d_k from √d_model.
RTOL, ATOL = 1e-4, 1e-6
NO_NUMBERS = "Expected numbers, got an array of {kind}."


def expect(got: Any, expected: Any, *, rtol: float = RTOL, atol: float = ATOL) -> None:
    """Fail, in words, unless `got` has the shape and the values of `expected`.

    Lists, tensors, float32 and float64 are all right. A tuple is compared entry by entry.
    """
    reason = difference(got, expected, rtol=rtol, atol=atol)
    if reason:
        raise Mismatch(reason, got, expected)


def difference(got: Any, expected: Any, *, rtol: float = RTOL, atol: float = ATOL) -> Text | None:
    """How `got` differs from `expected`, in a sentence; None where it does not."""
    if isinstance(expected, tuple):
        if not isinstance(got, tuple) or len(got) != len(expected):
            return Text("Expected {n} results, got {m}.", n=len(expected), m=_how_many(got))
        for place, (one, other) in enumerate(zip(got, expected, strict=True), start=1):
            reason = difference(one, other, rtol=rtol, atol=atol)
            if reason:
                return Text("Result {place}: {reason}", place=place, reason=reason)
        return None
    try:
        got = np.asarray(got)
    except ValueError:
        return Text("Expected an array of numbers, got lists of different lengths.")
    expected = np.asarray(expected)
    if got.dtype.kind not in "biuf":
        kinds = ", ".join(sorted({type(entry).__name__ for entry in got.ravel().tolist()}))
        said = "Expected numbers, got {kind}." if got.ndim == 0 else NO_NUMBERS
        return Text(said, kind=kinds or str(got.dtype))
    if got.shape != expected.shape:
        return Text("Expected the shape {one}, got {other}.", one=expected.shape, other=got.shape)
    if np.isnan(got).any() and not np.isnan(expected).any():
        return Text("The result contains NaN (not a number).")
    if not np.allclose(got, expected, rtol=rtol, atol=atol, equal_nan=True):
        return Text("The values differ.")
    return None


def _how_many(got: Any) -> int:
    return len(got) if isinstance(got, tuple) else 1
