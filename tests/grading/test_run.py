"""Running checks: order, inputs, points, misconceptions, and what a learner reads of them."""

import re
from fractions import Fraction

import numpy as np
import pytest

from course_lib.grading.exercise import Exercise, find_exercise
from course_lib.grading.feedback import Report, show
from course_lib.grading.misconceptions import misconceptions_of
from course_lib.grading.notebook import report
from course_lib.grading.run import run_checks
from course_lib.grading.student import Student

CHECKS = '''
import numpy as np
from course_lib.grading import expect, hidden, points

@points("1/3", task="double")
def test_double_of_two(student):
    """Two becomes four."""
    expect(student.double(2.0), 4.0)

@points("2/3", task="double")
@hidden
def test_double_of_a_secret(student, rng):
    """Any number becomes twice as large."""
    x = rng.normal()
    expect(student.double(x), 2 * x)

@points(2, task="half")
def test_half_of_four(student):
    """Four becomes two."""
    assert student.half(4.0) == 2, "half of four is two"
'''
WRONG = """
from course_lib.grading import misconception

@misconception("double", caught_by="test_double_of_two", says="This looks like a square.")
def square(x):
    return x * x * x / 2 + 1e-12

@misconception("double", caught_by="test_double_of_two", says="This looks like adding one.")
def plus_one(x):
    return x + 1
"""


@pytest.fixture
def exercise(tmp_path, request):
    name = re.sub(r"\W", "_", request.node.name)
    folder = tmp_path / f"ex99_{name[-40:]}"
    folder.mkdir()
    (folder / "checks.py").write_text(CHECKS, encoding="utf-8")
    (folder / "misconceptions.py").write_text(WRONG, encoding="utf-8")
    return Exercise(folder)


def outcomes(exercise, namespace, **options):
    return run_checks(exercise, Student(namespace), **options)


RIGHT = {"double": lambda x: 2 * x, "half": lambda x: x / 2}


def test_outcomes_come_in_the_order_of_the_file_with_exact_points(exercise):  # I09, I26
    found = outcomes(exercise, RIGHT, phase="all")
    assert [o.check for o in found] == [
        "test_double_of_two",
        "test_double_of_a_secret",
        "test_half_of_four",
    ]
    assert [o.earned for o in found] == [Fraction(1, 3), Fraction(2, 3), 2]
    assert sum(o.earned for o in found) == 3


def test_points_of_visible_checks_stay_when_a_hidden_one_fails(exercise):  # I10
    only_two = RIGHT | {"double": lambda x: 4.0}
    found = outcomes(exercise, only_two, phase="all")
    assert [o.passed for o in found] == [True, False, True]
    assert sum(o.earned for o in found) == Fraction(7, 3)


def test_a_missing_function_costs_its_own_task_alone_and_the_total_stays(exercise):  # I05, I06
    found = outcomes(exercise, {"half": RIGHT["half"]}, phase="all")
    assert [o.passed for o in found] == [False, False, True]
    assert sum(o.worth for o in found) == 3


def test_one_task_can_be_checked_alone(exercise):
    assert [o.task for o in outcomes(exercise, RIGHT, task="half")] == ["half"]


def test_hidden_checks_are_listed_and_not_run_in_a_notebook(exercise):  # I49
    calls = []
    found = outcomes(exercise, RIGHT | {"double": lambda x: calls.append(x) or 2 * x})
    assert calls == [2.0]
    text = str(Report(found))
    assert "2 1/3 of 2 1/3 points; hidden checks for 2/3 more come when it is graded" in text
    assert "twice as large" not in text


def test_inputs_depend_on_the_secret_and_the_check_and_on_nothing_else(exercise):  # I22, I50
    def inputs(secret, task=None):
        seen = []
        keep = RIGHT | {"double": lambda x: seen.append(float(x)) or 2 * x}
        outcomes(exercise, keep, secret=secret, phase="all", task=task)
        return seen[-1]

    assert inputs("a") == inputs("a") == inputs("a", task="double")
    assert inputs("a") != inputs("b")


def test_a_failed_check_shows_its_case_and_names_the_mistake(exercise):  # I48
    text = str(report_of(exercise, RIGHT | {"double": lambda x: x + 1}))
    assert "✗ double: Two becomes four. (0 of 1/3)" in text
    assert "The values differ." in text
    assert "This looks like adding one." in text
    assert "double(2.0)" in text
    assert "got       3.0" in text
    assert "expected  4.0" in text


def report_of(exercise, namespace):
    return Report(outcomes(exercise, namespace))


def test_a_plain_assertion_shows_its_own_words(exercise):
    assert "half of four is two" in str(report_of(exercise, RIGHT | {"half": lambda x: x}))


def test_html_shows_the_learners_text_as_text(exercise):
    def double(x):
        raise ValueError("<script>alert(1)</script>")

    html = report_of(exercise, RIGHT | {"double": double})._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_a_check_that_is_itself_broken_is_no_fault_of_the_learner(exercise):
    exercise.checks.write_text(CHECKS.replace("2 * x)", "2 * y)"), encoding="utf-8")
    with pytest.raises(RuntimeError, match=r"are broken: .*test_double_of_a_secret: NameError"):
        outcomes(exercise, RIGHT, phase="all")


def test_a_name_that_numpy_lacks_is_no_fault_of_the_learner_either(exercise):
    right = 'assert student.half(4.0) == 2, "half of four is two"'
    slip = "got = student.half(4.0); np.ful(3, got)"
    exercise.checks.write_text(CHECKS.replace(right, slip), encoding="utf-8")
    with pytest.raises(RuntimeError, match="are broken: test_half_of_four: Attr"):
        outcomes(exercise, RIGHT)


