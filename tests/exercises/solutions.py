"""An exercise's solution as the names that a notebook would define."""

from functools import cache
from typing import Any

from course_lib.grading.cells import code_cells
from course_lib.grading.exercise import Exercise
from course_lib.grading.notebook import silent
from course_lib.grading.running import run_cells


def solution_cells(exercise: Exercise) -> list[str]:
    """The sources of a solved notebook's cells; where a model is trained, after the given ones."""
    solution = (exercise.folder / "solution.py").read_text(encoding="utf-8")
    return [*_cells_before(exercise), solution]


def solved(exercise: Exercise, **replaced: Any) -> dict[str, Any]:
    """The solution's names, some replaced; its functions call the replaced ones."""
    return names_of((exercise.folder / "solution.py").read_text(encoding="utf-8"), exercise) | (
        replaced
    )


def names_of(source: str, exercise: Exercise) -> dict[str, Any]:
    """What `source` defines after the cells that train, which run once for all tests."""
    namespace = dict(_names_before(exercise))
    exec(source, namespace)
    return namespace


def _cells_before(exercise: Exercise) -> list[str]:
    """The notebook's own cells and the training, if there is any."""
    training = exercise.folder / "training.py"
    if not training.exists():
        return []
    notebook = exercise.folder / f"{exercise.name}.en.ipynb"
    return [*code_cells(notebook), training.read_text(encoding="utf-8")]


@cache
def _names_before(exercise: Exercise) -> dict[str, Any]:
    with silent():
        namespace, failed = run_cells(_cells_before(exercise))
    assert failed == []
    return namespace
