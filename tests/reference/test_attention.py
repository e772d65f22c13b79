"""Scaled dot-product attention against its definition, and at every edge."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.reference import (
    attention_scores,
    attention_weights,
    causal_mask,
    scaled_dot_product_attention,
    softmax,
)
from tests.reference.helpers import close, vectors


@st.composite
def queries_keys_values(draw):
    """Arrays of T, S, d_k and d_v from 1 to 5, now and then the same."""
    T, S, d_k, d_v = draw(st.tuples(*[st.integers(1, 5)] * 4))
    shapes = (T, d_k), (S, d_k), (S, d_v)
    return tuple(draw(vectors(st.just(shape), 30)) for shape in shapes)


def random_inputs(*batch, T=3, S=5, d_k=7, d_v=11, seed=0):
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=(*batch, *s)) for s in ((T, d_k), (S, d_k), (S, d_v)))


def test_scores_are_dot_products_over_the_root_of_d_k():
    q, k, _ = random_inputs(2)
    scores = attention_scores(q, k)
    assert scores.shape == (2, 3, 5)
    for b, i, j in np.ndindex(scores.shape):
        close(scores[b, i, j], sum(q[b, i, n] * k[b, j, n] for n in range(7)) / 7**0.5)


def test_the_score_of_ones_of_width_4_is_2():  # A20: multiplied by the root it would be 8
    ones = np.ones((1, 4), dtype=int)
    np.testing.assert_array_equal(attention_scores(ones, ones), [[2.0]], strict=True)
    np.testing.assert_array_equal(attention_scores(ones, ones, scale=3.0), [[12.0]], strict=True)
    np.testing.assert_array_equal(attention_scores(ones, ones, scale=0.0), [[0.0]], strict=True)


def test_the_output_is_each_query_s_average_of_the_values():
    q, k, v = random_inputs(2)
    output = scaled_dot_product_attention(q, k, v)
    assert output.shape == (2, 3, 11)
    for b, i in np.ndindex(2, 3):
        exponentials = [np.exp(q[b, i] @ k[b, j] / 7**0.5) for j in range(5)]
        mixed = sum(e * v[b, j] for j, e in enumerate(exponentials)) / sum(exponentials)
        close(output[b, i], mixed)


def test_scale_mask_and_bias_reach_the_output():
    q, k, v = random_inputs(2)
    mask = np.random.default_rng(1).random((2, 3, 5)) < 0.6
    bias = np.random.default_rng(2).normal(size=(3, 5))
    weights = attention_weights(q, k, mask, bias=bias, scale=0.3)
    scores = np.where(mask, 0.3 * q @ k.swapaxes(1, 2) + bias, -np.inf)
    close(weights, softmax(scores))
    output = scaled_dot_product_attention(q, k, v, mask, bias=bias, scale=0.3)
    close(output, weights @ v)


def test_a_query_that_may_see_nothing_gets_zeros():  # A01, A02, A08, A51
    q, k, v = random_inputs(T=5, S=2)
    output = scaled_dot_product_attention(q, k, v, causal_mask(5, 2))
    assert (output[:3] == 0).all()
    assert (output[3:] != 0).all()


def test_queries_in_the_visible_block_attend_as_if_the_rest_were_not_there():  # A01
    q, k, v = random_inputs(1, 1, T=8, S=8)
    block = np.zeros((8, 8), bool)
    block[:4, :4] = True
    output = scaled_dot_product_attention(q, k, v, block)
    assert (output[:, :, 4:] == 0).all()
    seen = scaled_dot_product_attention(q[:, :, :4], k[:, :, :4], v[:, :, :4])
    close(output[:, :, :4], seen)


def test_only_minus_infinity_hides_all_keys_and_a_finite_number_averages_them():  # A02, E9
    q, k, v = random_inputs(T=6, S=11)
    mask = causal_mask(6, 11)
    mask[5] = False
    ours = scaled_dot_product_attention(q, k, v, mask)
    infinite = np.where(mask, 0, -np.inf)
    finite = np.where(mask, 0, np.finfo(float).min)
    close(scaled_dot_product_attention(q, k, v, bias=infinite), ours)
    averaged = scaled_dot_product_attention(q, k, v, bias=finite)
    close(averaged[:5], ours[:5])
    assert (ours[5] == 0).all()
    close(averaged[5], v.mean(axis=0))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_masked_weight_is_exactly_0_in_every_precision(dtype):  # A15
    # Queries so large that scores pass 65504, the largest number of float16.
    q, k = np.full((2, 4), 300, dtype), np.array([[300] * 4, [-300] * 4], dtype)
    weights = attention_weights(q, k, np.array([[True, True], [False, True]]))
    np.testing.assert_array_equal(weights, [[1, 0], [0, 1]])
    weights = attention_weights(q, k, np.zeros((2, 2), bool))
    np.testing.assert_array_equal(weights, np.zeros((2, 2)))


def test_a_mask_multiplied_in_would_leave_weight_on_the_hidden_key():  # A49
    logits = np.array([[2.0, -1.0, 0.5]])
    mask = np.array([[True, True, False]])
    assert softmax(logits * mask)[0, 2] > 0.1
    q, k = np.ones((1, 1)), logits.T
    assert attention_weights(q, k, mask)[0, 2] == 0


def test_a_boolean_bias_is_refused(refuses):  # A01, A29: adding 0 and 1 hides nothing
    q, k, _ = random_inputs()
    with refuses("bias must hold numbers; a boolean mask goes in `attn_mask`"):
        attention_weights(q, k, bias=np.ones((3, 5), bool))


def test_integers_single_precision_and_lists_are_computed_with(as_a_user):
    q, k, v = [[1, 0]], [[1, 0], [0, 1]], [[4, 0], [0, 4]]
    expected = softmax(np.array([1 / 2**0.5, 0]))
    close(scaled_dot_product_attention(q, k, v, [[True, True]]), 4 * expected[None])
    single = [np.array(x, np.float32) for x in (q, k, v)]
    output = scaled_dot_product_attention(*single, np.ones((1, 2), bool))
    assert output.dtype == np.float32
    close(output, 4 * expected[None], 1e-6)


@pytest.mark.parametrize("size", [1e4, -1e4])
def test_scores_of_ten_thousand_pick_one_key(size):
    q, k, v = np.array([[size]]), np.array([[1.0], [0.0], [-1.0]]), np.array([[1.0], [2.0], [3.0]])
    expected = [[1.0]] if size > 0 else [[3.0]]
    np.testing.assert_array_equal(scaled_dot_product_attention(q, k, v), expected, strict=True)


@pytest.mark.parametrize(("T", "S"), [(0, 5), (3, 0), (0, 0)])
def test_no_queries_give_no_rows_and_no_keys_give_zeros(T, S):
    q, k, v = random_inputs(2, T=T, S=S)
    output = scaled_dot_product_attention(q, k, v, causal_mask(T, S))
    np.testing.assert_array_equal(output, np.zeros((2, T, 11)), strict=True)


def test_one_token_returns_its_own_value():
    q, k, v = random_inputs(2, T=1, S=1)
    close(scaled_dot_product_attention(q, k, v, causal_mask(1)), v)


def test_misfits_are_refused_with_their_values(refuses):
    q, k, v = random_inputs(2)
    with refuses("query has d_k = 6 but key has d_k = 7"):
        attention_scores(q[..., 1:], k)
    with refuses("key has S = 4 but value has S = 5"):
        scaled_dot_product_attention(q, k[:, 1:], v)
    with refuses("query has batch axes (1,) but key has (2,)"):
        attention_scores(q[:1], k)
    with refuses("query and key have d_k = 0, so that there is nothing to compare"):
        attention_scores(q[..., :0], k[..., :0])
    with refuses("key has batch axes (2,) but value has ()"):
        scaled_dot_product_attention(q, k, v[0])
    with refuses("query must have at least two axes, got shape (7,)"):
        attention_scores(q[0, 0], k[0])
    with refuses("value must have at least two axes, got shape (5,)"):
        scaled_dot_product_attention(q[0], k[0], v[0, :, 0])


@pytest.mark.claim("B7", "B10")
@given(queries_keys_values())
def test_the_output_lies_in_the_convex_hull_of_the_values(inputs):
    q, k, v = inputs
    weights = attention_weights(q, k)
    assert (weights >= 0).all()
    close(weights.sum(axis=-1), np.ones(len(q)))
    output = scaled_dot_product_attention(q, k, v)
    close(output, weights @ v)
    # A point of the hull lies, in every direction, between the outermost values.
    directions = np.random.default_rng(0).normal(size=(v.shape[1], 20))
    along, outputs = v @ directions, output @ directions
    assert (outputs <= along.max(axis=0) + 1e-9).all()
    assert (outputs >= along.min(axis=0) - 1e-9).all()


@pytest.mark.claim("B3")
@given(queries_keys_values(), st.randoms(use_true_random=False))
def test_the_keys_order_does_not_matter_and_the_queries_order_is_kept(inputs, random):
    q, k, v = inputs
    output = scaled_dot_product_attention(q, k, v)
    keys = random.sample(range(len(k)), len(k))
    close(scaled_dot_product_attention(q, k[keys], v[keys]), output, 1e-9)
    queries = random.sample(range(len(q)), len(q))
    close(scaled_dot_product_attention(q[queries], k, v), output[queries], 1e-9)


@pytest.mark.claim("B19")
@given(vectors(st.tuples(st.integers(2, 7), st.integers(1, 5)), 30), st.data())
def test_changing_a_future_token_changes_no_earlier_output(x, data):  # A10
    T = len(x)
    changed = data.draw(st.integers(1, T - 1))
    y = x.copy()
    y[changed:] += 1
    before = scaled_dot_product_attention(x, x, x, causal_mask(T))
    after = scaled_dot_product_attention(y, y, y, causal_mask(T))
    np.testing.assert_array_equal(after[:changed], before[:changed])


def test_a_mask_of_the_future_leaks_it():  # A10: the polarity of nn.MultiheadAttention
    x, _, _ = random_inputs(T=4)
    y = x.copy()
    y[3] += 1
    future = np.triu(np.ones((4, 4), bool), 1)
    assert (
        scaled_dot_product_attention(x, x, x, future)[0]
        != scaled_dot_product_attention(y, y, y, future)[0]
    ).all()


def test_attention_leaves_its_arguments_alone():
    q, k, v = inputs = random_inputs(2)
    mask, bias = np.tri(3, 5, dtype=bool), np.zeros((3, 5))
    copies = [x.copy() for x in (*inputs, mask, bias)]
    scaled_dot_product_attention(q, k, v, mask, bias=bias)
    for x, copy in zip((*inputs, mask, bias), copies, strict=True):
        np.testing.assert_array_equal(x, copy)
