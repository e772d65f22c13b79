"""Why a check was not passed, in words for the learner.

Each way to fail has one sentence here. A worker that runs code which nobody trusts names the
sentence and the values in it; the sentence itself is never taken from there.
"""

import linecache
import re
import traceback
from types import CodeType
from typing import Any

from course_lib.messages import Text

NO_FUNCTION = "There is no function called `{name}`."
OTHER_NAME = "There is no function called `{name}`. Is it the one called `{close}`?"
NOT_CALLABLE = "`{name}` is a {kind}, not a function."
NOT_WRITTEN = "`{name}` is not written yet."
RAISED = "`{name}` raised {error}"
RAISED_IN_LINE = "`{name}` raised {error} (line {line} of the function)"
CHANGED = (
    "`{name}` changed its argument number {place} in place. Work on a copy: "
    "whoever called the function still needs the original."
)
NOTHING = "`{name}` returned nothing. Is a `return` missing?"
SHORTCUT = "`{path}` is what this exercise asks you to write. Use simpler operations."
NO_DATA = "`{name}` returned {kind}, which is neither numbers nor text."

UNUSABLE = "What `{name}` returned has another form than was asked for."

CELL_FAILED = "code cell {number} failed with {error}"

LONGEST = 500  # characters of an exception's text

SENTENCES = (
    NO_FUNCTION,
    OTHER_NAME,
    NOT_CALLABLE,
    NOT_WRITTEN,
    RAISED,
    RAISED_IN_LINE,
    CHANGED,
    NOTHING,
    SHORTCUT,
    NO_DATA,
)


class InfraError(Exception):
    """Grading itself failed, and that says nothing about the submission."""


class CheckFailed(AssertionError):
    """A check that the learner's code did not pass; the message is the sentence that is shown."""

    status = "failed"

    def __init__(self, sentence: str, **values: Any) -> None:
        super().__init__(Text(sentence, **values) if values else sentence)
        if sentence in (NO_FUNCTION, OTHER_NAME):
            self.status = "missing"

    @property
    def sentence(self) -> str:
        """The message as it was given, so that it can be said in another language."""
        return self.args[0]


class Mismatch(CheckFailed):
    """A result that is not the expected one."""

    def __init__(self, reason: str, got: Any, expected: Any) -> None:
        super().__init__(reason)
        self.got, self.expected = got, expected


class Crashed(CheckFailed):
    """The learner's function raised an exception."""

    def __init__(self, name: str, error: BaseException) -> None:
        said = described(error)
        line = _line(name, error)
        if line:
            super().__init__(RAISED_IN_LINE, name=name, error=said, line=line)
        else:
            super().__init__(RAISED, name=name, error=said)


def described(error: BaseException) -> str:
    """The kind of an exception and what it says, whatever a learner made of it."""
    try:
        text = str(error)[:LONGEST]
    except Exception:
        text = ""
    return type(error).__name__ + (f": {text}" if text else "")


def steady(text: str) -> str:
    """What a worker said, no longer than it may be and the same on each run: without addresses."""
    return re.sub(r"\b0x[0-9a-fA-F]{6,16}\b", "0x…", text[: 2 * LONGEST])


def raised_in(error: BaseException) -> str:
    """The name of the function in which it was raised."""
    name = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        name = frame.f_code.co_name
    return name


def _line(name: str, error: BaseException) -> int:
    """Where in the function of this name it happened, counted from its `def`; 0 if not in it.

    By name, since what the learner's name stands for may be a wrapper around the function.
    """
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_name == name:
            return line - _line_of_def(frame.f_code) + 1
    return 0


def _line_of_def(code: CodeType) -> int:
    """For Python a function begins at its first decorator."""
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    if lines and lines[0].lstrip().startswith("@"):
        for number, line in enumerate(lines, start=code.co_firstlineno):
            if re.match(r"\s*(async\s+)?def\b", line):
                return number
    return code.co_firstlineno
