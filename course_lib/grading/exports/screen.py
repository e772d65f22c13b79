"""A record as lines on a screen, for `grade one`."""

from collections.abc import Iterator

from course_lib.grading.exports.harmless import visible
from course_lib.grading.record import Check, Record

SIGNS = {"passed": "✓", "not run": "·"}


def lines(record: Record) -> Iterator[str]:
    """What came of each check, why, and the sum."""
    for note in record.notes:
        yield visible(note)
    for question in record.questions:
        for check in question.checks:
            yield (
                f"{SIGNS.get(check.status, '✗')} {question.task}: {check.title} "
                f"({check.points} of {check.worth}{', hidden' if check.hidden else ''})"
            )
            yield from _explanation(check)
    if record.is_blank:
        yield f"{record.exercise}: {record.status}: {visible(record.reason)}"
    else:
        yield f"{record.exercise}: {record.status}, {record.points} of {record.worth} points"


def _explanation(check: Check) -> Iterator[str]:
    if check.status == "passed":
        return
    for text in (check.reason, check.misconception, *check.case):
        for line in visible(text).split("\n") if text else []:
            yield f"    {line}"
