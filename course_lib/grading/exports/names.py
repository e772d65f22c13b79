"""Names of files that are written for students."""

import os
import unicodedata

from course_lib.grading.exports.lines import Line

LONGEST = 150  # bytes; file systems take 255
NOT_IN_NAMES = '<>:"/\\|?*'


def file_names(lines: list[Line], suffix: str) -> list[str]:
    """A name for each line that every file system takes, readable, and no two alike."""
    taken: set[str] = set()
    names = []
    for line in lines:
        stem = f"{_plain(line.entry.student)} {line.entry.exercise.split('_')[0]}"
        name, number = stem + suffix, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem} ({number}){suffix}"
        taken.add(name.casefold())
        names.append(name)
    return names


def _plain(student: str) -> str:
    signs = (
        sign if sign.isprintable() and sign not in NOT_IN_NAMES else "_"
        for sign in unicodedata.normalize("NFC", student[:LONGEST])
    )
    short = "".join(signs).encode()[:LONGEST].decode(errors="ignore")
    # Stored as UTF-8, also where Python takes the system for one that knows ASCII alone.
    return os.fsdecode(short.strip(". ").encode()) or "_"
