"""The benchmark compares things that give the same result, and tells apart what is slower."""

import numpy as np
import pytest
import torch

from course_lib.grading.exercise import find_exercise
from course_lib.grading.notebook import report, silent
from course_lib.grading.run import run_checks
from course_lib.grading.running import run_cells
from course_lib.grading.student import Student
from course_lib.nn import MultiHeadAttention
from course_lib.reference import causal_mask, scaled_dot_product_attention
from tests.bench import _memory, _nbgrader, checks, grading, modules
from tests.bench.measure import compare
from tests.bench.reference import FORMS


@pytest.mark.parametrize("form", [form for form, _ in FORMS.values()])
@pytest.mark.parametrize("mask", [None, causal_mask(5, 7)])
def test_the_alternatives_compute_the_same_attention(form, mask):
    rng = np.random.default_rng(0)
    q, k, v = (rng.normal(size=(2, 3, *s)) for s in ((5, 11), (7, 11), (7, 13)))
    output = form(q, k, v, None if mask is None else ~mask)
    assert output.shape == (2, 3, 5, 13)
    np.testing.assert_allclose(output, scaled_dot_product_attention(q, k, v, mask), rtol=1e-12)


def test_ours_over_theirs_is_the_ratio_whichever_runs_first(monkeypatch):
    clock = 0.0

    def spend(seconds):
        nonlocal clock
        clock += seconds

    monkeypatch.setattr("tests.bench.measure.processor_seconds", lambda: clock)
    row = compare("slow", lambda: spend(3), "quick", lambda: spend(2), limit=1, repetitions=4)
    assert row == ("slow", "quick", 1.5, 1, 3000)


def test_attention_by_hand_computes_what_the_module_computes():
    layer = MultiHeadAttention(modules.D_MODEL, modules.NUM_HEADS)
    x = torch.randn(modules.B, modules.T, modules.D_MODEL)
    torch.testing.assert_close(modules.by_hand(layer, x), layer(x, is_causal=True))


def test_the_checks_are_timed_where_they_have_most_to_say():
    exercise = find_exercise("ex04")
    found = report("ex04", checks.all_wrong(exercise)).outcomes
    named = {o.task for o in found if o.misconception}
    assert named == {o.task for o in found}
    assert checks.seconds_of(exercise, {}, repetitions=1) > 0


def test_what_takes_long_by_the_clock_is_timed_by_the_clock():
    ticks = iter([0.0, 2.0, 2.0, 6.0] * 2)
    row = compare("a", int, "b", int, limit=1, repetitions=1, clock=lambda: next(ticks))
    assert row.ratio == 0.5


def test_nbgrader_gets_every_check_of_the_exercise_and_fails_what_ours_fails():
    exercise = find_exercise("ex04")
    solution, *tests = _nbgrader.notebook(exercise).cells
    assert sum(test.metadata.nbgrader.points for test in tests) == 10
    wrong = solution.source.replace("np.sqrt(query.shape[-1])", "query.shape[-1]")
    for source, count in ((solution.source, 0), (wrong, 4)):
        namespace, failed = {}, set()
        exec(source, namespace)
        for test in tests:
            try:
                exec(test.source, namespace)
            except AssertionError:
                failed.add(test.metadata.nbgrader.grade_id)
        outcomes = run_checks(exercise, Student(namespace), phase="all")
        assert failed == {outcome.check for outcome in outcomes if not outcome.passed}
        assert len(failed) == count


def test_without_nbgrader_the_row_says_so_and_marks_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(_nbgrader, "ENVIRONMENT", tmp_path / "a file" / "environment")
    (tmp_path / "a file").touch()
    row = grading.beside_nbgrader(find_exercise("ex04"), tmp_path / "class")
    assert "cannot be installed here" in row.compared_with
    assert not row.ratio > row.limit


def test_submissions_are_right_and_no_two_are_the_same(tmp_path):
    exercise = find_exercise("ex04")
    cells = [*grading.good_cells(exercise), grading.WITH_TORCH]
    folder = grading.hand_in(cells, 3, tmp_path)
    assert len({path.read_bytes() for path in folder.iterdir()}) == 3
    with silent():
        namespace, failed = run_cells(cells)
    assert failed == []
    assert all(outcome.passed for outcome in run_checks(exercise, Student(namespace), phase="all"))


def test_a_submission_more_costs_what_twice_as_many_take_longer(monkeypatch, tmp_path):
    clock = 0.0

    def graded(submissions, out):
        nonlocal clock
        clock += 7 + 0.25 * len(list(submissions.iterdir()))

    monkeypatch.setattr(grading, "graded", graded)
    monkeypatch.setattr(grading.time, "monotonic", lambda: clock)
    assert grading.marginal_seconds(["x = 1"], 5, tmp_path) == 0.25


def test_the_memory_that_is_counted_grows_with_what_is_held():
    before = _memory.resident()
    held = b"x" * 2**26
    assert _memory.resident() - before > len(held) / 2
