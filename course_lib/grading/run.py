"""Run the checks of an exercise with pytest, and keep what came of each."""

import hashlib
import hmac
import os
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from course_lib.grading.exercise import Exercise
from course_lib.grading.failures import UNUSABLE, CheckFailed, Mismatch
from course_lib.grading.misconceptions import recognise
from course_lib.grading.student import Call, Student

# Inputs in a notebook come from this word; an instructor's grading has a secret in its place.
PRACTICE = "practice"

# These collect garbage five times after each run, which takes long where PyTorch is loaded.
COLLECTING = ("unraisableexception", "threadexception")

# What a right check raises on a result of another form, such as two values in place of three.
UNUSABLE_RESULT = (
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    MemoryError,
)

RAN = (
    pytest.ExitCode.OK,
    pytest.ExitCode.TESTS_FAILED,
    pytest.ExitCode.NO_TESTS_COLLECTED,  # all of them hidden, or none of this task
)


@dataclass
class Outcome:
    """What came of one check."""

    check: str
    title: str
    task: str
    worth: Fraction
    is_hidden: bool
    status: str = "not run"
    reason: str = ""
    misconception: str = ""
    call: Call | None = None
    expected: Any = None

    @property
    def passed(self) -> bool:
        """Whether it ran and found nothing wrong."""
        return self.status == "passed"

    @property
    def earned(self) -> Fraction:
        """All of its points or none."""
        return self.worth if self.passed else Fraction(0)


def run_checks(
    exercise: Exercise,
    student: Student,
    *,
    task: str | None = None,
    secret: str = PRACTICE,
    phase: str = "visible",
) -> list[Outcome]:
    """Run an exercise's checks, those of one `task` alone if given, in the order of the file.

    `phase` says which: "visible", "hidden" or "all". The others are listed but not run.
    """
    plugin = _Plugin(exercise, student, task, secret, phase)
    # The folder above as the root gives each exercise's checks.py a module name of its own.
    options = ["--noconftest", "--import-mode=importlib", "-c", os.devnull]
    options += ["--rootdir", str(exercise.folder.parent)]
    for unneeded in ("terminal", "cacheprovider", "logging", "capture", *COLLECTING):
        options += ["-p", f"no:{unneeded}"]
    with pytest.MonkeyPatch.context() as alone:
        alone.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        alone.setenv("PYTEST_ADDOPTS", "")
        code = pytest.main([*options, str(exercise.checks)], plugins=[plugin])
    if code == pytest.ExitCode.INTERRUPTED and not plugin.broken:
        raise KeyboardInterrupt
    if code not in RAN or plugin.broken:
        raise RuntimeError(f"the checks of {exercise.name} are broken: {plugin.broken or code}")
    return plugin.outcomes


class _Plugin:
    """Hands `student` and `rng` to the checks, and turns pytest's reports into outcomes."""

    def __init__(self, exercise, student, task, secret, phase) -> None:
        self._exercise, self._student, self._task = exercise, student, task
        self._secret, self._phase = secret, phase
        self.outcomes: list[Outcome] = []
        self.broken = ""

    @pytest.fixture(name="student")
    def hand_student(self) -> Student:
        return self._student

    @pytest.fixture(name="rng")
    def hand_rng(self, request: pytest.FixtureRequest) -> np.random.Generator:
        """Fresh for each check, so that no check depends on the order of others."""
        name = f"{self._exercise.name}/{request.node.name}".encode()
        digest = hmac.new(self._secret.encode(), name, hashlib.sha256).digest()
        return np.random.default_rng(int.from_bytes(digest[:16]))

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "points(worth, task): what a check is worth")
        config.addinivalue_line("markers", "hidden: not run in the learner's notebook")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:  # a check with yield, say
            self.broken = str(report.longrepr).strip().splitlines()[-1]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        wanted = []
        for item in items:
            mark = item.get_closest_marker("points")
            if mark is None:
                self.broken = f"{_name(item)} has no points"
                continue
            outcome = _outcome(item, *mark.args)
            if self._task in (None, outcome.task):
                self.outcomes.append(outcome)
                if self._phase in ("all", "hidden" if outcome.is_hidden else "visible"):
                    wanted.append(item)
        items[:] = wanted

    def pytest_runtest_logstart(self) -> None:
        self._student.begin_check()  # also where a check asks for no student

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> None:
        """Note the outcome; the report itself is left to pytest."""
        error = call.excinfo.value if call.excinfo else None
        outcome = next(o for o in self.outcomes if o.check == _name(item))
        if isinstance(error, AssertionError):
            self._explain(outcome, error)
        elif isinstance(error, UNUSABLE_RESULT) and self._student.calls and not _is_ours(error):
            self._explain(outcome, CheckFailed(UNUSABLE, name=self._student.calls[-1].name))
        elif error is not None:
            self.broken = f"{_name(item)}: {error!r}"
        elif call.when == "call":
            outcome.status = "passed"

    def _explain(self, outcome: Outcome, error: AssertionError) -> None:
        calls = self._student.calls
        if calls and isinstance(error, CheckFailed):  # others that were called before were right
            calls = [call for call in calls if call.name == calls[-1].name]
        known = recognise(calls, self._exercise.misconceptions)
        outcome.misconception = known.says if known else ""
        outcome.status = "failed"
        if isinstance(error, CheckFailed):
            outcome.reason, outcome.status = error.sentence, error.status
        else:
            outcome.reason = str(error).splitlines()[0] if str(error) else outcome.title
        if isinstance(error, Mismatch):
            outcome.expected = error.expected
            outcome.call = self._student.calls[-1]


def _outcome(item: pytest.Item, worth: Fraction, task: str) -> Outcome:
    title = (item.function.__doc__ or item.name).strip().splitlines()[0]  # type: ignore[attr-defined]
    is_hidden = item.get_closest_marker("hidden") is not None
    return Outcome(_name(item), title, task, worth, is_hidden)


def _name(item: pytest.Item) -> str:
    """The function's name, behind that of its class if it has one."""
    return item.nodeid.partition("::")[2]


def _is_ours(error: Exception) -> bool:
    """Whether pytest or a module lacks what the check asks for, such as np.ful: no result does."""
    in_module = isinstance(error, AttributeError) and isinstance(error.obj, ModuleType)
    return in_module or isinstance(error, pytest.FixtureLookupError)
