"""Checks of the exercises: in a notebook, `check("ex04")`; on a command line, `grade check`.

`marks` and `notebook` bring pytest with them; they are loaded when they are first asked for.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from course_lib.grading.compare import expect
    from course_lib.grading.failures import CheckFailed
    from course_lib.grading.marks import hidden, points
    from course_lib.grading.misconceptions import misconception, right_variant
    from course_lib.grading.notebook import check

__all__ = ["CheckFailed", "check", "expect", "hidden", "misconception", "points", "right_variant"]

HOME = {
    "CheckFailed": "failures",
    "check": "notebook",
    "expect": "compare",
    "hidden": "marks",
    "misconception": "misconceptions",
    "points": "marks",
    "right_variant": "misconceptions",
}


def __getattr__(name: str) -> Any:
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{HOME[name]}"), name)
