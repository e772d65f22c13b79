"""A Canvas gradebook, filled: from the instructor's own export, ready to be imported.

The columns: https://community.canvaslms.com/t5/Instructor-Guide/How-do-I-import-grades-in-the-Gradebook/ta-p/807
Student, ID, SIS User ID, SIS Login ID and Section say who it is, and a column of the form
"Name (123)" is an assignment. Only who it is and the one assignment are written back, so that
importing the file changes nothing else.
"""

import re
from pathlib import Path

from course_lib.grading.exports import table
from course_lib.grading.exports.lines import Line, is_named, only_exercise
from course_lib.grading.exports.points import decimal
from course_lib.grading.exports.roster import matched
from course_lib.grading.spellings import letters

NEEDED = ("Student", "ID")
WHO = ("Student", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account", "Section")
NUMBERS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")
EXCUSED = "EX"


def filled(roster: Path, lines: list[Line], column: str | None) -> tuple[str, list[str]]:
    """The file to import, and sentences on whom it leaves out.

    A row without a submission keeps what it has; one that could not be graded becomes blank.
    """
    header, *rows = table.read(roster)
    header = [name.strip() for name in header]
    if missing := [name for name in NEEDED if name not in header]:
        raise ValueError(f"{roster.name} has no column {', '.join(missing)}; it has {header}")
    place = _assignment(header, lines, column)
    keys = {
        number: _keys(dict(zip(header, row, strict=False)))
        for number, row in enumerate(rows)
        if _is_student(dict(zip(header, row, strict=False)))
    }
    matches = matched(lines, keys)
    kept = [header.index(name) for name in WHO if name in header] + [place]
    for number, line in matches.lines.items():
        rows[number] += [""] * (len(header) - len(rows[number]))
        if rows[number][place].strip().upper() != EXCUSED:
            rows[number][place] = "" if line.points is None else decimal(line.points)
    cut = [[(row + [""] * len(header))[i] for i in kept] for row in [header, *rows]]
    return table.written(cut), matches.problems


def _assignment(header: list[str], lines: list[Line], column: str | None) -> int:
    """The place of the assignment's column: the one named, else the one that names the exercise."""
    exercise = only_exercise(lines)
    others = [place for place, name in enumerate(header) if name not in WHO]
    if column is not None:
        found = [i for i in others if column in (header[i], re.sub(r" \(\d+\)$", "", header[i]))]
    else:
        words = {i: re.findall(r"\w+", header[i].lower()) for i in others}
        found = [i for i in others if any(is_named(exercise, word) for word in words[i])]
    if len(found) != 1:
        names = ", ".join(repr(header[place]) for place in others) or "none"
        wanted = f"{column!r}" if column else f"naming {exercise.split('_')[0]}"
        raise ValueError(f"{len(found)} columns {wanted}; name one with --column: {names}")
    return found[0]


def _is_student(row: dict[str, str]) -> bool:
    """Not the rows "Points Possible" and "Manual Posting", which have no ID."""
    return bool(row.get("ID", "").strip())


def _keys(row: dict[str, str]) -> list[str]:
    """What finds a student: numbers, "Doe, Jane", "Jane Doe", and doejane as files are named."""
    name = row["Student"]
    last, _, first = name.partition(",")
    return [row.get(key, "") for key in NUMBERS] + [name, f"{first} {last}", letters(name)]
