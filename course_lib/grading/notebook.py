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
from course_lib.messages import LANGUAGES, Text, translated

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
    """The visible checks on the functions of `namespace`, in the language of its `LANGUAGE`."""
    found = find_exercise(exercise)
    student = Student(namespace, found.shortcuts)
    outcomes = run_checks(found, student, task=task)
    if not outcomes:
        tasks = ", ".join(dict.fromkeys(o.task for o in run_checks(found, student)))
        wrong = Text(
            "{exercise} has no task {task}; its tasks are {tasks}",
            exercise=exercise,
            task=repr(task),
            tasks=tasks,
        )
        raise ValueError(translated(wrong, language_of(namespace)))
    return Report(outcomes, language_of(namespace))


def language_of(namespace: Mapping[str, Any]) -> str:
    """What the notebook's first cell says, if that is a language that the course speaks."""
    language = namespace.get("LANGUAGE")
    return language if isinstance(language, str) and language in LANGUAGES else "en"


def show_report(shown: Report) -> None:
    """As a table where there is a notebook, else as text."""
    shell = sys.modules.get("IPython")
    if shell is not None and shell.get_ipython() is not None:
        from IPython.display import display

        display(shown)
    else:
        print(shown)
