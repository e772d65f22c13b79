"""Multi-head attention against nn.MultiheadAttention: weights transposed, masks inverted."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_lib.reference import (
    KVCache,
    Projections,
    cached_multi_head_attention,
    causal_mask,
    multi_head_attention,
    multi_head_weights,
    padding_mask,
    repeat_heads,
)
from tests.parity.helpers import agree, seeded, tensor, transposed


def module(d_model, num_heads, *, seed=0, **options) -> nn.MultiheadAttention:
    return seeded(nn.MultiheadAttention(d_model, num_heads, bias=False, **options), seed)


def projections(attention: nn.MultiheadAttention) -> Projections:
    """Its four matrices, (d_out, d_in), as ours, (d_in, d_out)."""
    if attention.in_proj_weight is None:
        stored = attention.q_proj_weight, attention.k_proj_weight, attention.v_proj_weight
    else:
        stored = attention.in_proj_weight.chunk(3)
    return Projections(*map(transposed, (*stored, attention.out_proj.weight)))


@pytest.mark.claim("B11")
@pytest.mark.parametrize("num_heads", [1, 2, 3, 6])
@pytest.mark.parametrize("batch_first", [True, False])
def test_self_attention_in_both_layouts(num_heads, batch_first):  # A23, A31
    theirs = module(6, num_heads, batch_first=batch_first)
    x = np.random.default_rng(1).normal(size=(3, 5, 6))
    z = tensor(x if batch_first else x.swapaxes(0, 1))
    output, weights = theirs(z, z, z, average_attn_weights=False)
    ours = multi_head_attention(x, x, x, projections(theirs), num_heads)
    agree(ours if batch_first else ours.swapaxes(0, 1), output)
    agree(multi_head_weights(x, x, projections(theirs), num_heads), weights)


def test_pytorch_averages_the_weights_over_the_heads_by_default():  # A26
    theirs = module(8, 4, batch_first=True)
    x = np.random.default_rng(1).normal(size=(2, 5, 8))
    weights = multi_head_weights(x, x, projections(theirs), 4)
    assert weights.shape == (2, 4, 5, 5)
    agree(weights.mean(axis=1), theirs(*[tensor(x)] * 3)[1])


@pytest.mark.claim("B11")
@pytest.mark.parametrize(("B", "T", "S"), [(2, 5, 7), (1, 5, 7), (2, 1, 7), (2, 5, 1)])
def test_cross_attention_with_widths_of_its_own(B, T, S):  # A39, A40
    theirs = module(6, 2, kdim=11, vdim=13, batch_first=True)
    rng = np.random.default_rng(1)
    q, k, v = rng.normal(size=(B, T, 6)), rng.normal(size=(B, S, 11)), rng.normal(size=(B, S, 13))
    output, _ = theirs(tensor(q), tensor(k), tensor(v))
    agree(multi_head_attention(q, k, v, projections(theirs), 2), output)


@pytest.mark.claim("B11", "B19")
def test_masks_mean_the_opposite():  # A09, A11
    theirs = module(6, 2, batch_first=True)
    x = np.random.default_rng(1).normal(size=(3, 5, 6))
    causal, padding = causal_mask(5), padding_mask(np.array([5, 3, 1]), 5)
    z = tensor(x)
    output, weights = theirs(
        z,
        z,
        z,
        attn_mask=~torch.tensor(causal),
        key_padding_mask=~torch.tensor(padding[:, 0]),
        average_attn_weights=False,
    )
    mask = causal & padding
    agree(multi_head_attention(x, x, x, projections(theirs), 2, mask), output)
    agree(multi_head_weights(x, x, projections(theirs), 2, mask), weights)


def test_one_mask_given_to_both_says_the_opposite():  # A10, A11
    theirs = module(6, 2, batch_first=True)
    rng = np.random.default_rng(1)
    x, mask = rng.normal(size=(3, 5, 6)), rng.random((5, 5)) < 0.5
    mask[:, 0], mask[:, 1] = True, False  # every row sees something either way
    output = theirs(*[tensor(x)] * 3, attn_mask=torch.tensor(mask))[0]
    agree(multi_head_attention(x, x, x, projections(theirs), 2, ~mask), output)
    ours = multi_head_attention(x, x, x, projections(theirs), 2, mask)
    assert np.abs(ours - output.detach().numpy()).max() > 0.1


def test_a_mask_for_each_head_lies_in_one_axis_with_the_batch_for_pytorch():
    theirs = module(6, 2, batch_first=True)
    rng = np.random.default_rng(1)
    x, mask = rng.normal(size=(3, 5, 6)), rng.random((3, 2, 5, 5)) < 0.5
    mask[..., 0] = True
    flat = ~torch.tensor(mask).flatten(0, 1)  # the heads of one text are neighbours
    output = theirs(*[tensor(x)] * 3, attn_mask=flat)[0]
    agree(multi_head_attention(x, x, x, projections(theirs), 2, mask), output)


def test_one_text_without_a_batch():
    theirs = module(6, 3)
    x = np.random.default_rng(1).normal(size=(5, 6))
    agree(multi_head_attention(x, x, x, projections(theirs), 3), theirs(*[tensor(x)] * 3)[0])


def test_d_v_and_d_k_may_differ_as_in_the_fused_kernel():  # A42
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 5, 8))
    shapes = (8, 2 * 3), (8, 2 * 3), (8, 2 * 7), (2 * 7, 11)
    p = Projections(*(rng.normal(size=shape) for shape in shapes))
    q, k, v = (
        (tensor(x) @ tensor(W)).reshape(2, 5, 2, -1).transpose(1, 2) for W in (p.W_Q, p.W_K, p.W_V)
    )
    heads = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(2, 5, 14)
    agree(multi_head_attention(x, x, x, p, 2), heads @ tensor(p.W_O))


def test_key_heads_are_shared_as_with_enable_gqa():  # E09
    rng = np.random.default_rng(0)
    q, k, v = (rng.normal(size=(2, heads, 5, 3)) for heads in (6, 2, 2))
    theirs = F.scaled_dot_product_attention(tensor(q), tensor(k), tensor(v), enable_gqa=True)
    repeated = F.scaled_dot_product_attention(
        tensor(q), tensor(repeat_heads(k, 6)), tensor(repeat_heads(v, 6))
    )
    agree(repeated.numpy(), theirs)
    agree(repeat_heads(k, 6), tensor(k).repeat_interleave(3, dim=1))


@pytest.mark.claim("A20")
def test_the_cache_gives_what_pytorch_gives_without_one():  # E01
    theirs = module(6, 2, batch_first=True)
    x = np.random.default_rng(1).normal(size=(3, 7, 6))
    whole, _ = theirs(*[tensor(x)] * 3, attn_mask=~torch.tensor(causal_mask(7)))
    cache = KVCache()
    for start, stop in [(0, 3), (3, 4), (4, 4), (4, 7)]:
        part = cached_multi_head_attention(x[:, start:stop], projections(theirs), 2, cache)
        agree(part, whole[:, start:stop])
