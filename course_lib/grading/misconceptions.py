"""Wrong solutions that people write, and how one is recognised behind a wrong result."""

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import NamedTuple

import numpy as np

from course_lib.grading.compare import difference
from course_lib.grading.student import Call, as_data


class Misconception(NamedTuple):
    """A wrong `function` in place of the task's, the check that catches it, what to tell."""

    replaces: str
    function: Callable
    caught_by: str
    says: str


def misconception(replaces: str, *, caught_by: str, says: str) -> Callable:
    """Mark a function of misconceptions.py as a wrong way to write `replaces`."""

    def mark(function: Callable) -> Callable:
        function.misconception = Misconception(replaces, function, caught_by, says)  # type: ignore[attr-defined]
        return function

    return mark


def right_variant(replaces: str) -> Callable:
    """Mark a function as another right way to write `replaces`, which must pass every check."""

    def mark(function: Callable) -> Callable:
        function.right_variant_of = replaces  # type: ignore[attr-defined]
        return function

    return mark


def misconceptions_of(module: ModuleType) -> list[Misconception]:
    """All that are marked in a module, in the order in which they stand."""
    marked = (getattr(value, "misconception", None) for value in vars(module).values())
    return [found for found in marked if isinstance(found, Misconception)]


def recognise(calls: Iterable[Call], known: list[Misconception]) -> Misconception | None:
    """The first misconception that gives the learner's result for every call of its function."""
    calls = list(calls)
    for candidate in known:
        own = [call for call in calls if call.name == candidate.replaces]
        if own and all(_gives(candidate, call) for call in own):
            return candidate
    return None


def _gives(candidate: Misconception, call: Call) -> bool:
    try:
        with np.errstate(all="ignore"):
            result = as_data(candidate.function(*call.arguments))
            return not difference(call.result, result)
    except Exception:  # it was written for other arguments, or for other results
        return False
