"""`check("ex04")` in a notebook."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from course_lib.grading.exercise import find_exercise
from course_lib.grading.feedback import Report
from course_lib.grading.run import run_checks
from course_lib.grading.student import Student

_silent = ContextVar("silent", default=False)


@contextmanager
def silent() -> Iterator[None]:
    """Let `check` do nothing, while a whole notebook is run to be checked once at its end."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


def check(exercise: str, task: str | None = None) -> None:
    """Show what the visible checks of an exercise, or of one task, say of your functions."""
    if not _silent.get():
        show_report(report(exercise, vars(sys.modules["__main__"]), task))


def report(exercise: str, namespace: Mapping[str, Any], task: str | None = None) -> Report:
    """The visible checks on the functions of `namespace`."""
    found = find_exercise(exercise)
    student = Student(namespace, found.shortcuts)
    outcomes = run_checks(found, student, task=task)
    if not outcomes:
        tasks = ", ".join(dict.fromkeys(o.task for o in run_checks(found, student)))
        raise ValueError(f"{exercise} has no task {task!r}; its tasks are {tasks}")
    return Report(outcomes)


def show_report(shown: Report) -> None:
    """As a table where there is a notebook, else as text."""
    shell = sys.modules.get("IPython")
    if shell is not None and shell.get_ipython() is not None:
        from IPython.display import display

        display(shown)
    else:
        print(shown)
