"""What every exercise promises: its points, its solution, its stubs, the mistakes it knows."""

import html
import re
from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from course_lib.grading.cells import code_cells
from course_lib.grading.exercise import exercises
from course_lib.grading.feedback import Report, explanation, show
from course_lib.grading.notebook import silent
from course_lib.grading.run import run_checks
from course_lib.grading.running import run_cells
from course_lib.grading.student import Student
from tests.exercises.solutions import solved
from tools.setup_cell import ROOT

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
    found = {o.check: o for o in outcomes_of(exercise, wrong)}
    caught = found[wrong.caught_by]
    assert not caught.passed
    assert caught.misconception == wrong.says
    assert wrong.says in "\n".join(explanation(caught))


@cache
def outcomes_of(exercise, wrong):
    namespace = solved(exercise, **{wrong.replaces: wrong.function})
    return outcomes(exercise, namespace, phase="all")


@every_exercise
def test_no_report_shows_a_hidden_case_the_solution_or_a_path(exercise):  # I11, I48
    solution = (exercise.folder / "solution.py").read_text(encoding="utf-8")
    lines = {line.strip() for line in solution.splitlines() if len(line.strip()) > 15}
    cases = 0
    for wrong in exercise.misconceptions:
        found = outcomes_of(exercise, wrong)
        shown = str(Report(found)) + html.unescape(Report(found)._repr_html_())
        for secret in [o for o in found if o.is_hidden and o.call]:
            values = secret.expected, secret.call.result, *secret.call.arguments
            telling = {line for value in values for line in telling_lines(value)}
            cases += len(telling)
            assert [line for line in telling if line in shown] == []
        code = {line for line in lines if not line.startswith("def ")}
        assert [line for line in code if line in shown] == []
        for place in (str(ROOT), exercise.name, "checks.py", "Traceback"):
            assert place not in shown
    # Hidden results of ex08 are larger than what a report prints.
    assert cases > 10 or exercise.name == "ex08_masking"


def telling_lines(value):
    """The lines of a value as a report prints it, as far as they hold numbers drawn at random."""
    return [line for line in show(value).splitlines() if re.search(r"\d\.\d{3}", line)]


@every_exercise
def test_five_misconceptions_and_two_right_variants_are_known_for_each_task(exercise):
    task_of = {o.check: o.task for o in outcomes(exercise, {})}
    wrong = Counter(task_of[m.caught_by] for m in exercise.misconceptions)
    by_function = {m.replaces: task_of[m.caught_by] for m in exercise.misconceptions}
    right = Counter(by_function[f.right_variant_of] for e, f in VARIANTS if e is exercise)
    for task in set(task_of.values()):
        assert wrong[task] >= 5, (task, wrong[task])
        assert right[task] >= 2, (task, right[task])


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


DRAWING = """
import random, numpy, torch
for library in (random, numpy.random):
    library.seed(7)
torch.manual_seed(7)
print(random.random(), numpy.random.normal(), torch.randn(3))
"""


@every_exercise
def test_what_the_learner_draws_at_random_changes_no_result(exercise):  # I22, I23, I50
    def drawing(function):
        def draw_first(*arguments):
            exec(DRAWING)
            return function(*arguments)

        return draw_first

    namespace = solved(exercise)
    names = {m.replaces for m in exercise.misconceptions}
    drawn = {name: drawing(namespace[name]) for name in names}
    found = outcomes(exercise, namespace | drawn, phase="all")
    assert [o.check for o in found if not o.passed] == []


@pytest.mark.parametrize(
    ("name", "function", "source"),
    [
        ("ex04_scaling", "softmax", "torch.nn.functional.softmax(torch.tensor(x[0]), dim=-1)"),
        ("ex04_scaling", "softmax", "torch.nn.Softmax(dim=-1)(torch.tensor(x[0]))"),
        ("ex04_scaling", "softmax", "torch.tensor(x[0]).softmax(-1)"),
        ("ex04_scaling", "softmax", "torch.tensor(x[0]).log_softmax(-1).exp()"),
        ("ex04_scaling", "softmax", "torch.nn.functional.softmin(-torch.tensor(x[0]), dim=-1)"),
        ("ex01_embeddings", "cosine", "torch.cosine_similarity(*map(torch.tensor, x), dim=-1)"),
        ("ex07_transformer_block", "layer_norm", "torch.native_layer_norm(x[0], (4,), *x[1:])"),
        ("ex05_multi_head", "split_heads", "heads.split_heads(*x)"),
        ("ex03_query_key_value", "attention_weights", "attention.attention_weights(*x[:2])"),
    ],
)
def test_a_library_call_in_place_of_the_answer_is_refused(name, function, source):
    exercise = next(e for e in EXERCISES if e.name == name)
    namespace: dict = {}
    exec(
        "import torch\nfrom course_lib.reference import attention, multi_head as heads\n"
        f"def {function}(*x): return {source}",
        namespace,
    )
    for outcome in outcomes(exercise, namespace, task=function):
        assert outcome.is_hidden or "is what this exercise asks you to write" in outcome.reason


def test_a_function_that_changed_the_vocabulary_leaves_the_next_one_a_whole_one():
    exercise = next(e for e in EXERCISES if e.name == "ex01_embeddings")

    def embed(tokens, vocabulary, table):
        vocabulary += [token for token in tokens if token not in vocabulary]
        return table[[vocabulary.index(token) % len(table) for token in tokens]]

    assert not all(o.passed for o in outcomes(exercise, {"embed": embed}, task="embed"))
    found = outcomes(exercise, solved(exercise), task="embed", phase="all")
    assert all(o.passed for o in found)


def test_a_softmax_that_overflows_is_caught_and_told_why():  # I31
    exercise = next(e for e in EXERCISES if e.name == "ex04_scaling")

    def softmax(x):
        return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)

    found = {o.check: o for o in outcomes(exercise, {"softmax": softmax}, task="softmax")}
    failed = [name for name, o in found.items() if not o.passed]
    assert failed == ["test_softmax_of_large_numbers"]
    assert "exp(1000) is more than a float can hold" in found[failed[0]].misconception
