"""What every exercise promises: its points, its solution, its stubs, the mistakes it knows."""

from collections import Counter
from fractions import Fraction

import pytest

from course_lib.grading.cells import code_cells
from course_lib.grading.exercise import exercises
from course_lib.grading.feedback import Report, explanation
from course_lib.grading.notebook import silent
from course_lib.grading.run import run_checks
from course_lib.grading.running import run_cells
from course_lib.grading.student import Student
from tests.exercises.solutions import solved

EXERCISES = exercises()
every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
MISCONCEPTIONS = [(e, m) for e in EXERCISES for m in e.misconceptions]
VARIANTS = [
    (e, function)
    for e in EXERCISES
    for function in vars(e.module("misconceptions")).values()
    if hasattr(function, "right_variant_of")
]


def outcomes(exercise, namespace, **options):
    return run_checks(exercise, Student(namespace, exercise.shortcuts), **options)


def notebook(exercise, language="en"):
    return exercise.folder / f"{exercise.name}.{language}.ipynb"


@every_exercise
def test_the_points_add_up_to_exactly_ten(exercise):  # I09
    found = outcomes(exercise, {})
    assert sum((o.worth for o in found), Fraction(0)) == 10
    assert 2 <= len({o.task for o in found}) <= 5


@every_exercise
@pytest.mark.parametrize("secret", ["practice", "one", "another", "a third"])
def test_the_solution_gets_all_points_with_any_secret(exercise, secret):
    found = outcomes(exercise, solved(exercise), secret=secret, phase="all")
    assert [o.check for o in found if not o.passed] == []


@every_exercise
def test_the_untouched_notebook_gets_nothing_and_says_so_in_words(exercise):
    with silent():
        namespace, failed = run_cells(code_cells(notebook(exercise)))
    assert failed == []
    found = outcomes(exercise, namespace, phase="all")
    assert sum(o.earned for o in found) == 0
    for outcome in found:
        assert "is not written yet" in outcome.reason, outcome
    assert "Traceback" not in str(Report(found))


@every_exercise
def test_the_notebook_checks_each_task_and_has_a_stub_for_each_function(exercise):
    cells = code_cells(notebook(exercise))
    text = "\n".join(cells)
    for task in {o.task for o in outcomes(exercise, {})}:
        assert f'check("{exercise.name.split("_")[0]}", "{task}")' in text
    assert text.count("raise NotImplementedError") >= len(
        {m.replaces for m in exercise.misconceptions}
    )


@pytest.mark.parametrize(
    ("exercise", "wrong"),
    MISCONCEPTIONS,
    ids=[f"{e.name}-{m.function.__name__}" for e, m in MISCONCEPTIONS],
)
def test_a_misconception_loses_the_points_meant_for_it_and_is_named(exercise, wrong):
    namespace = solved(exercise, **{wrong.replaces: wrong.function})
    found = {o.check: o for o in outcomes(exercise, namespace, phase="all")}
    caught = found[wrong.caught_by]
    assert not caught.passed
    assert caught.misconception == wrong.says
    assert wrong.says in "\n".join(explanation(caught))


@every_exercise
def test_five_misconceptions_and_two_right_variants_are_known_for_each_task(exercise):
    task_of = {o.check: o.task for o in outcomes(exercise, {})}
    wrong = Counter(task_of[m.caught_by] for m in exercise.misconceptions)
    right = Counter(f.right_variant_of for e, f in VARIANTS if e is exercise)
    for task in set(task_of.values()):
        assert wrong[task] >= 5, (task, wrong[task])
    assert sum(right.values()) >= 2 * len(set(task_of.values()))


@pytest.mark.parametrize(
    ("exercise", "right"), VARIANTS, ids=[f"{e.name}-{f.__name__}" for e, f in VARIANTS]
)
def test_a_right_variant_gets_all_points(exercise, right):
    namespace = solved(exercise, **{right.right_variant_of: right})
    found = outcomes(exercise, namespace, phase="all")
    assert [(o.check, o.reason) for o in found if not o.passed] == []


@every_exercise
def test_a_report_shows_nothing_of_hidden_checks_but_their_points(exercise):  # I11, I49
    found = outcomes(exercise, {}, phase="all")
    shown = str(Report(found)) + Report(found)._repr_html_()
    for outcome in found:
        if outcome.is_hidden:
            assert outcome.title not in shown
            assert outcome.check not in shown
    assert str(exercise.folder) not in shown
