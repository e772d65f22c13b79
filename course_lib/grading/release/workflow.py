"""The workflow for GitHub Classroom: the visible checks, as practice, at each push."""

import tomllib
from pathlib import Path

from course_lib.grading.exercise import Exercise
from course_lib.grading.release.notebooks import needs_torch
from course_lib.grading.release.templates import filled


def text(exercise: Exercise, notebook: Path, repository: Path) -> str:
    """The file `.github/workflows/classroom.yml` of the assignment's template repository."""
    pyproject = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    project = pyproject["project"]
    extra = "[torch]" if needs_torch(notebook) else ""
    address = f"{project['urls']['Repository']}/archive/refs/heads/main.zip"
    return filled(
        "classroom.yml",
        package=f"{project['name']}{extra} @ {address}",
        notebook=notebook.name,
        exercise=exercise.name.split("_")[0],
    )
