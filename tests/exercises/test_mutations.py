"""A hundred random one-token changes of each solution: the checks catch at least 95 in 100."""

import ast
import random
import tomllib
from pathlib import Path

import pytest

from course_lib.grading.exercise import exercises
from course_lib.grading.run import run_checks
from course_lib.grading.student import Student
from tests.exercises.mutate import mutants

# Changes that change nothing, each with the reason: exercise → changed line → reason.
EQUIVALENT = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text(encoding="utf-8"))


def changed_line(solution: str, mutant: str) -> str:
    """The one line in which the two differ, as it is in the mutant."""
    pairs = zip(solution.splitlines(), mutant.splitlines(), strict=True)
    return next(after.strip() for before, after in pairs if before != after)


def survives(exercise, source: str) -> bool:
    """Whether the changed solution gets all points."""
    namespace: dict = {}
    try:
        exec(source, namespace)
    except Exception:
        return False
    student = Student(namespace, exercise.shortcuts)
    return all(o.passed for o in run_checks(exercise, student, phase="all"))


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
