"""Who of the instructor's list handed in nothing, and who handed in and is not on it."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from course_lib.grading.exercise import Exercise
from course_lib.grading.record import Entry
from course_lib.grading.spellings import keys_of, same, spellings

SEPARATORS = ",;\t"
TABLES = (".csv", ".tsv")
NO_STUDENTS = ("points possible", "student, test")  # rows of a gradebook as Canvas exports it


def missing(path: Path | None, entries: list[Entry], exercises: list[Exercise]) -> list[Entry]:
    """An entry for each student of the list without a submission, for each exercise graded.

    With all exercises allowed, those count that somebody handed in.
    """
    if path is None:
        return []
    handed_in = who_handed_in(entries)
    graded = {exercise.name for exercise in exercises}
    names = graded if len(graded) == 1 else graded & {entry.exercise for entry in entries}
    return [
        Entry(student, "", name, None)
        for student in students(path)
        for name in sorted(names)
        if not is_among(student, name, handed_in)
    ]


def unlisted(path: Path, entries: list[Entry]) -> list[str]:
    """Who handed in and is not on the list, or stands there in a spelling that does not tell."""
    listed = set().union(*(spellings(student) for student in students(path)))
    return sorted({entry.student for entry in entries if not keys_of(entry.student) & listed})


def doubtful(path: Path, entries: list[Entry]) -> list[str]:
    """Sentences on those of the list of whom some are missing, and no name tells which."""
    sentences = []
    for exercise in sorted({entry.exercise for entry in entries if entry.sha256 is not None}):
        named: dict[str, set[str]] = {}
        for entry in entries:
            for key in keys_of(entry.student) if entry.exercise == exercise else ():
                named.setdefault(key, set()).add(entry.student)
        alike: dict[frozenset[str], list[str]] = {}
        for student in students(path):
            found = (named.get(spelling, set()) for spelling in spellings(student))
            alike.setdefault(frozenset().union(*found), []).append(student)
        sentences += [
            f"{exercise}: on {path.name} are {len(listed)}, {'; '.join(listed)}, who may have "
            f"handed in as {'; '.join(sorted(files))}: who is missing is left to you"
            for files, listed in alike.items()
            if files and len(listed) > len(files)
        ]
    return sentences


def who_handed_in(entries: Iterable[Entry]) -> set[tuple[str, str]]:
    """The keys of everybody's submissions, each with its exercise."""
    return {
        (key, e.exercise) for e in entries if e.sha256 is not None for key in keys_of(e.student)
    }


def is_among(student: str, exercise: str, handed_in: set[tuple[str, str]]) -> bool:
    """Whether a submission to the exercise may be that of a student of the list."""
    return any((spelling, exercise) in handed_in for spelling in spellings(student))


def students(path: Path) -> list[str]:
    """The names in a list: one a line, or the column "student" of a CSV.

    ValueError where it names nobody, or is a table that does not say which column does.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        names = _column(text, path) or [line.strip().strip('"') for line in text.splitlines()]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(
            f"{path.name} is no list in UTF-8 (in Excel: save as “CSV UTF-8”): {error}"
        ) from None
    found = [name.strip() for name in names if same(name) not in ("", *NO_STUDENTS)]
    if not found:
        raise ValueError(f"{path.name} names nobody")
    return found


def _column(text: str, path: Path) -> list[str] | None:
    """The column "student", whatever separates it from others; None where there is but one."""
    head = text.partition("\n")[0]
    for separator in SEPARATORS:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        columns = [cell.strip().casefold() for cell in next(rows, [])]
        if "student" in columns:
            place = columns.index("student")
            return [row[place] for row in rows if len(row) > place] or [""]
        if len(columns) > 1 and path.suffix.lower() in TABLES:
            raise ValueError(f'{path.name} has no column "student"; it begins with {head.strip()}')
    return None
