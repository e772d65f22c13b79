"""A hundred random one-token changes of each solution: the checks catch at least 95 in 100."""

import ast
import random
import signal
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from course_lib.grading.exercise import exercises, find_exercise
from course_lib.grading.run import run_checks
from course_lib.grading.student import Student
from tests.exercises.mutate import mutants
from tests.exercises.solutions import names_of

# Changes that change nothing, each with the reason: exercise → changed line → reason.
EQUIVALENT = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text(encoding="utf-8"))


def changed_line(solution: str, mutant: str) -> str:
    """The one line in which the two differ, as it is in the mutant."""
    pairs = zip(solution.splitlines(), mutant.splitlines(), strict=True)
    return next(after.strip() for before, after in pairs if before != after)


class TooLong(Exception):
    pass


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """`TooLong` in what runs after so much processor time, and again in what runs on after that."""

    def stop(*_):
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds / 10)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def survives(exercise, source: str, seconds: float = 10) -> bool:
    """Whether the changed solution gets all points, in a time that any solution needs."""
    try:
        namespace = names_of(source, exercise)
    except Exception:
        return False
    student = Student(namespace, exercise.shortcuts)
    with limited(seconds):
        return all(o.passed for o in run_checks(exercise, student, phase="all"))


def test_a_changed_solution_that_never_ends_is_caught():
    exercise = find_exercise("ex04")
    source = (exercise.folder / "solution.py").read_text(encoding="utf-8")
    assert survives(exercise, source)
    endless = source.replace("return np.diag(weights)", "while True: pass\n    return weights")
    assert endless != source
    assert not survives(exercise, endless, seconds=2)


@pytest.mark.parametrize("exercise", exercises(), ids=lambda e: e.name)
def test_the_checks_catch_almost_every_changed_token(exercise):
    source = (exercise.folder / "solution.py").read_text(encoding="utf-8")
    original = ast.unparse(ast.parse(source))
    known = EQUIVALENT.get(exercise.name, {})
    candidates = [m for m in mutants(source) if changed_line(original, m) not in known]
    drawn = random.Random(0).sample(candidates, min(100, len(candidates)))
    survivors = [changed_line(original, m) for m in drawn if survives(exercise, m)]
    caught = 1 - len(survivors) / len(drawn)
    print(f"{exercise.name}: {caught:.0%} of {len(drawn)} changes caught; {survivors}")
    assert caught >= 0.95, survivors
