"""Why the scores are divided by √d_k."""

import math
from functools import partial

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from course_lib import nn, words
from course_lib.reference import (
    attention_scores,
    attention_weights,
    cosine_similarity,
    dot,
    scaled_dot_product_attention,
    softmax_jacobian,
)
from tests.reference.helpers import close


@pytest.mark.claim("A15")
def test_without_the_division_the_weights_are_sharper():
    query = words.embed("it") @ words.W_Q
    keys = words.embed("cat", "car") @ words.W_K
    np.testing.assert_array_equal(attention_weights(query, keys).round(3), [[0.793, 0.207]])
    undivided = attention_weights(query, keys, scale=1)
    np.testing.assert_array_equal(undivided.round(3), [[0.870, 0.130]])


@pytest.mark.claim("A16")
def test_the_root_at_real_sizes():
    """A sum of d ones is divided by √d, so √d is what remains."""
    for d, printed in ((64, 8.0), (512, 22.6)):
        ones = np.ones((1, d))
        assert attention_scores(ones, ones).round(1).item() == printed


@pytest.mark.claim("B6", "E11")
def test_a_score_is_both_norms_times_a_cosine():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 100, 7))
    norms = np.linalg.norm(q, axis=1) * np.linalg.norm(k, axis=1)
    close(dot(q, k), norms * cosine_similarity(q, k))
    close(attention_scores(q, k, scale=1).diagonal(), dot(q, k))
    # A longer key scores more, for the cosine it is the same key.
    close(dot(q, 3 * k), 3 * dot(q, k))
    close(cosine_similarity(q, 3 * k), cosine_similarity(q, k))


@pytest.mark.claim("B8")
@pytest.mark.parametrize("d_k", [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
def test_scores_have_variance_d_k_and_after_the_division_1(d_k):
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 200, d_k))
    np.testing.assert_allclose(attention_scores(q, k, scale=1).var(), d_k, rtol=0.1)
    np.testing.assert_allclose(attention_scores(q, k).var(), 1, rtol=0.1)


@pytest.mark.claim("B8")
def test_numbers_that_are_not_normal_do_as_well():
    rng = np.random.default_rng(0)
    q, k = rng.choice([-1.0, 1.0], size=(2, 200, 64))
    np.testing.assert_allclose(attention_scores(q, k).var(), 1, rtol=0.1)


def jacobian_norm(d_k, scale):
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(100, d_k)), rng.normal(size=(11, d_k))
    jacobians = softmax_jacobian(attention_weights(q, k, scale=scale))
    return np.linalg.norm(jacobians, axis=(1, 2)).mean()


@pytest.mark.claim("A17", "B9")
def test_without_the_division_softmax_saturates_and_passes_no_gradient():
    widths = 4, 64, 1024
    scaled = [jacobian_norm(d, None) for d in widths]
    unscaled = [jacobian_norm(d, 1.0) for d in widths]
    assert unscaled[0] > 2 * unscaled[1] > 4 * unscaled[2]
    assert min(scaled) > 0.7 * max(scaled)
    assert scaled[2] > 5 * unscaled[2]


@pytest.mark.claim("A17", "B9")
def test_the_division_does_not_change_which_key_wins():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(100, 64)), rng.normal(size=(11, 64))
    np.testing.assert_array_equal(
        attention_weights(q, k).argmax(axis=1), attention_weights(q, k, scale=1.0).argmax(axis=1)
    )


@pytest.mark.claim("B8")
@pytest.mark.parametrize("rho", [0.0, 0.5])
def test_a_query_correlated_with_its_key_scores_as_the_root_of_the_width(rho):
    """Independence is what the variance of 1 rests on; training is what removes it."""
    rng = np.random.default_rng(0)
    for d_k in (16, 64, 256):
        q, other = rng.normal(size=(2, 4000, d_k))
        k = rho * q + math.sqrt(1 - rho**2) * other
        scores = attention_scores(q[:, None], k[:, None]).ravel()
        np.testing.assert_allclose(scores.mean(), rho * math.sqrt(d_k), atol=0.1)
        np.testing.assert_allclose(scores.var(), 1 + rho**2, rtol=0.1)


@pytest.mark.claim("B8")
def test_entries_that_depend_on_each_other_give_the_trace_of_the_covariances():
    rng = np.random.default_rng(0)
    mix_q, mix_k = rng.normal(size=(2, 13, 13))
    q, k = rng.normal(size=(2, 20_000, 13))
    scores = attention_scores((q @ mix_q)[:, None], (k @ mix_k)[:, None], scale=1)
    expected = np.trace(mix_q.T @ mix_q @ mix_k.T @ mix_k)
    assert abs(expected / 13 - 1) > 1  # far from what independent entries would give
    np.testing.assert_allclose(scores.var(), expected, rtol=0.1)


@pytest.mark.claim("A17", "B9")
def test_a_key_that_should_be_found_is_pulled_only_with_the_division():
    """The slope of a key's weight in its own score, for a typical query of width 256."""
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(500, 256)), rng.normal(size=(17, 256))
    slopes = {
        scale: softmax_jacobian(attention_weights(q, k, scale=scale))[:, 0, 0]
        for scale in (None, 1)
    }
    assert np.median(slopes[None]) > 0.01
    assert np.median(slopes[1]) < 1e-6


@pytest.mark.claim("A17")
def test_a_smaller_query_matrix_computes_without_the_division_what_the_division_computes():
    rng = np.random.default_rng(0)
    x, memory = rng.normal(size=(2, 5, 13)), rng.normal(size=(2, 11, 13))
    w_q, w_k, w_v = rng.normal(size=(13, 7)), rng.normal(size=(13, 7)), rng.normal(size=(13, 3))
    divided = scaled_dot_product_attention(x @ w_q, memory @ w_k, memory @ w_v)
    smaller = w_q / math.sqrt(7)
    close(scaled_dot_product_attention(x @ smaller, memory @ w_k, memory @ w_v, scale=1), divided)


def lookup_losses(*, scale, start=1.0, lr=0.1, steps=60, d_k=256):
    """Losses of one head that learns by SGD which of 16 keys belongs to which of 16 queries."""
    draw = partial(torch.randn, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    asking, shown = draw(2, 16, d_k)
    matrices = [(start * draw(d_k, d_k) / math.sqrt(d_k)).requires_grad_() for _ in "QK"]
    optimiser = torch.optim.SGD(matrices, lr=lr)
    losses = []
    for _ in range(steps):
        q, k = asking @ matrices[0], shown @ matrices[1]
        found = nn.scaled_dot_product_attention(q, k, 4 * torch.eye(16, dtype=q.dtype), scale=scale)
        loss = F.cross_entropy(found, torch.arange(16))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return np.array(losses)


@pytest.mark.claim("A17", "B9")
def test_a_wide_head_learns_a_lookup_with_the_division_and_stalls_without():
    lowest = math.log(math.e**4 + 15) - 4
    assert lookup_losses(scale=None)[-1] < lowest + 0.1
    for lr in (0.01, 0.1, 1.0):
        assert lookup_losses(scale=1.0, lr=lr)[-1] > lowest + 1


@pytest.mark.claim("A17")
def test_under_sgd_the_division_is_a_smaller_start_and_a_smaller_step():
    d_k, quarter = 81, 3.0
    divided = lookup_losses(scale=None, d_k=d_k)
    folded = lookup_losses(scale=1.0, start=1 / quarter, lr=0.1 / quarter**2, d_k=d_k)
    assert divided[0] > 2 * divided[-1]
    close(folded, divided, tolerance=1e-6)
