"""The copy of `course_lib` that a worker sees: without exercises, and without their answers."""

import importlib
import inspect
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from course_lib.grading.exercise import PACKAGE

REFUSAL = """\
def {name}(*_, **__):
    raise RuntimeError("course_lib.{name} is what this exercise asks you to write")
"""


def build(folder: Path, shortcuts: Iterable[str]) -> Path:
    """A folder for the worker's `sys.path` in which the shortcuts of an exercise are not there."""
    copy = folder / "course_lib"
    unwanted = shutil.ignore_patterns("exercises", "__pycache__")
    shutil.copytree(PACKAGE, copy, ignore=unwanted)
    for path in shortcuts:
        if path.startswith("course_lib."):
            _take_out(path, copy)
    for entry in (folder, *folder.rglob("*")):
        entry.chmod(0o755 if entry.is_dir() else 0o644)
    return folder


def _take_out(path: str, copy: Path) -> None:
    """Put a refusal in the place of a function or class, in the file that defines it."""
    module_name, _, name = path.rpartition(".")
    try:
        value: Any = getattr(importlib.import_module(module_name), name)
    except ModuleNotFoundError:  # PyTorch is not installed, and nor is what needs it
        return
    source = Path(inspect.getsourcefile(value) or "").resolve()
    file = copy / source.relative_to(PACKAGE.resolve())
    lines, first = inspect.getsourcelines(value)
    text = source.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = file.read_text(encoding="utf-8").splitlines(keepends=True)
    refusal = REFUSAL.format(name=value.__name__).splitlines(keepends=True)
    padding = ["\n"] * (len(lines) - len(refusal))
    assert len(kept) == len(text), f"{file.name} has changed its length"
    kept[first - 1 : first - 1 + len(lines)] = refusal + padding
    file.write_text("".join(kept), encoding="utf-8")
