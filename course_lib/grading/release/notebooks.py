"""An exercise's notebook, and the repository that it lies in."""

import json
import re
from pathlib import Path
from typing import Any

from course_lib.grading.exercise import Exercise

STUB = "raise NotImplementedError"
DEFINED = re.compile(r"(?m)^(?:def|class) (\w+)")


def repository_of(exercise: Exercise) -> Path:
    """The repository's folder; the installed package has neither notebooks nor solutions."""
    root = exercise.folder.parent.parent
    if not (root / "pyproject.toml").is_file():
        raise ValueError(
            "the installed package holds the checks alone, neither notebooks nor solutions: "
            "get the course's repository (its address: pip show attention-recomputed) "
            "and run grade release in it, as its README says"
        )
    return root


def notebook_of(exercise: Exercise, language: str) -> Path:
    """The learner's notebook; ValueError if there is none in this language."""
    path = exercise.folder / f"{exercise.name}.{language}.ipynb"
    if not path.is_file():
        there = ", ".join(sorted(p.name for p in exercise.folder.glob("*.ipynb"))) or "none"
        raise ValueError(f"{exercise.name} has no notebook {path.name}; there is {there}")
    return path


def read(path: Path) -> dict[str, Any]:
    """The notebook as data; sources are single strings."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def written(notebook: dict[str, Any]) -> bytes:
    """The data as a file."""
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def stubs(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The code cells whose functions the learner has to write."""
    cells = (cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    return [cell for cell in cells if STUB in cell["source"]]


def first_function(notebook: dict[str, Any]) -> str:
    """The name of the first function that has to be written."""
    return DEFINED.findall(stubs(notebook)[0]["source"])[0]


def needs_torch(notebook: Path) -> bool:
    """Whether its setup cell asks for PyTorch."""
    return "attention-recomputed[torch]" in notebook.read_text(encoding="utf-8")
