"""Multi-head attention: which numbers go to which head, and back."""

import numpy as np
import pytest

from course_lib.reference import (
    Projections,
    causal_mask,
    merge_heads,
    multi_head_attention,
    multi_head_weights,
    padding_mask,
    repeat_heads,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from tests.reference.helpers import close, random_projections


def test_heads_are_neighbouring_columns_of_the_same_token():  # A21: a bare reshape mixes tokens
    x = np.arange(24).reshape(1, 4, 6)
    heads = split_heads(x, 3)
    assert heads.shape == (1, 3, 4, 2)
    np.testing.assert_array_equal(heads[0, 0, 0], [0, 1])
    np.testing.assert_array_equal(heads[0, 2], [[4, 5], [10, 11], [16, 17], [22, 23]])


def test_merging_puts_the_heads_of_a_token_side_by_side():  # A22
    heads = np.arange(8).reshape(1, 2, 2, 2)  # head 0: tokens ab and cd; head 1: ef and gh
    np.testing.assert_array_equal(merge_heads(heads), [[[0, 1, 4, 5], [2, 3, 6, 7]]])


def test_merging_undoes_splitting_and_neither_changes_the_type():
    x = np.arange(2 * 3 * 5 * 7, dtype=np.float16).reshape(2, 3, 35)
    for num_heads in (1, 5, 7, 35):
        np.testing.assert_array_equal(merge_heads(split_heads(x, num_heads)), x, strict=True)


@pytest.mark.parametrize(
    ("width", "num_heads", "message"),
    [
        (1600, 48, "a width of 1600 can't be split into 48 heads: remainder 16"),
        (10, 3, "a width of 10 can't be split into 3 heads: remainder 1"),
        (10, 0, "a width of 10 can't be split into 0 heads"),
        (10, -2, "a width of 10 can't be split into -2 heads"),
    ],
)
def test_widths_that_do_not_split_evenly_are_refused(width, num_heads, message, refuses):  # A25
    with refuses(message):
        split_heads(np.ones((2, width)), num_heads)


def test_a_single_vector_is_not_split(refuses):
    with refuses("expected tokens of one width, (…, T, width), got shape (6,)"):
        split_heads(np.ones(6), 2)


def test_what_has_no_axis_for_heads_is_neither_merged_nor_repeated(refuses):
    for handle in (merge_heads, lambda x: repeat_heads(x, 4)):
        with refuses("expected heads of tokens, (…, H, T, d), got shape (5, 6)"):
            handle(np.ones((5, 6)))
    with refuses("4 query heads can't share 0 key heads evenly"):
        repeat_heads(np.ones((0, 5, 3)), 4)


def test_neighbouring_query_heads_share_a_key_head():  # E09: tiling would give 0, 1, 0, 1
    kv = np.array([0, 1]).reshape(1, 2, 1, 1)
    np.testing.assert_array_equal(repeat_heads(kv, 4), np.reshape([0, 0, 1, 1], (1, 4, 1, 1)))
    np.testing.assert_array_equal(repeat_heads(kv, 2), kv)
    np.testing.assert_array_equal(repeat_heads(kv[:, :1], 1), kv[:, :1])


@pytest.mark.parametrize(("num_heads", "remainder"), [(3, 1), (1, 1), (0, 0)])
def test_heads_that_can_t_be_shared_evenly_are_refused(num_heads, remainder, refuses):  # E11
    with refuses(f"{num_heads} query heads can't share 2 key heads evenly: remainder {remainder}"):
        repeat_heads(np.ones((2, 5, 3)), num_heads)


def by_hand(query, key, value, projections, num_heads, mask=None, num_kv_heads=None):
    """Document B's formula, one head after another, each with its columns of the matrices."""
    num_kv_heads = num_kv_heads or num_heads
    W_Q = np.split(projections.W_Q, num_heads, axis=1)
    W_K = np.split(projections.W_K, num_kv_heads, axis=1)
    W_V = np.split(projections.W_V, num_kv_heads, axis=1)
    heads = []
    for h in range(num_heads):
        g = h * num_kv_heads // num_heads
        q, k, v = query @ W_Q[h], key @ W_K[g], value @ W_V[g]
        heads.append(scaled_dot_product_attention(q, k, v, mask))
    return np.concatenate(heads, axis=-1) @ projections.W_O


@pytest.mark.claim("B11")
@pytest.mark.parametrize("num_kv_heads", [None, 6, 3, 2, 1])
def test_all_heads_at_once_equal_one_head_after_another(num_kv_heads):
    rng = np.random.default_rng(0)
    # Every width is another prime (A39, A40, A42, A45).
    q, k, v = rng.normal(size=(2, 5, 13)), rng.normal(size=(2, 7, 11)), rng.normal(size=(2, 7, 17))
    projections = random_projections(
        rng,
        num_heads=6,
        num_kv_heads=num_kv_heads,
        d_k=3,
        d_v=19,
        d_query=13,
        d_key=11,
        d_value=17,
        d_model=23,
    )
    mask = rng.random((5, 7)) < 0.7
    output = multi_head_attention(q, k, v, projections, 6, mask, num_kv_heads=num_kv_heads)
    assert output.shape == (2, 5, 23)
    close(output, by_hand(q, k, v, projections, 6, mask, num_kv_heads))


def test_scores_are_scaled_by_the_width_of_a_head_not_of_the_model():  # A17, A18
    x, eye = np.array([[2.0] * 8, [0.0] * 8]), np.eye(8)
    weights = multi_head_weights(x, x, Projections(eye, eye, eye, eye), 2)
    assert weights.shape == (2, 2, 2)
    for head in range(2):
        close(weights[head, 0], softmax(np.array([16 / 4**0.5, 0])))
    wrong = softmax(np.array([16 / 8**0.5, 0]))
    assert np.abs(weights[0, 0] - wrong).max() > 0.003


def test_the_weights_of_each_head_are_returned():  # A26
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3, 5, 8))
    projections = random_projections(rng, num_heads=4, d_k=2, d_v=7, d_query=8)
    weights = multi_head_weights(x, x, projections, 4, causal_mask(5))
    assert weights.shape == (3, 4, 5, 5)
    close(weights.sum(axis=-1), np.ones((3, 4, 5)))
    assert np.abs(weights[:, 0] - weights[:, 1]).max() > 0.1
    values = split_heads(x @ projections.W_V, 4)
    output = multi_head_attention(x, x, x, projections, 4, causal_mask(5))
    close(merge_heads(weights @ values) @ projections.W_O, output)


