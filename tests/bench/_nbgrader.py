"""The same class under nbgrader: its environment, its course, its own batch mode."""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
from nbformat import NotebookNode, v4

from course_lib.grading.compare import ATOL, RTOL
from course_lib.grading.exercise import Exercise
from course_lib.grading.run import Outcome, run_checks
from course_lib.grading.student import Call, Student
from tests.exercises.solutions import solved

VERSION = "0.9.6"
ENVIRONMENT = Path(__file__).parents[2] / "_build" / "bench" / "nbgrader"
ASSIGNMENT = "ex04"


class CannotBeMade(Exception):
    """There is no environment with nbgrader here, and the message says why."""


def environment() -> Path:
    """The folder of nbgrader's programs, installed at the first call."""
    programs = ENVIRONMENT / "bin"
    python = programs / "python"
    wanted = [f"nbgrader=={VERSION}", f"numpy=={np.__version__}"]
    try:
        if not (programs / "nbgrader").exists():
            shutil.rmtree(ENVIRONMENT, ignore_errors=True)
            _run([sys.executable, "-m", "venv", ENVIRONMENT])
            _run([python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *wanted])
    except (subprocess.CalledProcessError, OSError) as error:
        said = getattr(error, "stderr", None) or str(error)
        raise CannotBeMade(said.strip().splitlines()[-1]) from None
    return programs


class Course:
    """An nbgrader course of one assignment, and its students' notebooks."""

    def __init__(self, folder: Path, exercise: Exercise, students: list[str]) -> None:
        self._programs = environment()
        self._folder, self._students = folder, students
        shutil.rmtree(folder, ignore_errors=True)
        source = notebook(exercise)
        for place in (f"source/{ASSIGNMENT}", *(f"submitted/{s}/{ASSIGNMENT}" for s in students)):
            (folder / place).mkdir(parents=True)
            nbformat.write(source, folder / place / f"{ASSIGNMENT}.ipynb")
            source.cells[0].source += "\n# handed in"  # no two files are the same
        self._nbgrader("generate_assignment", ASSIGNMENT)
        shutil.copy(folder / "gradebook.db", folder / "ungraded.db")

    def autograde(self) -> None:
        """Grade all students' notebooks as if none had been graded before."""
        shutil.rmtree(self._folder / "autograded", ignore_errors=True)
        shutil.copy(self._folder / "ungraded.db", self._folder / "gradebook.db")
        self._nbgrader("autograde", ASSIGNMENT)

    def points(self) -> list[float]:
        """What each student got."""
        self._nbgrader("export")
        with open(self._folder / "grades.csv", encoding="utf-8", newline="") as file:
            return [float(row["score"]) for row in csv.DictReader(file) if row["score"]]

    def _nbgrader(self, *arguments: str) -> None:
        home = {"HOME": str(self._folder), "PATH": f"{self._programs}:{os.environ['PATH']}"}
        _run([self._programs / "nbgrader", *arguments], cwd=self._folder, env=os.environ | home)


def notebook(exercise: Exercise) -> NotebookNode:
    """The solution in one cell, and each check in a cell of its own, its numbers written out."""
    solution = (exercise.folder / "solution.py").read_text(encoding="utf-8")
    cells = [_cell(solution, grade=False, grade_id="solution", solution=True, locked=False)]
    for outcome, calls in recorded(exercise):
        points = {"grade": True, "points": float(outcome.worth), "grade_id": outcome.check}
        cells.append(_cell(as_asserts(calls), solution=False, locked=True, **points))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def recorded(exercise: Exercise) -> list[tuple[Outcome, list[Call]]]:
    """Each check of an exercise with the calls that it makes of the solution."""
    student = _Recorded(solved(exercise))
    outcomes = run_checks(exercise, student, phase="all")
    return list(zip(outcomes, student.of_checks, strict=True))


class _Recorded(Student):
    """Keeps the calls of every check."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        super().__init__(namespace)
        self.of_checks: list[list[Call]] = []

    def begin_check(self) -> None:
        self.calls = []
        self.of_checks.append(self.calls)


def as_asserts(calls: list[Call]) -> str:
    """A test cell that makes these calls and expects these results."""
    lines = ["import numpy as np"]
    for call in calls:
        arguments = ", ".join(map(_written, call.arguments))
        expected = _written(call.result)
        lines.append(
            f"np.testing.assert_allclose({call.name}({arguments}), {expected}, "
            f"rtol={RTOL}, atol={ATOL})"
        )
    return "\n".join(lines)


def _written(value: np.ndarray) -> str:
    return f"np.array({np.asarray(value).tolist()!r})"


def _cell(source: str, **nbgrader: Any) -> NotebookNode:
    about = {"schema_version": 3, "task": False, "cell_type": "code", **nbgrader}
    return v4.new_code_cell(source, metadata={"nbgrader": about})


def _run(command: list[Any], **options: Any) -> None:
    subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **options)
