"""Checks of exercise 10: weights as probabilities, and what that makes computable."""

import numpy as np

from course_lib import reference
from course_lib.grading import expect, hidden, points

SHORTCUTS = {
    "posterior": ["course_lib.reference.attention_weights"],
    "implied_prior": [],
    "standard_error": [],
    "output_gradient": ["course_lib.reference.softmax_jacobian"],
}


def _posterior(query, keys, variance):
    """By attention: the lengths of the keys are taken back by a bias on the scores."""
    bias = -(keys**2).sum(axis=-1) / (2 * variance)
    bias = np.broadcast_to(bias, (len(query), len(keys)))
    return reference.attention_weights(query, keys, bias=bias, scale=float(1 / variance))


@points(1, task="posterior")
def test_three_keys_and_two_queries(student):
    """Two queries, three keys of different length, variance 3."""
    query, keys = np.array([[1.0, 0.5], [0.0, 2.0]]), np.array([[1.0, 1.0], [0.0, 3.0], [2.0, 0.0]])
    expect(student.posterior(query, keys, 3.0), _posterior(query, keys, 3.0))


@points(1, task="posterior")
@hidden
def test_the_posterior_of_many_keys(student, rng):
    """Three queries, seven keys, another variance."""
    query, keys = rng.normal(size=(3, 5)), rng.normal(size=(7, 5))
    variance = float(rng.uniform(0.5, 3))
    expect(student.posterior(query, keys, variance), _posterior(query, keys, variance))


@points("1/2", task="posterior")
def test_a_query_far_from_all_keys(student):
    """A query sixty away from every key, and one that is near: each has a posterior."""
    query, keys = np.array([[60.0, -5.0], [1.0, 2.0]]), np.array([[1.0, 1.0], [0.0, 3.0]])
    expect(student.posterior(query, keys, 1.5), _posterior(query, keys, 1.5))


@points("1/2", task="posterior")
def test_equal_lengths_give_attention(student, rng):
    """Keys of one length and variance √d_k: the posterior is what attention computes."""
    query, keys = rng.normal(size=(3, 5)), rng.normal(size=(7, 5))
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    expected = reference.attention_weights(query, keys)
    expect(student.posterior(query, keys, np.sqrt(5)), expected)


@points(1, task="implied_prior")
def test_the_prior_of_a_short_and_a_long_key(student):
    """Keys of squared length 2 and 9."""
    keys = np.array([[1.0, 1.0, 0.0], [2.0, 1.0, 2.0]])
    expected = reference.softmax(np.array([2.0, 9.0]) / (2 * np.sqrt(3)))
    expect(student.implied_prior(keys), expected)


@points(1, task="implied_prior")
@hidden
def test_the_prior_turns_the_posterior_into_attention(student, rng):
    """Posterior odds times prior odds are attention's odds."""
    keys, query = rng.normal(size=(7, 5)), rng.normal(size=(1, 5))
    attention = reference.attention_weights(query, keys)[0]
    unweighted = attention / _posterior(query, keys, np.sqrt(5))[0]
    expect(student.implied_prior(keys), unweighted / unweighted.sum())


def _error(weights, values, draws):
    distances = np.linalg.norm(values - weights @ values, axis=-1)
    return np.sqrt(weights @ distances**2 / draws)


@points(1, task="standard_error")
def test_the_error_of_four_draws(student):
    """Weights 0.5, 0.3, 0.2 and four draws."""
    weights, values = np.array([0.5, 0.3, 0.2]), np.array([[1.0, 0.0], [3.0, 2.0], [0.0, 5.0]])
    expect(student.standard_error(weights, values, 4), _error(weights, values, 4))


@points(1, task="standard_error")
@hidden
def test_the_error_of_many_draws(student, rng):
    """Other weights, values and numbers of draws."""
    weights, values = reference.softmax(rng.normal(size=7)), rng.normal(size=(7, 3))
    draws = int(rng.integers(2, 1000))
    expect(student.standard_error(weights, values, draws), _error(weights, values, draws))


@points("1/2", task="standard_error")
def test_a_certain_draw_has_no_error(student):
    """All weight on one key: every draw is the output."""
    weights, values = np.array([0.0, 1.0]), np.array([[1.0, 0.0], [3.0, 2.0]])
    expect(student.standard_error(weights, values, 9), 0.0)


def _gradient(query, keys, values):
    """By small steps in each entry of the query."""
    columns = []
    for step in 1e-6 * np.eye(len(query)):
        high, low = (
            reference.scaled_dot_product_attention((query + s)[None], keys, values)[0]
            for s in (step, -step)
        )
        columns.append((high - low) / 2e-6)
    return np.stack(columns, axis=-1)


@points("3/2", task="output_gradient")
def test_the_gradient_of_two_keys(student):
    """Two keys of width 3 with values of width 2."""
    query, keys = np.array([1.0, 0.0, 2.0]), np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 1.0]])
    values = np.array([[3.0, 1.0], [0.0, 2.0]])
    expect(student.output_gradient(query, keys, values), _gradient(query, keys, values))


@points(1, task="output_gradient")
@hidden
def test_the_gradient_of_many_keys(student, rng):
    """Seven keys, all widths different."""
    query, keys, values = rng.normal(size=5), rng.normal(size=(7, 5)), rng.normal(size=(7, 3))
    expect(student.output_gradient(query, keys, values), _gradient(query, keys, values))
