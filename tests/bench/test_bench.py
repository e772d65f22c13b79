"""The benchmark compares things that give the same result, and tells apart what is slower."""

import numpy as np
import pytest
import torch

from course_lib.grading.exercise import find_exercise
from course_lib.grading.notebook import report
from course_lib.nn import MultiHeadAttention
from course_lib.reference import causal_mask, scaled_dot_product_attention
from tests.bench import checks, modules
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
