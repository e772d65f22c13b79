"""The learner's functions, called by name, and what the calls showed."""

import copy
import difflib
import warnings
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from course_lib.grading import failures
from course_lib.grading.failures import CheckFailed, Crashed
from course_lib.grading.shortcuts import closed


class Call(NamedTuple):
    """One call of a learner's function: its name, copies of its arguments, and its result."""

    name: str
    arguments: tuple
    result: Any


class Student:
    """`student.softmax(x)` calls the learner's `softmax`; the last definition of a name counts.

    It is given copies of the arguments, which have to be unchanged after the call; warnings cost
    nothing, and every way to fail has its own sentence. `shortcuts` maps a function to the library
    calls that would be its answer; they are closed for the other functions of the exercise as well.
    """

    def __init__(
        self, namespace: Mapping[str, Any], shortcuts: Mapping[str, list[str]] | None = None
    ) -> None:
        self._namespace, self._shortcuts = namespace, shortcuts or {}
        self.calls: list[Call] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments):
            given, before = copy.deepcopy(arguments), copy.deepcopy(arguments)
            earlier = self.calls.copy()
            self.calls.clear()  # they say nothing about a call that fails
            result = self.answer(name, given)
            for place, (now, then) in enumerate(zip(given, before, strict=True), start=1):
                if _changed(now, then):
                    raise CheckFailed(failures.CHANGED, name=name, place=place)
            if result is None:
                raise CheckFailed(failures.NOTHING, name=name)
            this = Call(name, before, _data_of(name, result))
            self.calls += [*earlier, this]
            return this.result

        return call

    def begin_check(self) -> None:
        """Forget the calls of the check before."""
        self.calls.clear()

    def answer(self, name: str, arguments: tuple) -> Any:
        """What the learner's function returns; `CheckFailed` where it returns nothing at all."""
        function = self._find(name)
        shortcuts = [path for paths in self._shortcuts.values() for path in paths]
        with closed(shortcuts, function, self._namespace):
            return _run(name, function, arguments, self._namespace)

    def _find(self, name: str) -> Callable:
        if name not in self._namespace:
            close = difflib.get_close_matches(name, list(self._namespace), n=1)
            if close:
                raise CheckFailed(failures.OTHER_NAME, name=name, close=close[0])
            raise CheckFailed(failures.NO_FUNCTION, name=name)
        function = self._namespace[name]
        if not callable(function):
            raise CheckFailed(failures.NOT_CALLABLE, name=name, kind=type(function).__name__)
        return function


def as_data(result: Any) -> Any:
    """Arrays for tensors and lists, whatever they were tied to; tuples entry by entry."""
    if isinstance(result, tuple):
        return tuple(as_data(entry) for entry in result)
    result = _untied(result)
    try:
        array = np.array(result)
    except ValueError:  # lists of different lengths
        return result
    exact = array.dtype == object and all(isinstance(entry, Real) for entry in array.flat)
    return array.astype(float) if exact else array


def _untied(value: Any) -> Any:
    """An array for a tensor, also in a list; everything else as it is."""
    if isinstance(value, list | tuple):
        return [_untied(entry) for entry in value]
    return value.numpy(force=True) if hasattr(value, "detach") else value


def _data_of(name: str, result: Any) -> Any:
    """The result as data; an object that raises when it is turned into an array has failed."""
    try:
        return as_data(result)
    except (Exception, SystemExit) as error:
        raise CheckFailed(failures.RAISED, name=name, error=failures.described(error)) from None


def _run(name: str, function: Callable, arguments: tuple, namespace: Mapping[str, Any]) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*arguments)
        except CheckFailed:
            raise
        except (Exception, SystemExit) as error:
            if isinstance(error, NotImplementedError) and not error.args:  # as the stubs raise it
                stub = failures.raised_in(error)
                known = stub if stub in namespace else name
                raise CheckFailed(failures.NOT_WRITTEN, name=known) from None
            raise Crashed(name, error) from error


def _changed(now: Any, then: Any) -> bool:
    if isinstance(now, list | tuple):
        same_kind = isinstance(then, list | tuple) and len(now) == len(then)
        return not same_kind or any(map(_changed, now, then))
    now, then = as_data(now), as_data(then)
    return not np.array_equal(now, then, equal_nan=now.dtype.kind in "fc")
