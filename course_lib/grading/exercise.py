"""Where an exercise's files are, and how they are read."""

import hashlib
import importlib.util
import sys
from functools import cached_property
from pathlib import Path
from types import ModuleType

from course_lib.grading.misconceptions import Misconception, misconceptions_of

PACKAGE = Path(__file__).parent.parent


class Exercise:
    """The folder of one exercise, `ex04_scaling` for "ex04"."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name

    def __reduce__(self) -> tuple:
        """Another process reads the folder itself."""
        return Exercise, (self.folder,)

    @property
    def short_name(self) -> str:
        """What notebooks call it, such as "ex04"."""
        return self.name.split("_")[0]

    @property
    def checks(self) -> Path:
        """The file of its checks."""
        return self.folder / "checks.py"

    @cached_property
    def shortcuts(self) -> dict[str, list[str]]:
        """For each function of a task, the library functions that would be its answer."""
        return getattr(self.module("checks"), "SHORTCUTS", {})

    @property
    def closed_paths(self) -> list[str]:
        """All library functions that would be an answer, each once."""
        return sorted({path for paths in self.shortcuts.values() for path in paths})

    @cached_property
    def limits(self) -> dict[str, float]:
        """Seconds for a call of a function, or for each of the notebook's "cells", if not usual."""
        return getattr(self.module("checks"), "LIMITS", {})

    @property
    def digest(self) -> str:
        """A hash of all that decides what a submission is worth."""
        parts = [self.folder / f"{name}.py" for name in ("checks", "misconceptions")]
        present = (path.read_bytes() for path in parts if path.exists())
        return hashlib.sha256(b"\0".join(present)).hexdigest()[:16]

    @cached_property
    def misconceptions(self) -> list[Misconception]:
        """The wrong solutions that are recognised; an instructor's own checks may have none."""
        if not (self.folder / "misconceptions.py").exists():
            return []
        return misconceptions_of(self.module("misconceptions"))

    def module(self, name: str) -> ModuleType:
        """One of its files as a module; relative to no package, so that names can't clash."""
        full_name = f"{self.name}_{name}"
        if full_name not in sys.modules:
            spec = importlib.util.spec_from_file_location(full_name, self.folder / f"{name}.py")
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            try:
                spec.loader.exec_module(module)
            except (Exception, SystemExit) as error:
                wrong = f"{type(error).__name__}: {error}"
                raise ValueError(f"{self.folder / name}.py cannot be loaded: {wrong}") from error
            sys.modules[full_name] = module
        return sys.modules[full_name]


def exercises() -> list[Exercise]:
    """All exercises, in order: in the installed package, or beside it in the repository."""
    for root in (PACKAGE / "exercises", PACKAGE.parent / "exercises"):
        if root.is_dir():
            folders = sorted(path.parent for path in root.glob("ex*/checks.py"))
            return [Exercise(folder) for folder in folders]
    return []


def find_exercise(short_name: str) -> Exercise:
    """The exercise whose folder starts with `short_name`, such as "ex04"."""
    known = exercises()
    for exercise in known:
        if short_name in (exercise.name, exercise.short_name):
            return exercise
    names = ", ".join(exercise.short_name for exercise in known)
    raise ValueError(f"there is no exercise {short_name!r}; there are {names}")
