"""A sandbox for the small exercise beside this file, and `graded`, which makes a record in it."""

from pathlib import Path

import pytest

from course_lib.grading.exercise import Exercise
from course_lib.grading.grade import grade
from course_lib.grading.limits import Limits
from course_lib.grading.sandbox.choice import sandboxes
from course_lib.grading.sandboxed import SandboxedStudent
from tests.grading.hostile.files import DONE, write

LIMITS = Limits(call_seconds=5, cell_seconds=3, submission_seconds=60, megabytes=1024)
SECRET = "a word of the instructor's"
TIERS = ("forked bubblewrap", "bubblewrap")
in_both_tiers = pytest.mark.parametrize("tier", TIERS, indirect=True)


def a_student(sandbox, *cells, limits=LIMITS):
    """Somebody whose functions a test asks for what they return, as a check does."""
    student = SandboxedStudent(list(cells), {}, sandbox, limits, lambda _: limits.call_seconds)
    student.begin_check()
    return student


@pytest.fixture(scope="session")
def small_exercise():
    return Exercise(Path(__file__).parent)


@pytest.fixture(scope="session")
def tier(request):
    return getattr(request, "param", TIERS[0])


@pytest.fixture(scope="session")
def sandbox(small_exercise, tier):
    with sandboxes(tier, [small_exercise]) as by_name:
        yield by_name[small_exercise.name]


@pytest.fixture
def graded(small_exercise, sandbox):
    def graded(*cells, secret=SECRET, exercise=small_exercise):
        return grade(list(cells), "0" * 64, exercise, sandbox, secret, LIMITS)

    return graded


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "in" / "kim.ipynb", DONE)
    return tmp_path / "in"
