"""An exercise's solution as the names that a notebook would define."""

from functools import cache
from pathlib import Path
from typing import Any


def solution_cells(exercise) -> list[str]:
    """The sources of a solved notebook's cells: what trains a model, if anything, comes first."""
    paths = (exercise.folder / name for name in ("training.py", "solution.py"))
    return [path.read_text(encoding="utf-8") for path in paths if path.exists()]


def solved(exercise, **replaced) -> dict[str, Any]:
    """The solution's names, some replaced; its functions call the replaced ones."""
    return names_of((exercise.folder / "solution.py").read_text(encoding="utf-8"), exercise) | (
        replaced
    )


def names_of(source: str, exercise) -> dict[str, Any]:
    """What `source` defines after the cells that train, which run once for all tests."""
    namespace = dict(_trained(exercise.folder / "training.py"))
    exec(source, namespace)
    return namespace


@cache
def _trained(path: Path) -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    if path.exists():
        exec(path.read_text(encoding="utf-8"), namespace)
    return namespace
