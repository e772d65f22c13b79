"""gradebook.csv: every student, every exercise, every question."""

from fractions import Fraction

from course_lib.grading.exports.lines import Line
from course_lib.grading.exports.points import decimal, is_rounded
from course_lib.grading.exports.table import BYTE_ORDER_MARK, written
from course_lib.grading.feedback import as_text
from course_lib.grading.record import BLANK

BEFORE = ["student", "exercise", "status", "points", "out_of"]
AFTER = ["note", "file", "sha256", "isolation"]


def text(lines: list[Line]) -> str:
    """The whole file."""
    several = len({line.entry.exercise for line in lines}) > 1
    columns = dict.fromkeys(name for line in lines for name in _questions(line, several))
    rows = [[*BEFORE, *columns, *AFTER]]
    for line in lines:
        points = _questions(line, several)
        prefix = f"{_short(line)} " if several else ""
        absent = "0" if line.status == "missing" else ""
        middle = [points.get(name, absent if name.startswith(prefix) else "") for name in columns]
        rows.append([*_before(line), *middle, *_after(line)])
    return BYTE_ORDER_MARK + written(rows)


def _before(line: Line) -> list[str]:
    entry = line.entry
    return [entry.student, entry.exercise, line.status, _shown(line.points), _shown(line.worth)]


def _after(line: Line) -> list[str]:
    entry, record = line.entry, line.record
    isolation = record.graded_with.get("isolation", "") if record else ""
    return ["; ".join(_notes(line)), entry.file, entry.sha256 or "", isolation]


def _notes(line: Line) -> list[str]:
    notes = [line.entry.note] if line.entry.note else []
    if line.points is not None and is_rounded(line.points):
        notes.append(f"exactly {as_text(line.points)} points")
    if line.not_run:
        notes.append(f"checks for {as_text(line.not_run)} points were not run")
    if line.record is None and line.entry.sha256 is not None:
        notes.append("there is no record: grade it again")
    elif line.record is not None and line.is_blank:
        notes.append(line.record.reason or "a question could not be graded")
    return notes


def _questions(line: Line, several: bool) -> dict[str, str]:
    """The points of each question; a question's name has the exercise before it among several."""
    prefix = f"{_short(line)} " if several else ""
    return {
        prefix + question.task: ""
        if line.is_blank or question.status in BLANK
        else decimal(Fraction(question.points))
        for question in line.questions
    }


def _short(line: Line) -> str:
    return line.entry.exercise.split("_")[0]


def _shown(points: Fraction | None) -> str:
    return "" if points is None else decimal(points)
