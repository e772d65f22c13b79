"""Layer norm, feed-forward and both blocks against nn.LayerNorm and nn.TransformerEncoderLayer."""

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.reference import (
    BlockWeights,
    FeedForwardWeights,
    NormWeights,
    Projections,
    causal_mask,
    layer_norm,
    padding_mask,
    post_norm_block,
    pre_norm_block,
)
from tests.parity.helpers import agree, seeded, tensor, transposed


@pytest.mark.claim("B16")
@pytest.mark.parametrize("size", [1e-4, 1, 1e4])  # C03: tiny rows meet eps
@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_layer_norm(size, eps):
    theirs = seeded(nn.LayerNorm(7, eps=eps))
    x = size * np.random.default_rng(1).normal(3, 1, size=(2, 5, 7))
    gain, bias = theirs.weight.detach().numpy(), theirs.bias.detach().numpy()
    agree(layer_norm(x, gain, bias, eps=eps), theirs(tensor(x)))


def test_a_norm_of_all_tokens_of_a_text_lets_each_depend_on_later_ones():
    x = np.random.default_rng(1).normal(size=(2, 5, 7))
    changed = x.copy()
    changed[:, -1] += 1
    whole = nn.LayerNorm((5, 7), dtype=torch.float64)
    assert np.abs(layer_norm(changed)[:, :-1] - layer_norm(x)[:, :-1]).max() == 0
    assert (whole(tensor(changed)) - whole(tensor(x)))[:, :-1].abs().max() > 0.01


def test_layer_norm_of_known_rows():  # C02, C03
    for row in ([1, 0, 0, 0], [7, 7, 7, 7], [1e-4, 2e-4, 3e-4, 4e-4]):
        agree(layer_norm(np.array(row)), nn.LayerNorm(4).double()(tensor(np.array(row))))


def layer(*, norm_first: bool) -> nn.TransformerEncoderLayer:
    return seeded(
        nn.TransformerEncoderLayer(
            6, 2, dim_feedforward=11, dropout=0.0, batch_first=True, norm_first=norm_first
        )
    )


def weights(theirs: nn.TransformerEncoderLayer) -> BlockWeights:
    """All of its weights; the biases of its attention, which ours lacks, are set to 0."""
    attention = theirs.self_attn
    with torch.no_grad():
        attention.in_proj_bias.zero_()
        attention.out_proj.bias.zero_()
    stored = (*attention.in_proj_weight.chunk(3), attention.out_proj.weight)
    one, two = theirs.linear1, theirs.linear2
    return BlockWeights(
        Projections(*map(transposed, stored)),
        NormWeights(*(x.detach().numpy() for x in theirs.norm1.parameters())),
        FeedForwardWeights(
            transposed(one.weight),
            one.bias.detach().numpy(),
            transposed(two.weight),
            two.bias.detach().numpy(),
        ),
        NormWeights(*(x.detach().numpy() for x in theirs.norm2.parameters())),
    )


@pytest.mark.claim("B15", "E8")
@pytest.mark.parametrize(
    ("block", "norm_first"), [(pre_norm_block, True), (post_norm_block, False)]
)
@pytest.mark.parametrize("masked", [False, True])
def test_both_orders(block, norm_first, masked):  # C01, C10, C11
    theirs = layer(norm_first=norm_first)
    ours = weights(theirs)
    x = np.random.default_rng(1).normal(size=(3, 5, 6))
    if not masked:
        return agree(block(x, ours, 2), theirs(tensor(x)))
    mask, padding = causal_mask(5), padding_mask(np.array([5, 3, 1]), 5)
    output = theirs(
        tensor(x),
        src_mask=~torch.tensor(mask),
        src_key_padding_mask=~torch.tensor(padding[:, 0]),
    )
    agree(block(x, ours, 2, mask & padding), output)


@pytest.mark.parametrize("T", [1, 5])
def test_the_other_order_gives_something_else(T):  # C01, C10
    theirs = layer(norm_first=True)
    x = np.random.default_rng(1).normal(size=(3, T, 6))
    ours = post_norm_block(x, weights(theirs), 2)
    assert np.abs(ours - theirs(tensor(x)).detach().numpy()).max() > 0.1


def test_post_norm_is_pytorch_s_default():  # C13
    assert nn.TransformerEncoderLayer(6, 2).norm_first is False
