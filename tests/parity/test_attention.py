"""Scaled dot-product attention against F.scaled_dot_product_attention."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_lib.reference import (
    attention_weights,
    causal_mask,
    padding_mask,
    scaled_dot_product_attention,
)
from tests.parity.helpers import agree, tensor


def inputs(*, B=2, H=3, T=5, S=7, d_k=11, d_v=13, size=1.0):
    rng = np.random.default_rng(0)
    shapes = (B, H, T, d_k), (B, H, S, d_k), (B, H, S, d_v)
    q, k, v = (rng.normal(size=shape) for shape in shapes)
    return size * q, k, v


@pytest.mark.claim("B5")
@pytest.mark.parametrize("scale", [None, 0.3, 1.0])
@pytest.mark.parametrize(
    "sizes", [{}, {"B": 1}, {"H": 1}, {"T": 1}, {"S": 1}, {"d_k": 1}, {"size": 1e4}]
)
def test_without_a_mask(sizes, scale):
    q, k, v = inputs(**sizes)
    theirs = F.scaled_dot_product_attention(tensor(q), tensor(k), tensor(v), scale=scale)
    agree(scaled_dot_product_attention(q, k, v, scale=scale), theirs)


@pytest.mark.claim("B5")
@pytest.mark.parametrize("shape", [(5, 7), (2, 3, 5, 7), (2, 1, 5, 7), (1, 3, 1, 7)])
def test_with_a_boolean_mask_true_means_look_for_both(shape):  # A10, A11
    q, k, v = inputs()
    mask = np.random.default_rng(1).random(shape) < 0.6
    mask[..., 0] = True
    theirs = F.scaled_dot_product_attention(
        tensor(q), tensor(k), tensor(v), attn_mask=torch.tensor(mask)
    )
    agree(scaled_dot_product_attention(q, k, v, mask), theirs)


@pytest.mark.parametrize("shape", [(5, 7), (2, 3, 5, 7), (1, 3, 5, 7), (2, 1, 1, 7)])
def test_with_numbers_added_to_the_scores(shape):
    q, k, v = inputs()
    bias = np.random.default_rng(1).normal(size=shape)
    bias[..., 1] = -np.inf
    theirs = F.scaled_dot_product_attention(tensor(q), tensor(k), tensor(v), tensor(bias))
    agree(scaled_dot_product_attention(q, k, v, bias=bias), theirs)


def test_a_mask_of_0_and_1_as_floats_is_a_bias_for_pytorch():  # A01, A29
    q, k, v = inputs()
    mask = causal_mask(5, 7)
    theirs = F.scaled_dot_product_attention(*map(tensor, (q, k, v)), tensor(mask))
    agree(scaled_dot_product_attention(q, k, v, bias=mask.astype(float)), theirs)
    masked = scaled_dot_product_attention(q, k, v, mask)
    assert np.abs(theirs.numpy() - masked).max() > 0.1


def test_is_causal_is_aligned_with_the_first_key_and_causal_mask_with_the_last():  # A13
    q, k, v = inputs(T=2, S=5)
    theirs = F.scaled_dot_product_attention(*map(tensor, (q, k, v)), is_causal=True)
    agree(scaled_dot_product_attention(q, k, v, np.tri(2, 5, dtype=bool)), theirs)
    agree(theirs[:, :, 0].numpy(), tensor(v[:, :, 0]))  # its first query sees one key
    ours = scaled_dot_product_attention(q, k, v, causal_mask(2, 5))
    assert np.abs(ours - theirs.numpy()).max() > 0.1
    square = inputs(T=5, S=5)
    theirs = F.scaled_dot_product_attention(*map(tensor, square), is_causal=True)
    agree(scaled_dot_product_attention(*square, causal_mask(5)), theirs)


def test_rows_that_see_something_agree_where_others_see_nothing():  # A01, A02
    q, k, v = inputs(T=7, S=5)
    mask = causal_mask(7, 5) & padding_mask(np.array([4, 2]), 5)[:, None]
    theirs = F.scaled_dot_product_attention(*map(tensor, (q, k, v)), torch.tensor(mask)).numpy()
    sees_some = np.broadcast_to(mask.any(axis=-1)[..., None], theirs.shape)
    ours = scaled_dot_product_attention(q, k, v, mask)
    np.testing.assert_allclose(ours[sees_some], theirs[sees_some], rtol=1e-10, atol=1e-10)
    assert sees_some.any()
    assert (ours[~sees_some] == 0).all()


@pytest.mark.claim("B5")
def test_the_mean_weights_are_those_that_nn_multihead_attention_returns():
    """With identity projections and one head, nn.MultiheadAttention is the bare formula."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 5, 3))
    attention = nn.MultiheadAttention(3, 1, bias=False, batch_first=True).double()
    with torch.no_grad():
        attention.in_proj_weight.copy_(torch.eye(3).repeat(3, 1))
        attention.out_proj.weight.copy_(torch.eye(3))
    output, weights = attention(*[tensor(x)] * 3)
    agree(scaled_dot_product_attention(x, x, x), output)
    agree(attention_weights(x, x), weights)


def test_a_hidden_nan_has_no_weight_but_reaches_the_output_where_it_is_multiplied_or_added():
    rng = np.random.default_rng(1)
    q, k, v = (rng.normal(size=(2, n, 4)) for n in (3, 5, 5))
    mask = np.ones((3, 5), dtype=bool)
    mask[:, -1] = False
    filled_keys, filled_values = k.copy(), v.copy()
    filled_keys[:, -1], filled_values[:, -1] = np.nan, np.nan
    expected = scaled_dot_product_attention(q, k, v, mask)
    ours = scaled_dot_product_attention(q, filled_keys, v, mask)
    np.testing.assert_allclose(ours, expected, strict=True)  # −∞ replaces the score
    theirs = F.scaled_dot_product_attention(
        tensor(q), tensor(filled_keys), tensor(v), torch.tensor(mask)
    )
    assert theirs.isnan().all()  # −∞ is added to it
    assert np.isnan(scaled_dot_product_attention(q, k, filled_values, mask)).all()  # 0 · NaN
