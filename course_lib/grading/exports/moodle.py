"""Moodle's offline grading worksheet, filled: from the one that the instructor downloaded.

What it holds: https://docs.moodle.org/en/Assignment_settings (Feedback types, Offline grading
worksheet). On upload Moodle looks for the columns Identifier, Grade and "Last modified (grade)",
and for "Feedback comments" where comments are switched on; the others only say who it is. The
first column is the identifier on sites in every language; --column names the grade's on others.
"""

import re
from pathlib import Path

from course_lib.grading.exports import table
from course_lib.grading.exports.lines import Line, only_exercise
from course_lib.grading.exports.points import decimal
from course_lib.grading.exports.roster import matched
from course_lib.grading.exports.words import about, parts

GRADE, MOST, COMMENTS = "Grade", "Maximum grade", "Feedback comments"
WHO = ("Full name", "ID number", "Username", "Email address")


def filled(roster: Path, lines: list[Line], column: str | None) -> tuple[str, list[str]]:
    """The worksheet to upload, and sentences on whom it leaves out.

    A row without a submission keeps what it has; one that could not be graded becomes blank.
    """
    only_exercise(lines)
    header, *rows = table.read(roster)
    header = [name.strip() for name in header]
    grade = column or GRADE
    if grade not in header:
        raise ValueError(f"{roster.name} has no column {grade!r}; name it with --column: {header}")
    for row in rows:
        row += [""] * (len(header) - len(row))
    keys = {number: _keys(header, row) for number, row in enumerate(rows) if any(row)}
    matches = matched(lines, keys)
    for number, line in matches.lines.items():
        _fill(rows[number], header, grade, line)
    return table.written([header, *rows]), matches.problems


def _fill(row: list[str], header: list[str], grade: str, line: Line) -> None:
    """Write the points, and for the student what came of it."""
    row[header.index(grade)] = "" if line.points is None else decimal(line.points)
    if COMMENTS in header:
        row[header.index(COMMENTS)] = " · ".join([about(line), *parts(line)])
    most = row[header.index(MOST)] if MOST in header else ""
    if line.points is not None and line.worth is not None and re.fullmatch(r"\d+([.,]\d+)?", most):
        worth = float(most.replace(",", "."))
        if worth != float(line.worth):
            raise ValueError(f"the worksheet's maximum is {most}, the exercise's {line.worth}")


def _keys(header: list[str], row: list[str]) -> list[str]:
    """What finds a student: "Participant 123" and its number, then name, number, address."""
    number = re.search(r"\d+$", row[0].strip())
    who = [row[header.index(name)] for name in WHO if name in header]
    return [row[0], number[0] if number else "", *(who or row[1:2])]
