"""What the learner reads: a table in a notebook, lines in a terminal."""

import html
import reprlib
from fractions import Fraction
from typing import Any

import numpy as np

from course_lib.grading.run import Outcome
from course_lib.messages import Text, translated

LONGEST = 400  # characters of one value
LISTS = reprlib.Repr()  # of lists of different lengths, which need not be short
LISTS.maxlist, LISTS.maxlevel = 20, 3


class Report:
    """The outcomes of one run of checks, as HTML for a notebook and as text."""

    def __init__(self, outcomes: list[Outcome], language: str = "en") -> None:
        self.outcomes, self.language = outcomes, language

    def _say(self, sentence: str, **values: Any) -> str:
        return translated(Text(sentence, **values) if values else sentence, self.language)

    @property
    def summary(self) -> str:
        """Points of the checks that ran, and how many come later."""
        shown = [o for o in self.outcomes if not o.is_hidden]
        later = sum((o.worth for o in self.outcomes if o.is_hidden), Fraction(0))
        earned, worth = sum(o.earned for o in shown), sum(o.worth for o in shown)
        points = {"earned": as_text(earned), "worth": as_text(worth)}
        if not later:
            return self._say("{earned} of {worth} points", **points)
        return self._say(
            "{earned} of {worth} points; hidden checks for {later} more come when it is graded",
            later=as_text(later),
            **points,
        )

    def __str__(self) -> str:
        lines = []
        for outcome in self.outcomes:
            if outcome.is_hidden:
                continue
            lines.append(
                f"{'✓' if outcome.passed else '✗'} {outcome.task}: {self._say(outcome.title)} "
                f"({self._points(outcome)})"
            )
            lines += [
                f"    {line}"
                for paragraph in explanation(outcome, self.language)
                for line in paragraph.split("\n")
            ]
        return "\n".join([*lines, self.summary])

    def _repr_html_(self) -> str:
        rows = "".join(self._row(outcome) for outcome in self.outcomes if not outcome.is_hidden)
        names = "".join(f"<th>{self._say(name)}</th>" for name in ("Task", "Check", "Points"))
        head = f"<tr><th></th>{names}</tr>"
        return f"<table>{head}{rows}</table><p>{html.escape(self.summary)}</p>"

    def _row(self, outcome: Outcome) -> str:
        said = "".join(
            f'<br><span style="white-space: pre-wrap">{html.escape(paragraph)}</span>'
            for paragraph in explanation(outcome, self.language)
        )
        cells = (
            "✓" if outcome.passed else "✗",
            f"<code>{html.escape(outcome.task)}</code>",
            html.escape(self._say(outcome.title)) + said,
            self._points(outcome),
        )
        return (
            "<tr>"
            + "".join(f'<td style="text-align: left">{cell}</td>' for cell in cells)
            + "</tr>"
        )

    def _points(self, outcome: Outcome) -> str:
        earned, worth = as_text(outcome.earned), as_text(outcome.worth)
        return self._say("{earned} of {worth}", earned=earned, worth=worth)


def explanation(outcome: Outcome, language: str = "en") -> list[str]:
    """Why a check was not passed, the mistake's name where it is known, and the case."""
    if outcome.passed:
        return []
    said = [translated(text, language) for text in (outcome.reason, outcome.misconception) if text]
    return said + case(outcome, language)


def case(outcome: Outcome, language: str = "en") -> list[str]:
    """The call of a failed check that went wrong, what it gave, and what was expected."""
    said = []
    if outcome.call is not None:
        given = ", ".join(show(argument) for argument in outcome.call.arguments)
        said.append(f"{outcome.call.name}({given})")
        for name, value in (("got", outcome.call.result), ("expected", outcome.expected)):
            said.append(f"{translated(name, language):<9} {show(value)}")
    return said


def show(value: Any, depth: int = 0) -> str:
    """A value short enough to read; a large array by its shape, as any in a tuple of tuples."""
    if isinstance(value, tuple):
        value = _tuple(value, depth)
    if isinstance(value, np.ndarray) and value.size > (40 if depth < 2 else 4):
        return f"array of shape {value.shape}"
    if isinstance(value, np.ndarray) and value.ndim:
        value = np.array2string(value, precision=4, suppress_small=True, separator=", ")
    text = LISTS.repr(value) if isinstance(value, list) else str(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"


def _tuple(value: tuple, depth: int) -> str:
    """Its entries, as many as are shown: there can be hundreds of thousands."""
    shown, length = [], 0
    for entry in value:
        shown.append(show(entry, depth + 1))
        length += len(shown[-1]) + 2
        if length > LONGEST:
            break
    return "(" + ", ".join(shown) + ")"


def as_text(points: Fraction | int) -> str:
    """Exactly: 2, 1/3, 2 1/3."""
    whole, rest = divmod(Fraction(points), 1)
    return " ".join(str(part) for part in (whole, rest) if part) or "0"
