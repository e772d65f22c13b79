"""Cross-entropy with the next token: known values, what counts, and the gradient."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.reference import (
    cross_entropy,
    cross_entropy_gradient,
    distribution_cross_entropy,
    perplexity,
    smoothed_targets,
    softmax,
)
from tests.reference.helpers import close, numerical_gradient, vectors

PAD = -100


@st.composite
def batches(draw):
    """Logits of (B, T, V), targets of (B, T), some of them ignored."""
    B, T, V = draw(st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 5)))
    logits = draw(vectors(st.just((B, T, V)), 5))
    token = st.one_of(st.just(PAD), st.integers(0, V - 1))
    rows = st.lists(token, min_size=T, max_size=T)
    return logits, np.array(draw(st.lists(rows, min_size=B, max_size=B)))


def by_hand(logits, targets, label_smoothing=0.0):
    """The mean, one target after another, as the formula says it."""
    losses = []
    for index in np.ndindex(targets.shape):
        if targets[index] != PAD:
            p = np.exp(logits[index]) / np.exp(logits[index]).sum()
            wanted = -np.log(p[targets[index]])
            losses.append((1 - label_smoothing) * wanted - label_smoothing * np.log(p).mean())
    return np.mean(losses) if losses else 0.0


@pytest.mark.claim("B22")
@given(batches(), st.sampled_from([0.0, 0.1, 1.0]))
def test_the_loss_is_the_mean_over_the_targets_that_count(batch, smoothing):  # D12, D18
    logits, targets = batch
    loss = cross_entropy(logits, targets, ignore_index=PAD, label_smoothing=smoothing)
    close(loss, by_hand(logits, targets, smoothing), 1e-10)


def test_equal_logits_lose_the_logarithm_of_the_vocabulary():
    close(cross_entropy(np.zeros((2, 3, 7)), np.zeros((2, 3), int)), np.log(7))
    close(perplexity(np.log(7)), 7)


@pytest.mark.parametrize("ignored", [-1, PAD, 4])
def test_when_every_target_is_ignored_loss_and_gradient_are_0(ignored):  # D01
    for shape in ((1,), (2, 4)):
        logits, targets = np.ones((*shape, 3)), np.full(shape, ignored)
        assert cross_entropy(logits, targets, ignore_index=ignored) == 0.0
        gradient = cross_entropy_gradient(logits, targets, ignore_index=ignored)
        np.testing.assert_array_equal(gradient, np.zeros((*shape, 3)), strict=True)


def test_ignore_index_is_a_value_not_a_position():  # D03
    logits = np.random.default_rng(0).normal(size=(3, 7))
    ours = cross_entropy(logits, np.array([3, -1, 2]), ignore_index=-1)
    close(ours, (by_hand(logits[:1], np.array([3])) + by_hand(logits[2:], np.array([2]))) / 2)
    unignored = cross_entropy(logits, np.array([3, 5, 2]), ignore_index=-1)
    close(unignored, by_hand(logits, np.array([3, 5, 2])))


def test_a_negative_target_is_refused_unless_it_is_ignored(refuses):  # D03
    with refuses("target -1 is not among the V = 3 tokens"):
        cross_entropy(np.ones((2, 3)), np.array([0, -1]))
    with refuses("target -1 is not among the V = 3 tokens"):
        cross_entropy_gradient(np.ones((2, 3)), np.array([0, -1]), ignore_index=PAD)
    with refuses("target 3 is not among the V = 3 tokens"):
        cross_entropy(np.ones((2, 3)), np.array([0, 3]))
    with refuses("target -1 is not among the V = 3 tokens"):
        smoothed_targets(np.array([-1]), 3)


def test_probabilities_in_place_of_logits_never_reach_0():  # D04
    right = np.eye(3)
    floor = cross_entropy(right, np.arange(3))
    close(floor, np.log(np.e + 2) - 1)
    assert round(floor, 4) == 0.5514
    assert cross_entropy(100 * right, np.arange(3)) < 1e-40


def test_the_last_axis_is_the_vocabulary_even_where_all_axes_are_alike():  # D17, D18, D24
    rng = np.random.default_rng(0)
    logits, targets = rng.normal(size=(3, 3, 3)), rng.integers(3, size=(3, 3))
    flat = cross_entropy(logits.reshape(9, 3), targets.reshape(9))
    close(cross_entropy(logits, targets), flat)
    close(flat, by_hand(logits, targets))
    assert abs(cross_entropy(logits.swapaxes(1, 2), targets) - flat) > 0.01


def test_targets_of_another_shape_or_type_are_refused(refuses):
    with refuses("logits of shape (1, 3, 2) need targets of shape (1, 3), got (1, 2)"):  # D17
        cross_entropy(np.ones((1, 3, 2)), np.zeros((1, 2), int))
    with refuses("logits of shape () need targets of shape (), got ()"):
        cross_entropy(np.array(1.0), np.array(0))
    for targets in (np.array([0.0]), np.array([True])):
        with refuses(f"targets must be whole token numbers, got dtype {targets.dtype}"):
            cross_entropy(np.ones((1, 3)), targets)
    for smoothing in (-0.1, 1.1):
        with refuses(f"label_smoothing must lie in [0, 1], got {smoothing}"):
            cross_entropy(np.ones((1, 3)), np.array([0]), label_smoothing=smoothing)


def test_smoothing_spreads_over_all_tokens_the_target_included():
    close(smoothed_targets(np.array([1]), 4, 0.2), [[0.05, 0.85, 0.05, 0.05]])
    np.testing.assert_array_equal(smoothed_targets(np.array([1]), 3), [[0.0, 1, 0]], strict=True)


def test_without_smoothing_the_loss_is_plain_cross_entropy_to_the_bit():  # D12
    logits = np.random.default_rng(0).normal(size=(4, 5))
    targets = np.array([1, 2, PAD, PAD])
    plain = cross_entropy(logits[:2], targets[:2])
    assert cross_entropy(logits, targets, ignore_index=PAD, label_smoothing=0.0) == plain


@pytest.mark.claim("B23")
def test_the_loss_is_the_cross_entropy_of_the_two_distributions():
    logits = np.random.default_rng(0).normal(size=(4, 5))
    targets = np.array([1, 2, 0, 4])
    for smoothing in (0.0, 0.3):
        p_hat = smoothed_targets(targets, 5, smoothing)
        expected = distribution_cross_entropy(p_hat, softmax(logits)).mean()
        close(cross_entropy(logits, targets, label_smoothing=smoothing), expected)


def test_logits_of_ten_thousand_lose_twenty_thousand():
    logits = np.array([[1e4, -1e4]], np.float32)
    assert cross_entropy(logits, np.array([1])) == 2e4
    assert cross_entropy(logits, np.array([0])) == 0
    np.testing.assert_array_equal(cross_entropy_gradient(logits, np.array([1])), [[1.0, -1.0]])
    assert perplexity(2e4) == np.inf


def test_a_token_that_is_ruled_out_costs_nothing_unless_it_is_the_target():
    logits = np.array([[-np.inf, 0.0, 0.0]])
    close(cross_entropy(logits, np.array([1])), np.log(2))
    assert cross_entropy(logits, np.array([0])) == np.inf
    close(cross_entropy_gradient(logits, np.array([1])), [[0, -0.5, 0.5]])


def test_what_an_ignored_position_predicts_does_not_matter():
    logits = np.array([[np.nan, 0.0], [0.0, 0.0]])
    targets = np.array([PAD, 1])
    close(cross_entropy(logits, targets, ignore_index=PAD), np.log(2))
    gradient = cross_entropy_gradient(logits, targets, ignore_index=PAD)
    close(gradient, [[0, 0], [0.5, -0.5]])


@pytest.mark.claim("B24")
@given(batches(), st.sampled_from([0.0, 0.1]))
def test_the_gradient_agrees_with_finite_differences(batch, smoothing):
    logits, targets = batch
    options = {"ignore_index": PAD, "label_smoothing": smoothing}
    numerical = numerical_gradient(lambda z: cross_entropy(z, targets, **options), logits)
    close(cross_entropy_gradient(logits, targets, **options), numerical, 1e-8)


@pytest.mark.claim("B24")
@given(batches())
def test_the_gradient_is_p_minus_p_hat_and_moves_no_logit_in_total(batch):
    logits, targets = batch
    gradient = cross_entropy_gradient(logits, targets, ignore_index=PAD)
    close(gradient.sum(axis=-1), np.zeros(targets.shape))
    counted = targets != PAD
    p_hat = np.eye(logits.shape[-1])[targets[counted]]
    close(gradient[counted] * counted.sum(), softmax(logits[counted]) - p_hat)
    assert (gradient[~counted] == 0).all()


def test_one_prediction_without_a_batch_and_lists_are_taken(as_a_user):
    close(cross_entropy([0, 0], 1), np.log(2))
    close(cross_entropy_gradient([0, 0], 1), [0.5, -0.5])
    close(cross_entropy([[0, 0]], [1]), np.log(2))


def test_losses_of_several_batches_have_no_perplexity_before_they_are_averaged(refuses):
    with refuses("perplexity takes one loss, the mean over all targets, got shape (2,)"):
        perplexity(np.array([2.0, 6.0]))
    with refuses("got shape (1,)"):
        perplexity([2.0])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_loss_in_few_bits_has_the_same_perplexity(
    dtype, as_a_user
):  # e¹² passes 65504, the most in float16
    close(perplexity(dtype(12)), np.exp(12.0))
    close(perplexity(dtype(96)), np.exp(96.0))


def test_a_large_vocabulary_takes_no_square_table():
    assert smoothed_targets(np.array([49_999]), 50_000).argmax() == 49_999
