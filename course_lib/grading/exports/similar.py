"""The folder that JPlag or copydetect take: one file of plain Python a student.

https://github.com/jplag/JPlag: `jplag -l python3 FOLDER/ex04_scaling/submissions -bc …/given`
https://github.com/blingenf/copydetect: `copydetect -t …/submissions -b …/given -e py`
"""

import ast
import hashlib
import warnings
from pathlib import Path

from course_lib.grading.cells import cells_of
from course_lib.grading.exercise import Exercise
from course_lib.grading.exports.harmless import visible
from course_lib.grading.exports.lines import Line
from course_lib.grading.exports.names import file_names
from course_lib.grading.record import write_whole
from course_lib.grading.running import without_magics
from course_lib.grading.submissions import submissions


def write(lines: list[Line], handed_in: Path, exercises: list[Exercise], out: Path) -> list[str]:
    """Write the files; sentences on the submissions that can't be read or found again.

    The code that the exercise itself gives lies in a folder of its own, to be left out of account.
    """
    sources = _sources(handed_in)
    names = file_names(lines, ".py")
    problems = []
    for line, name in zip(lines, names, strict=True):
        entry = line.entry
        if entry.sha256 in sources:
            folder = out / entry.exercise / "submissions"
            write_whole(folder / name, sources[entry.sha256])
        elif entry.sha256 is not None:
            problems.append(f"{entry.student} ({entry.file}) has no code that can be compared")
    for exercise in exercises:
        if any(line.entry.exercise == exercise.name for line in lines):
            _write_given(exercise, out / exercise.name / "given")
    return problems


def python_of(cells: list[str]) -> str:
    """The cells as one file that can be parsed: without magics, what is no Python as comments."""
    return "\n\n".join(filter(None, map(_python, cells))) + "\n"


def _sources(handed_in: Path) -> dict[str, str]:
    """The code of everything that was handed in, by its SHA-256."""
    found = {}
    for submission in submissions(handed_in):
        try:
            for member in submission.members():
                code = python_of(cells_of(member.data, member.name))
                found[hashlib.sha256(member.data).hexdigest()] = code
        except (OSError, ValueError):
            continue
    return found


def _write_given(exercise: Exercise, folder: Path) -> None:
    for notebook in sorted(exercise.folder.glob("*.ipynb")):
        code = python_of(cells_of(notebook.read_bytes(), notebook.name))
        write_whole(folder / f"{notebook.stem}.py", code)


def _python(cell: str) -> str:
    for source in (cell, without_magics(cell)):
        if _parses(source):
            return source.strip()
    return "\n".join(f"# {line}" for line in visible(cell, len(cell)).split("\n"))


def _parses(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True
