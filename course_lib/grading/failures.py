"""Why a check was not passed, in words for the learner."""

from collections.abc import Callable
from typing import Any


class CheckFailed(AssertionError):
    """A check that the learner's code did not pass; the message is the sentence that is shown."""


class Mismatch(CheckFailed):
    """A result that is not the expected one."""

    def __init__(self, reason: str, got: Any, expected: Any) -> None:
        super().__init__(reason)
        self.got, self.expected = got, expected


class Crashed(CheckFailed):
    """The learner's function raised an exception."""

    def __init__(self, function: Callable, error: BaseException) -> None:
        message = f"`{function.__name__}` raised {type(error).__name__}"
        if str(error):
            message += f": {error}"
        super().__init__(message + _line(function, error))


def _line(function: Callable, error: BaseException) -> str:
    """Where in the learner's function it happened, counted from its `def`."""
    code = getattr(function, "__code__", None)
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code is code:
            return f" (line {traceback.tb_lineno - code.co_firstlineno + 1} of the function)"
        traceback = traceback.tb_next
    return ""
