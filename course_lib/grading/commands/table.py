"""What `grade run` prints at its end."""

from collections import Counter
from collections.abc import Iterator

from course_lib.grading.exports.harmless import one_line
from course_lib.grading.exports.lines import Line, lines_of
from course_lib.grading.exports.points import decimal
from course_lib.grading.record import Results
from course_lib.messages import Said, columns

HEAD = ("student", "exercise", "status", "points", "note")
MOST = (40, 40, 40, 40, 120)  # columns of a console, for each of these


def table(results: Results) -> Iterator[str]:
    """A line for each submission, in columns."""
    rows = [tuple(map(_cut, row, MOST)) for row in (HEAD, *map(_row, lines_of(results)))]
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def summary(results: Results) -> Iterator[str]:
    """How many there are of each status, and where the rest lies."""
    counts = Counter(line.status for line in lines_of(results))
    yield ""
    yield ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    yield f"{results.folder / 'gradebook.csv'} and a report for each student beside it"


def _cut(text: str, most: int) -> Said:
    """The text, or as much of it as fits before three dots."""
    if columns(text) <= most:
        return Said(text)
    while columns(text) > most - 1:
        text = text[:-1]
    return Said(text + "…")


def _row(line: Line) -> tuple[str, ...]:
    points = "" if line.points is None else decimal(line.points)
    reason = line.record.reason if line.record else ""
    note = "; ".join(text for text in (line.entry.note, reason) if text)
    cells = (line.entry.student, line.entry.exercise, line.status, points, note)
    return tuple(map(one_line, cells))