def test_a_fixture_that_is_not_there_is_no_fault_of_the_learner_either(exercise):
    last = CHECKS.rindex("(student")
    slip = CHECKS[:last] + CHECKS[last:].replace("(student", "(studnet", 1)
    exercise.checks.write_text(slip, encoding="utf-8")
    with pytest.raises(RuntimeError, match=r"are broken: .*FixtureLookupError\('studnet'"):
        outcomes(exercise, RIGHT, phase="all")


IN_CLASSES = '''
from course_lib.grading import points

class TestDouble:
    @points(2, task="double")
    def test_of_four(self, student):
        """Four becomes eight."""
        assert student.double(4.0) == 8

class TestHalf:
    @points(3, task="half")
    def test_of_four(self, student):
        """Four becomes two."""
        assert student.half(4.0) == 2
'''


def test_checks_of_one_name_in_two_classes_are_two(exercise):
    exercise.checks.write_text(IN_CLASSES, encoding="utf-8")
    found = outcomes(exercise, RIGHT | {"half": lambda x: x})
    assert [(o.check, o.earned) for o in found] == [
        ("TestDouble::test_of_four", 2),
        ("TestHalf::test_of_four", 0),
    ]


def test_an_unknown_exercise_or_task_is_refused_with_those_that_exist():
    with pytest.raises(ValueError, match=r"no exercise 'ex99'; there are .*ex04"):
        find_exercise("ex99")
    with pytest.raises(ValueError, match=r"no task 'sofmax'; its tasks are softmax, scaled_scores"):
        report("ex04", {}, "sofmax")


STUMBLES = {
    "division": "1 / int(got)",
    "overflow": "10.0 ** int(999 + got)",
    "torch": "(_ for _ in ()).throw(RuntimeError)",
    "lookup": "{}[float(got)]",
}


@pytest.mark.parametrize("kind", STUMBLES)
def test_what_a_check_stumbles_over(exercise, kind):
    strange = f"    got = student.half(4.0)\n    got == 2 or ({STUMBLES[kind]})"
    right = '    assert student.half(4.0) == 2, "half of four is two"'
    exercise.checks.write_text(CHECKS.replace(right, strange), encoding="utf-8")
    found = outcomes(exercise, RIGHT | {"half": lambda x: 0})
    assert found[-1].reason == "What `half` returned has another form than was asked for."


@pytest.mark.parametrize("second", ["1 / 0", "None"])
def test_a_call_that_gives_nothing_is_not_explained_by_the_right_ones_before_it(exercise, second):
    """Of 2 and then 3: "adding one" is a mistake that gives the first result too."""
    twice = CHECKS.replace("student.double(2.0), 4.0", "student.double(1.0), 2.0").replace(
        "expect(student.double(1.0), 2.0)",
        "expect(student.double(1.0), 2.0)\n    expect(student.double(3.0), 6.0)",
    )
    exercise.checks.write_text(twice, encoding="utf-8")
    names: dict = {}
    exec(f"def double(x): return 2.0 if x == 1 else {second}", names)
    found = outcomes(exercise, names)
    assert (found[0].status, found[0].misconception) == ("failed", "")


def test_a_mistake_that_gives_no_numbers_is_not_compared_with_nan(exercise):
    wrong = WRONG.replace("return x + 1", "return 'one'")
    (exercise.folder / "misconceptions.py").write_text(wrong, encoding="utf-8")
    found = outcomes(exercise, RIGHT | {"double": lambda x: float("nan")})
    assert (found[0].status, found[0].misconception) == ("failed", "")


TWO_FUNCTIONS = '''
from course_lib.grading import expect, points

@points(1, task="double")
def test_half_and_double(student):
    """Half of four, and then its double."""
    expect(student.double(0.0), 0.0)
    expect(student.half(4.0), 2.0)
'''


def test_a_function_that_was_right_is_not_the_one_whose_mistake_is_named(exercise):
    exercise.checks.write_text(TWO_FUNCTIONS, encoding="utf-8")
    found = outcomes(exercise, {"double": lambda x: x * x, "half": lambda x: x})
    assert [(o.passed, o.misconception) for o in found] == [(False, "")]


@pytest.mark.parametrize("strange", ["1 / int(got)", "(_ for _ in ()).throw(CheckFailed('no'))"])
def test_nor_where_the_check_cannot_use_a_later_result(exercise, strange):
    more = f"""
from course_lib.grading import CheckFailed

@points(1, task="both")
def test_both(student):
    expect(student.double(2.0), 4.0)
    got = student.half(4.0)
    got == 2 or {strange}
"""
    exercise.checks.write_text(CHECKS + more, encoding="utf-8")
    found = outcomes(exercise, RIGHT | {"half": lambda x: 0})[-1]
    assert not found.passed
    assert found.misconception == ""


def test_values_are_shown_as_far_as_they_can_be_read():
    small, large = np.array([0.5, 2]), np.zeros((7, 11))
    assert show((small, 3)) == "([0.5, 2. ], 3)"
    assert show(large) == "array of shape (7, 11)"
    assert show((1, (small, (np.ones(5),)))) == "(1, ([0.5, 2. ], (array of shape (5,))))"
    assert show([[1.0], [2.0, 3.0]]) == "[[1.0], [2.0, 3.0]]"
    assert len(show([[small] * 10**6, [large] * 10**6])) < 500
    assert show(tuple(range(999))).endswith(" …")


def test_misconceptions_are_found_in_the_order_in_which_they_stand(exercise):
    assert [m.says for m in misconceptions_of(exercise.module("misconceptions"))] == [
        "This looks like a square.",
        "This looks like adding one.",
    ]
