"""Why the scores are divided by √d_k."""

import numpy as np
import pytest

from course_lib import words
from course_lib.reference import (
    attention_scores,
    attention_weights,
    cosine_similarity,
    dot,
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
@pytest.mark.parametrize("d_k", [2, 16, 128, 1024])
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
