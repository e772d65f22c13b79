"""Masks: who may look where, and which masks are refused."""

import numpy as np
import pytest

from course_lib.reference import attention_weights, causal_mask, padding_mask
from tests.reference.helpers import close


def test_a_causal_mask_lets_each_token_look_back_and_at_itself():
    expected = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]], dtype=bool)
    np.testing.assert_array_equal(causal_mask(3), expected, strict=True)


def test_the_last_query_is_aligned_with_the_last_key():  # A13
    expected = np.array([[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]], dtype=bool)
    np.testing.assert_array_equal(causal_mask(2, 5), expected, strict=True)
    assert causal_mask(1, 5).all()


def test_more_queries_than_keys_leave_the_first_rows_empty():
    expected = np.array([[0, 0], [1, 0], [1, 1]], dtype=bool)
    np.testing.assert_array_equal(causal_mask(3, 2), expected, strict=True)


@pytest.mark.parametrize(("T", "S"), [(0, 0), (0, 5), (3, 0)])
def test_masks_of_no_tokens_are_empty(T, S):
    assert causal_mask(T, S).shape == (T, S)


@pytest.mark.parametrize(("T", "S"), [(-1, None), (-1, 3), (3, -1)])
def test_negative_sizes_are_refused(T, S, refuses):
    with refuses(f"expected T ≥ 0 and S ≥ 0, got {T} and {T if S is None else S}"):
        causal_mask(T, S)


def test_a_padding_mask_marks_the_real_tokens_of_each_sequence():  # A08
    expected = np.array([[[1, 1, 1]], [[1, 0, 0]], [[0, 0, 0]]], dtype=bool)
    np.testing.assert_array_equal(padding_mask(np.array([3, 1, 0]), 3), expected, strict=True)
    assert padding_mask(np.array([], dtype=int), 3).shape == (0, 1, 3)


@pytest.mark.parametrize("lengths", [[5, 6], [-1, 2]])
def test_lengths_outside_the_sequence_are_refused(lengths, refuses):
    with refuses(f"lengths must lie between 0 and S = 5, got {lengths}"):
        padding_mask(np.array(lengths), 5)


def test_a_table_of_real_tokens_is_not_taken_for_lengths(refuses):
    with refuses("one whole number for each sequence, got shape (2, 3) of dtype bool"):
        padding_mask(np.ones((2, 3), bool), 3)
    with refuses("one whole number for each sequence, got shape (2, 1) of dtype int64"):
        padding_mask(np.ones((2, 1), int), 3)
    with refuses("one whole number for each sequence, got shape (2,) of dtype float64"):
        padding_mask(np.array([1.5, 2]), 3)


def test_a_mask_of_floats_is_refused(refuses):  # A01, A29
    x = np.ones((2, 3))
    with refuses(
        "attn_mask must be boolean, True where a query may look, got dtype float64; numbers to "
        "add to the scores go in `bias`"
    ):
        attention_weights(x, x, np.ones((2, 2)))
    with refuses("got dtype int64"):
        attention_weights(x, x, np.ones((2, 2), int))


@pytest.mark.parametrize(
    "shape", [(), (5,), (7, 5), (1, 5), (3, 1), (2, 3, 5), (1, 1, 3, 5), (7, 3, 4), (5, 3)]
)
def test_masks_of_the_wrong_rank_or_size_are_refused(shape, refuses):  # A53
    q, k = np.ones((7, 3, 2)), np.ones((7, 5, 2))
    with refuses(
        f"attn_mask has shape {shape}, but the scores have shape (7, 3, 5): expected "
        "(T, S) = (3, 5) or one axis for each axis of the scores"
    ):
        attention_weights(q, k, np.ones(shape, bool))
    with refuses(f"bias has shape {shape}, but the scores have shape (7, 3, 5)"):
        attention_weights(q, k, bias=np.zeros(shape))


@pytest.mark.parametrize("shape", [(3, 5), (7, 3, 5), (7, 1, 5), (1, 3, 5), (7, 3, 1), (1, 1, 1)])
def test_masks_and_biases_that_fit_the_scores_are_taken(shape):
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(7, 3, 2)), rng.normal(size=(7, 5, 2))
    mask, bias = rng.random(shape) < 0.7, rng.normal(size=shape)
    everywhere = np.broadcast_to(mask, (7, 3, 5))
    weights = attention_weights(q, k, mask, bias=bias)
    close(weights, attention_weights(q, k, everywhere, bias=np.broadcast_to(bias, (7, 3, 5))))
    np.testing.assert_array_equal(weights > 0, everywhere)


def test_padding_of_as_many_sequences_as_tokens_hides_the_keys_of_its_own_sequence():  # A53
    x = np.random.default_rng(0).normal(size=(3, 3, 2))  # B = T = S
    weights = attention_weights(x, x, padding_mask(np.array([3, 2, 1]), 3))
    seen = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0]], dtype=bool)  # (B, S)
    for b in range(3):
        for t in range(3):
            np.testing.assert_array_equal(weights[b, t] > 0, seen[b])
    # The bare (B, S) table has the shape of a (T, S) mask, and is one: row t for every sequence.
    for weights_of_sequence in attention_weights(x, x, seen):
        np.testing.assert_array_equal(weights_of_sequence > 0, seen)


def test_a_causal_and_a_padding_mask_combine_to_hide_columns_and_no_rows():  # A07
    mask = causal_mask(5) & padding_mask(np.array([4]), 5)
    expected = np.tri(5, dtype=bool)
    expected[4, 4] = False
    np.testing.assert_array_equal(mask, expected[None], strict=True)
    assert mask.any(axis=-1).all()
