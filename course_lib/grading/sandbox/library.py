"""The copy of `course_lib` that a worker sees: without exercises, and without their answers."""

import ast
import importlib
import shutil
import sys
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
    source = Path(sys.modules[value.__module__].__file__ or "").resolve()
    file = copy / source.relative_to(PACKAGE.resolve())
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    node = next(n for n in ast.parse("".join(lines)).body if getattr(n, "name", "") == name)
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    lines[first - 1 : node.end_lineno] = [REFUSAL.format(name=name)]
    file.write_text("".join(lines), encoding="utf-8")
