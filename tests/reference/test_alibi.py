"""ALiBi: what a step of distance costs, in each head."""

import numpy as np
import pytest

from course_lib.reference import (
    alibi_bias,
    alibi_slopes,
    attention_weights,
    causal_mask,
    scaled_dot_product_attention,
)
from tests.reference.helpers import close


def test_eight_heads_have_the_slopes_of_the_paper():
    close(alibi_slopes(8), [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256])


@pytest.mark.parametrize("num_heads", [1, 3, 8, 16])
def test_slopes_are_a_geometric_sequence_that_ends_at_one_in_256(num_heads):
    slopes = alibi_slopes(num_heads)
    assert slopes.shape == (num_heads,)
    close(slopes[-1], 1 / 256)
    close(slopes, slopes[0] ** np.arange(1, num_heads + 1))


def test_each_step_costs_the_slope_of_its_head():
    half, quarter = alibi_bias(8, 3)[:2]
    close(half, [[0, -0.5, -1], [-0.5, 0, -0.5], [-1, -0.5, 0]])
    close(quarter, half / 2)


def test_new_queries_over_a_cache_get_the_last_rows():
    assert alibi_bias(3, 2, 7).shape == (3, 2, 7)
    close(alibi_bias(3, 2, 7), alibi_bias(3, 7)[:, -2:])


def test_under_a_causal_mask_the_weights_fall_by_a_constant_factor_a_step():
    zeros = np.zeros((8, 5, 3))
    weights = attention_weights(zeros, zeros, causal_mask(5), bias=alibi_bias(8, 5))
    last = weights[:, -1]
    close(last[:, 1:] / last[:, :-1], np.exp(alibi_slopes(8))[:, None].repeat(4, 1))


def test_without_a_mask_left_and_right_are_alike():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 2, 8, 5, 3))
    forwards = scaled_dot_product_attention(q, k, v, bias=alibi_bias(8, 5)[None])
    flipped = [x[:, :, ::-1] for x in (q, k, v)]
    backwards = scaled_dot_product_attention(*flipped, bias=alibi_bias(8, 5)[None])
    close(backwards[:, :, ::-1], forwards)


@pytest.mark.parametrize(("T", "S"), [(0, 0), (0, 5), (1, 1)])
def test_few_tokens_have_a_bias_too(T, S):
    assert alibi_bias(2, T, S).shape == (2, T, S)


def test_impossible_sizes_are_refused(refuses):
    with refuses("num_heads must be at least 1, got 0"):
        alibi_slopes(0)
    with refuses("expected T ≥ 0 and S ≥ 0, got -1 and 3"):
        alibi_bias(2, -1, 3)
