"""Who of a platform's list is who of the class."""

import re
from dataclasses import dataclass, field

from course_lib.grading.exports.lines import Line
from course_lib.grading.spellings import same

# `grade run` calls a student of Canvas doejane_12345 and one of Moodle 홍길동_1234567.
WITH_NUMBER = re.compile(r"(?P<name>.+)_(?P<number>\d+)")
SURE = 4  # digits of a number that is nobody's second try


@dataclass
class Matches:
    """The line of each row that has one, by the row's number, and sentences on the others."""

    lines: dict[int, Line] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def matched(lines: list[Line], keys_of_rows: dict[int, list[str]]) -> Matches:
    """Match lines to rows by the row's keys, which are its numbers and names.

    Nobody gets the points of another: where two rows or two lines could be meant, neither is
    filled, and `problems` says so.
    """
    found = Matches()
    rows_of = _rows_of(keys_of_rows)
    lines_of: dict[int, list[Line]] = {}
    for line in lines:
        rows = _rows_for(line, rows_of)
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


def _rows_of(keys_of_rows: dict[int, list[str]]) -> dict[str, set[int]]:
    rows_of: dict[str, set[int]] = {}
    for row, keys in keys_of_rows.items():
        for key in filter(None, map(same, keys)):
            rows_of.setdefault(key, set()).add(row)
    return rows_of


def _rows_for(line: Line, rows_of: dict[str, set[int]]) -> set[int]:
    """The rows that may be meant. A number counts if the name agrees, or is nobody's.

    A short one alone does not: homework_2 is more likely a second try than the student of number 2.
    """
    student = line.entry.student
    exact = rows_of.get(same(student), set())
    parts = WITH_NUMBER.fullmatch(student)
    if exact or parts is None:
        return exact
    name, number = parts["name"], parts["number"]
    by_name = rows_of.get(same(name), set())
    by_number = rows_of.get(number, set())
    if by_name and by_number:
        return by_name & by_number
    anonymous = rows_of.get(same(f"{name} {number}"), set())  # Participant 123
    return anonymous or by_name or (by_number if len(number) >= SURE else set())
