"""Is a result the expected one? Shapes first, then values."""

from typing import Any

import numpy as np

from course_lib.grading.failures import Mismatch
from course_lib.messages import Text

# Wide enough for float32, for loops and einsum; narrow enough to tell √d_k from √d_model.
RTOL, ATOL = 1e-4, 1e-6
ONE = "Expected one result, got {m}."
NO_NUMBERS = "Expected numbers, got an array of {kind}."


def expect(got: Any, expected: Any, *, rtol: float = RTOL, atol: float = ATOL) -> None:
    """Fail, in words, unless `got` has the shape and the values of `expected`.

    Lists, tensors, float32 and float64 are all right. Where a tuple is expected, a list will do,
    and it is compared entry by entry.
    """
    reason = difference(got, expected, rtol=rtol, atol=atol)
    if reason:
        raise Mismatch(reason, got, expected)


def difference(got: Any, expected: Any, *, rtol: float = RTOL, atol: float = ATOL) -> Text | None:
    """How `got` differs from `expected`, in a sentence; None where it does not."""
    if isinstance(expected, tuple):
        results = _results(got, expected)
        if len(results) != len(expected):
            return Text("Expected {n} results, got {m}.", n=len(expected), m=len(results))
        for place, (one, other) in enumerate(zip(results, expected, strict=True), start=1):
            reason = difference(one, other, rtol=rtol, atol=atol)
            if reason:
                return Text("Result {place}: {reason}", place=place, reason=reason)
        return None
    several = len(got) if isinstance(got, tuple) else 1
    try:
        got = np.asarray(got)
    except ValueError:
        if several > 1:
            return Text(ONE, m=several)
        return Text("Expected an array of numbers, got lists of different lengths.")
    expected = np.asarray(expected)
    if got.dtype.kind not in "biuf":
        said = "Expected numbers, got {kind}." if got.ndim == 0 else NO_NUMBERS
        return Text(said, kind=kinds_in(got))
    if several > 1 and got.ndim > expected.ndim:
        return Text(ONE, m=several)
    if got.shape != expected.shape:
        return Text("Expected the shape {one}, got {other}.", one=expected.shape, other=got.shape)
    if np.isnan(got).any() and not np.isnan(expected).any():
        return Text("The result contains NaN (not a number).")
    if not np.allclose(got, expected, rtol=rtol, atol=atol, equal_nan=True):
        return Text("The values differ.")
    return None


def kinds_in(array: np.ndarray) -> str:
    """What the entries of an array are, such as "dict" or "complex"."""
    kinds = {type(entry).__name__ for entry in array.ravel().tolist()}
    return ", ".join(sorted(kinds)) or str(array.dtype)


def _results(got: Any, expected: tuple) -> tuple:
    """The results that a function returned. A list of arrays of one shape has become one array."""
    if isinstance(got, tuple | list):
        return tuple(got)
    shapes = [np.shape(entry) for entry in got] if np.ndim(got) else []
    return tuple(got) if shapes == [np.shape(entry) for entry in expected] else (got,)
