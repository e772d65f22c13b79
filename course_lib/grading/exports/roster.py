"""Who of a platform's list is who of the class."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from course_lib.grading.exports.lines import Line

# `grade run` calls a student of Canvas doejane_12345 and one of Moodle 홍길동_1234567.
WITH_NUMBER = re.compile(r"(?P<name>.+)_(?P<number>\d+)")


@dataclass
class Matches:
    """The line of each row that has one, by the row's number, and sentences on the others."""

    lines: dict[int, Line] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def matched(lines: list[Line], keys_of_rows: dict[int, list[str]]) -> Matches:
    """Match lines to rows by the row's keys: its numbers first, then its names.

    Nobody gets the points of another: where two rows or two lines could be meant, neither is
    filled, and `problems` says so.
    """
    found = Matches()
    rows_of = _rows_of(keys_of_rows)
    lines_of: dict[int, list[Line]] = {}
    for line in lines:
        rows = next((rows_of[key] for key in _keys_of(line) if key in rows_of), set())
        if len(rows) == 1:
            lines_of.setdefault(min(rows), []).append(line)
        else:
            wrong = f"fits {len(rows)} rows" if rows else "is in no row"
            found.problems.append(f"{line.entry.student} ({line.entry.file}) {wrong}")
    for row, candidates in sorted(lines_of.items()):
        if len(candidates) == 1:
            found.lines[row] = candidates[0]
        else:
            files = ", ".join(line.entry.file for line in candidates)
            found.problems.append(f"{candidates[0].entry.student} has {len(candidates)}: {files}")
    return found


def same(text: str) -> str:
    """A form in which names that look alike are alike."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def letters(text: str) -> str:
    """The letters and digits of a name alone: Canvas names files doejane, for “Doe, Jane”."""
    return "".join(sign for sign in same(text) if sign.isalnum())


def _rows_of(keys_of_rows: dict[int, list[str]]) -> dict[str, set[int]]:
    rows_of: dict[str, set[int]] = {}
    for row, keys in keys_of_rows.items():
        for key in filter(None, map(same, keys)):
            rows_of.setdefault(key, set()).add(row)
    return rows_of


def _keys_of(line: Line) -> Iterable[str]:
    """What a line may be found by, the surest first."""
    student = line.entry.student
    parts = WITH_NUMBER.fullmatch(student)
    if parts:
        yield parts["number"]
    yield same(student)
    if parts:
        yield same(parts["name"])