def test_a_mask_without_an_axis_for_heads_serves_all_of_them(as_a_user):  # A53: B = H = T
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3, 3, 6))
    projections = random_projections(rng, num_heads=3, d_k=2, d_v=2, d_query=6)
    mask = causal_mask(3) & padding_mask([3, 2, 1], 3)  # (B, T, S)
    weights = multi_head_weights(x, x, projections, 3, mask)
    everywhere = np.broadcast_to(mask[:, None], (3, 3, 3, 3))
    np.testing.assert_array_equal(weights > 0, everywhere)
    close(multi_head_weights(x, x, projections, 3, mask[:, None]), weights)
    close(multi_head_weights(x, x, projections, 3, everywhere), weights)
    close(multi_head_weights(x, x, projections, 3, mask.tolist()), weights)
    output = multi_head_attention(x, x, x, projections, 3, mask)
    close(multi_head_attention(x, x, x, projections, 3, everywhere), output)


def test_tokens_without_a_batch_may_have_a_mask_for_each_head():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3, 6))
    projections = random_projections(rng, num_heads=2, d_k=3, d_v=3, d_query=6)
    mask = np.stack([causal_mask(3), np.eye(3, dtype=bool)])
    weights = multi_head_weights(x, x, projections, 2, mask)
    np.testing.assert_array_equal(weights > 0, mask)
    shared = multi_head_weights(x, x, projections, 2, causal_mask(3))
    np.testing.assert_array_equal(shared > 0, np.stack([causal_mask(3)] * 2))


def test_a_sample_of_a_batch_does_not_depend_on_the_others():  # A31, A23
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 3, 8))
    projections = random_projections(rng, num_heads=2, d_k=4, d_v=4, d_query=8)
    both = multi_head_attention(x, x, x, projections, 2)
    for sample in range(2):
        alone = x[sample]
        close(multi_head_attention(alone, alone, alone, projections, 2), both[sample])


def test_a_padded_sequence_of_length_0_gives_zeros_and_no_nan():  # A08
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4, 5, 6))
    projections = random_projections(rng, num_heads=2, d_k=3, d_v=3, d_query=6)
    output = multi_head_attention(x, x, x, projections, 2, padding_mask(np.array([5, 3, 1, 0]), 5))
    assert np.isfinite(output).all()
    np.testing.assert_array_equal(output[3], np.zeros((5, 6)))
    assert (output[:3] != 0).all()


def test_integer_tokens_and_matrices_are_computed_with():
    x, eye = np.array([[1, 0], [0, 1]]), np.eye(2, dtype=int)
    output = multi_head_attention(x, x, x, Projections(eye, eye, eye, eye), 2)
    high = np.e / (np.e + 1)
    close(output, [[high, 0.5], [0.5, high]])


def test_misfits_are_refused_with_their_values(refuses):
    rng = np.random.default_rng(0)
    q, kv = rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 7, 8))
    p = random_projections(rng, num_heads=2, d_k=3, d_v=5, d_query=6, d_key=8, d_value=8)
    assert multi_head_attention(q, kv, kv, p, 2).shape == (2, 5, 6)
    with refuses("key of shape (2, 7, 6) can't be multiplied by W_K of shape (8, 6)"):  # A40
        multi_head_attention(q, kv[..., :6], kv, p, 2)
    with refuses("value of shape (2, 7, 6) can't be multiplied by W_V of shape (8, 10)"):
        multi_head_attention(q, kv, kv[..., :6], p, 2)
    with refuses("query of shape (2, 5, 8) can't be multiplied by W_Q of shape (6, 6)"):
        multi_head_weights(kv[:, :5], kv, p, 2)
    with refuses("the heads side by side of shape (2, 5, 10) can't be multiplied by W_O"):
        multi_head_attention(q, kv, kv, p._replace(W_O=np.ones((6, 6))), 2)
    with refuses("key has S = 7 but value has S = 6"):
        multi_head_attention(q, kv, kv[:, :6], p, 2)
    with refuses("key has batch axes (2, 2) but value has (1, 2)"):
        multi_head_attention(q, kv, kv[:1], p, 2)
    with refuses("query has d_k = 3 but key has d_k = 6"):
        multi_head_weights(q, kv, p, 2, num_kv_heads=1)
    for function in (multi_head_weights, multi_head_attention):
        inputs = (q, kv) if function is multi_head_weights else (q, kv, kv)
        with refuses("a width of 6 can't be split into 0 heads"):
            function(*inputs, p, 2, num_kv_heads=0)
        with refuses("attn_mask has shape (3, 1, 5, 7), but the scores have shape (2, 2, 5, 7)"):
            function(*inputs, p, 2, np.ones((3, 5, 7), bool))
