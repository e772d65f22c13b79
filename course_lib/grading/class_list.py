"""Students who handed in nothing, by the instructor's list."""

import csv
import re
import unicodedata
from pathlib import Path

from course_lib.grading.exercise import Exercise
from course_lib.grading.record import Entry


def missing(path: Path | None, entries: list[Entry], exercises: list[Exercise]) -> list[Entry]:
    """An entry for each student of the list without a submission, for each exercise graded.

    With all exercises allowed, those count that somebody handed in.
    """
    if path is None:
        return []
    handed_in = {(key_of(entry.student), entry.exercise) for entry in entries}
    graded = {exercise.name for exercise in exercises}
    names = graded if len(graded) == 1 else graded & {entry.exercise for entry in entries}
    return [
        Entry(student, "", name, None)
        for student in students(path)
        for name in sorted(names)
        if (key_of(student), name) not in handed_in
    ]


def students(path: Path) -> list[str]:
    """The names in a list: one a line, or the column "student" of a CSV."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows = list(csv.reader(text.splitlines()))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path.name} is no list in UTF-8: {error}") from None
    head = [cell.strip().casefold() for cell in rows[0]] if rows else []
    if "student" in head:
        column = head.index("student")
        names = [row[column] for row in rows[1:] if len(row) > column]
    else:
        names = text.splitlines()
    return [name.strip() for name in names if name.strip()]


def key_of(student: str) -> str:
    """A name without what a platform added, so that a list of names matches its files."""
    name = re.sub(r"_\d+$", "", unicodedata.normalize("NFC", student))
    return " ".join(name.casefold().split())
