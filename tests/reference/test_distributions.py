"""Entropy, cross-entropy, KL: known values, the identity between them, what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.reference import distribution_cross_entropy, entropy, kl_divergence, softmax
from tests.reference.helpers import close, vectors

two_distributions = (
    st.integers(1, 7).flatmap(lambda n: vectors(st.just((2, 3, n)), 20)).map(softmax)
)


def test_entropy_of_a_fair_choice_is_the_logarithm_of_its_size():
    close(entropy(np.full(8, 1 / 8)), np.log(8))
    close(entropy(np.array([[0.5, 0.5, 0], [1, 0, 0]])), [np.log(2), 0])


def test_a_certain_outcome_has_entropy_0_and_not_minus_0():
    assert not np.signbit(entropy(np.array([1, 0])))


def test_the_divergence_of_a_known_pair_is_not_symmetric():  # D07
    p, q = np.array([0.5, 0.5]), np.array([0.9, 0.1])
    close(kl_divergence(p, q), 0.5 * np.log(0.5 / 0.9) + 0.5 * np.log(0.5 / 0.1))
    assert kl_divergence(p, q).round(4) == 0.5108
    assert kl_divergence(q, p).round(4) == 0.3681


@pytest.mark.claim("B23", "E10")
@given(two_distributions)
def test_cross_entropy_is_entropy_plus_divergence(pair):
    p, q = pair
    close(distribution_cross_entropy(p, q), entropy(p) + kl_divergence(p, q), 1e-9)


@given(two_distributions)
def test_the_divergence_is_never_negative_and_0_from_itself(pair):  # Gibbs, D06
    p, q = pair
    assert (kl_divergence(p, q) >= 0).all()
    np.testing.assert_array_equal(kl_divergence(p, p), np.zeros(3), strict=True)
    # Pinsker: far apart in total means far apart in divergence.
    assert (kl_divergence(p, q) >= np.abs(p - q).sum(axis=-1) ** 2 / 2 - 1e-12).all()


def test_small_divergences_keep_their_digits():  # the difference CE - H would lose them
    p, q = np.array([0.5, 0.5]), np.array([0.5 + 1e-7, 0.5 - 1e-7])
    np.testing.assert_allclose(kl_divergence(p, q), 2e-14, rtol=0.05)


def test_an_outcome_that_q_rules_out_costs_infinitely_much():  # D10
    p, q = np.array([[0.5, 0.5], [0, 1]]), np.array([[0.0, 1.0], [0, 1]])
    np.testing.assert_array_equal(kl_divergence(p, q), [np.inf, 0.0], strict=True)
    np.testing.assert_array_equal(distribution_cross_entropy(p, q), [np.inf, 0.0], strict=True)


def test_smoothed_targets_against_exact_zeros_are_infinite_and_against_logits_finite():  # D10
    target = np.full(5, 0.1 / 5) + 0.9 * np.eye(5)[2]
    assert kl_divergence(target, np.array([0, 0.2, 0.7, 0.1, 0])) == np.inf
    assert kl_divergence(target, softmax(np.array([-50, 0.2, 0.7, 0.1, -50]))) < 100


@pytest.mark.parametrize("function", [distribution_cross_entropy, kl_divergence])
def test_what_is_no_distribution_is_refused(function, refuses):  # D06, D08
    fair = np.array([0.5, 0.25, 0.25])
    for name, arguments in (("p", ([0.154, 0.051, 0.095], fair)), ("q", (fair, [0.3, 0, 0]))):
        with refuses(f"{name} must be a distribution: smallest entry"):
            function(*arguments)
    with refuses("smallest entry 0.5, sums from 1.001 to 1.001"):
        function([0.5, 0.501], [0.5, 0.5])
    with refuses("smallest entry 0.051, sums from 0.3 to 0.3"):
        function([0.154, 0.051, 0.095], fair)
    with refuses("smallest entry -0.5, sums from 1 to 1"):
        function(fair, [1.5, -0.5, 0])
    with refuses("p must be a distribution: smallest entry nan"):
        function([np.nan, 0.5, 0.5], fair)
    with refuses("q must be a distribution"):  # logarithms in place of probabilities
        function(fair, np.log(fair))
    with refuses("over the same outcomes, got shapes (3,) and (1, 3)"):
        function(fair, fair[None])
    for nothing in (np.ones(0), np.ones((3, 0)), np.array(1.0)):
        with refuses(f"over the same outcomes, got shapes {nothing.shape} and {nothing.shape}"):
            function(nothing, nothing)


def test_rounding_of_the_sum_is_forgiven(as_a_user):
    p, q = [0.33335, 0.3334, 0.3333], [0.3333, 0.3333, 0.33335]  # sums 1.00005 and 0.99995
    assert 0 <= kl_divergence(p, q) < 1e-3


def test_rounding_never_makes_a_divergence_negative():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(1000, 3))
    p, q = softmax(z), softmax(z + 1e-9 * rng.normal(size=(1000, 3)))
    unguarded = (p * (np.log(p) - np.log(q))).sum(axis=-1)
    assert unguarded.min() < 0
    assert kl_divergence(p, q).min() == 0


def test_no_distributions_give_no_numbers():
    assert kl_divergence(np.ones((0, 3)), np.ones((0, 3))).shape == (0,)
