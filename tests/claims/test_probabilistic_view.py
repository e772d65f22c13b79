"""B21: an attention weight as a posterior, the output as an expected value.

The posterior comes from Gaussian log-densities and Bayes' rule, with no softmax in between.
"""

import math

import numpy as np
import pytest

from course_lib import words
from course_lib.reference import (
    attention_weights,
    scaled_dot_product_attention,
    softmax,
    softmax_jacobian,
)

T, S, D_K, D_V = 7, 5, 11, 3
pytestmark = pytest.mark.claim("B21")


def posterior_by_bayes(prior, query, key, variance):
    """P(Z = j | q) when key j is picked with `prior` and Gaussian noise of `variance` is added."""
    d_k = key.shape[-1]
    squared = ((query[:, None] - key) ** 2).sum(axis=-1)
    log_density = -squared / (2 * variance) - d_k / 2 * math.log(2 * math.pi * variance)
    joint = prior * np.exp(log_density)
    return joint / joint.sum(axis=-1, keepdims=True)


def implied_prior(key):
    """π_j ∝ exp(‖k_j‖² / 2√d_k)."""
    unnormalised = np.exp((key**2).sum(axis=-1) / (2 * math.sqrt(key.shape[-1])))
    return unnormalised / unnormalised.sum()


@pytest.fixture
def rng():
    return np.random.default_rng(21)


@pytest.fixture
def equal_keys(rng):
    key = rng.normal(size=(S, D_K))
    return 3 * key / np.linalg.norm(key, axis=-1, keepdims=True)


@pytest.fixture
def queries(rng):
    return 2 * rng.normal(size=(T, D_K))


def test_weights_are_posteriors_of_equally_likely_keys_of_equal_length(equal_keys, queries):
    weights = attention_weights(queries, equal_keys)
    by_bayes = posterior_by_bayes(np.full(S, 1 / S), queries, equal_keys, math.sqrt(D_K))
    np.testing.assert_allclose(weights, by_bayes, rtol=0, atol=1e-12, strict=True)


@pytest.mark.parametrize("variance", [1.0, D_K**0.25, float(D_K)])
def test_no_other_variance_gives_the_weights(equal_keys, queries, variance):
    by_bayes = posterior_by_bayes(np.full(S, 1 / S), queries, equal_keys, variance)
    assert np.abs(attention_weights(queries, equal_keys) - by_bayes).max() > 0.05


def test_weights_over_keys_of_unequal_length_are_posteriors_under_the_prior_of_long_keys(
    equal_keys, queries
):
    key = np.linspace(0.5, 2, S)[:, None] * equal_keys
    weights = attention_weights(queries, key)
    by_bayes = posterior_by_bayes(implied_prior(key), queries, key, math.sqrt(D_K))
    np.testing.assert_allclose(weights, by_bayes, rtol=0, atol=1e-12, strict=True)
    fair = posterior_by_bayes(np.full(S, 1 / S), queries, key, math.sqrt(D_K))
    assert np.abs(weights - fair).max() > 0.05


def test_it_has_the_posterior_0_793_under_the_prior_0_650_and_0_674_under_a_fair_one():
    query, key = words.embed("it") @ words.W_Q, words.embed("cat", "car") @ words.W_K
    assert implied_prior(key).round(3).tolist() == [0.650, 0.350]
    by_bayes = posterior_by_bayes(implied_prior(key), query, key, math.sqrt(2))
    assert by_bayes.round(3).tolist() == [[0.793, 0.207]]
    np.testing.assert_allclose(by_bayes, attention_weights(query, key), atol=1e-12, strict=True)
    fair = posterior_by_bayes(np.full(2, 0.5), query, key, math.sqrt(2))
    assert fair.round(3).tolist() == [[0.674, 0.326]]


def test_a_prior_is_an_additive_bias_of_its_logarithm(equal_keys, queries):
    prior = softmax(np.arange(S, dtype=float))
    weights = attention_weights(queries, equal_keys, bias=np.log(prior)[None])
    by_bayes = posterior_by_bayes(prior, queries, equal_keys, math.sqrt(D_K))
    np.testing.assert_allclose(weights, by_bayes, rtol=0, atol=1e-12, strict=True)


def test_a_key_is_the_source_as_often_as_its_weight_says(rng, equal_keys):
    rounds = 100_000
    source = rng.integers(S, size=rounds)
    noise = math.sqrt(math.sqrt(D_K)) * rng.normal(size=(rounds, D_K))
    weights = attention_weights(equal_keys[source] + noise, equal_keys)
    hit = np.arange(S) == source[:, None]
    bins = np.digitize(weights, np.linspace(0, 1, 11)[1:-1])
    for b in range(10):
        inside = bins == b
        assert inside.sum() > 5000
        assert abs(hit[inside].mean() - weights[inside].mean()) < 0.02


def test_drawn_values_converge_to_the_output_with_the_root_of_their_number(
    rng, equal_keys, queries
):
    value = rng.normal(size=(S, D_V))
    weights = attention_weights(queries, equal_keys)
    output = scaled_dot_product_attention(queries, equal_keys, value)
    draws = 4 ** np.arange(1, 8)
    for alpha, expected in zip(weights, output, strict=True):
        misses = np.array(
            [
                np.linalg.norm(rng.multinomial(n, alpha, size=1000) / n @ value - expected, axis=-1)
                for n in draws
            ]
        )
        errors = np.sqrt((misses**2).mean(axis=-1))
        slope = np.polyfit(np.log(draws), np.log(errors), 1)[0]
        assert abs(slope + 0.5) < 0.03
        spread = alpha @ ((value - expected) ** 2).sum(axis=-1)
        np.testing.assert_allclose(errors, np.sqrt(spread / draws), rtol=0.1)


def test_the_derivative_of_the_output_is_the_covariance_of_value_and_key_over_root_d_k(rng):
    query, key, value = (rng.normal(size=s) for s in ((1, D_K), (S, D_K), (S, D_V)))
    alpha = attention_weights(query, key)[0]
    covariance = (alpha[:, None] * value).T @ key - np.outer(alpha @ value, alpha @ key)
    step = 1e-5 * np.eye(D_K)
    up = scaled_dot_product_attention(query + step, key, value)
    down = scaled_dot_product_attention(query - step, key, value)
    measured = ((up - down) / 2e-5).T  # (d_v, d_k)
    np.testing.assert_allclose(measured, covariance / math.sqrt(D_K), atol=1e-9, strict=True)


def test_the_second_derivative_of_logsumexp_is_the_covariance_of_the_pick(rng):
    scores = rng.normal(size=S)
    step = 1e-5 * np.eye(S)
    log_partition = np.log(np.exp(scores + step).sum(axis=-1))
    slope = (log_partition - np.log(np.exp(scores - step).sum(axis=-1))) / 2e-5
    np.testing.assert_allclose(slope, softmax(scores), atol=1e-9, strict=True)
    curvature = (softmax(scores + step) - softmax(scores - step)) / 2e-5
    np.testing.assert_allclose(curvature, softmax_jacobian(softmax(scores)), atol=1e-9, strict=True)
