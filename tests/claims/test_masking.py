"""Claims B19 and B20 and erratum E9: what a mask hides, and what −∞ does that a number doesn't."""

import math

import numpy as np
import pytest
import torch

from course_lib.nn import TransformerBlock
from course_lib.reference import (
    attention_scores,
    attention_weights,
    causal_mask,
    scaled_dot_product_attention,
    softmax,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(5, 3))


@pytest.mark.claim("B19")
def test_minus_infinity_added_to_future_scores_makes_their_weights_exactly_zero():
    added = np.where(causal_mask(5), 0.0, -np.inf)
    weights = softmax(attention_scores(X, X) + added)
    assert (weights[~causal_mask(5)] == 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    np.testing.assert_array_equal(weights, attention_weights(X, X, causal_mask(5)))


@pytest.mark.claim("B19")
@pytest.mark.parametrize("t", range(1, 5))
def test_changing_a_token_changes_no_earlier_output_and_every_later_one(t):
    changed = X.copy()
    changed[t] += 1
    before, after = (scaled_dot_product_attention(x, x, x, causal_mask(5)) for x in (X, changed))
    np.testing.assert_array_equal(before[:t], after[:t])
    assert (before[t:] != after[t:]).any(axis=1).all()


@pytest.mark.claim("B20")
def test_the_decoders_first_attention_is_masked_and_its_second_reads_all_of_the_encoder():
    generator = torch.Generator().manual_seed(0)
    block = TransformerBlock(8, 2, 16, d_memory=6).double()
    target = torch.randn(1, 5, 8, dtype=torch.float64, generator=generator)
    memory = torch.randn(1, 7, 6, dtype=torch.float64, generator=generator)
    later, other_end = target.clone(), memory.clone()
    later[:, 3, 0] += 1  # all entries alike would leave the normalised token as it was
    other_end[:, -1] += 1
    output = block(target, is_causal=True, memory=memory)
    assert torch.equal(block(later, is_causal=True, memory=memory)[:, :3], output[:, :3])
    moved = block(target, is_causal=True, memory=other_end) != output
    assert moved.any(dim=-1).all()


@pytest.mark.claim("E9")
def test_a_finite_fill_lets_a_masked_key_win_in_half_precision_and_minus_infinity_does_not():
    scores = torch.tensor([-20000.0, 20000.0], dtype=torch.float16)
    hidden = torch.tensor([False, True])
    assert scores.masked_fill(hidden, -1e4).softmax(0).tolist() == [0, 1]
    assert scores.masked_fill(hidden, -math.inf).softmax(0).tolist() == [1, 0]


@pytest.mark.claim("E9")
def test_where_a_row_is_wholly_masked_a_finite_fill_is_uniform_infinity_is_nan_and_ours_is_zero():
    row = torch.zeros(4)
    finite, infinite = torch.finfo(row.dtype).min, -math.inf
    assert (row + finite).softmax(0).tolist() == [0.25] * 4
    assert (row + infinite).softmax(0).isnan().all()
    assert (attention_weights(X[:1], X[:4], np.zeros((1, 4), dtype=bool)) == 0).all()
