"""What `grade run` prints at its end."""

from collections import Counter
from collections.abc import Iterator

from course_lib.grading.exports.harmless import one_line
from course_lib.grading.exports.lines import Line, lines_of
from course_lib.grading.exports.points import decimal
from course_lib.grading.record import Results

HEAD = ("student", "exercise", "status", "points", "note")
WIDEST = 40


def table(results: Results) -> Iterator[str]:
    """A line for each submission, in columns."""
    rows = [HEAD, *map(_row, lines_of(results))]
    widths = [min(WIDEST, max(map(len, column))) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(
            cell[:WIDEST].ljust(width) for cell, width in zip(row, widths, strict=True)
        ).rstrip()


def summary(results: Results) -> Iterator[str]:
    """How many there are of each status, and where the rest lies."""
    counts = Counter(line.status for line in lines_of(results))
    yield ""
    yield ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    yield f"{results.folder / 'gradebook.csv'} and a report for each student beside it"


def _row(line: Line) -> tuple[str, ...]:
    points = "" if line.points is None else decimal(line.points)
    reason = line.record.reason if line.record else ""
    note = "; ".join(text for text in (line.entry.note, reason) if text)
    cells = (line.entry.student, line.entry.exercise, line.status, points, note)
    return tuple(map(one_line, cells))
