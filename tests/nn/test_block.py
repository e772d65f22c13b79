"""The Transformer block and its stacks, in both orders of normalisation."""

import numpy as np
import pytest
import torch
from torch import nn

from course_lib import reference
from course_lib.nn import (
    Decoder,
    Encoder,
    FeedForward,
    LanguageModel,
    TransformerBlock,
    causal_mask,
)
from course_lib.nn.to_reference import block_weights, feed_forward_weights
from tests.nn.helpers import assert_same, assert_same_gradients, normal, seeded

B, T, S, D_MODEL, HEADS, D_FF = 2, 5, 7, 12, 3, 17


def copy_attention(ours, theirs: nn.MultiheadAttention) -> None:
    theirs.in_proj_weight.data = torch.cat([ours.W_Q.weight, ours.W_K.weight, ours.W_V.weight]).data
    theirs.out_proj.weight.data = ours.W_O.weight.data
    theirs.in_proj_bias.data.zero_()
    theirs.out_proj.bias.data.zero_()


def copy_rest(ours: TransformerBlock, theirs) -> None:
    theirs.linear1.load_state_dict(ours.feed_forward.layer_1.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.layer_2.state_dict())
    theirs.norm1.load_state_dict(ours.attention_norm.state_dict())


def encoder_layer(ours: TransformerBlock) -> nn.TransformerEncoderLayer:
    theirs = nn.TransformerEncoderLayer(
        D_MODEL, HEADS, D_FF, dropout=0, batch_first=True, norm_first=ours.norm_first
    ).double()
    copy_attention(ours.attention, theirs.self_attn)
    copy_rest(ours, theirs)
    theirs.norm2.load_state_dict(ours.feed_forward_norm.state_dict())
    return theirs


def decoder_layer(ours: TransformerBlock) -> nn.TransformerDecoderLayer:
    theirs = nn.TransformerDecoderLayer(
        D_MODEL, HEADS, D_FF, dropout=0, batch_first=True, norm_first=ours.norm_first
    ).double()
    copy_attention(ours.attention, theirs.self_attn)
    copy_attention(ours.cross_attention, theirs.multihead_attn)
    copy_rest(ours, theirs)
    theirs.norm2.load_state_dict(ours.cross_attention_norm.state_dict())
    theirs.norm3.load_state_dict(ours.feed_forward_norm.state_dict())
    return theirs


@pytest.mark.claim("B15", "E8")
@pytest.mark.parametrize("norm_first", [True, False])
def test_the_block_equals_nn_transformer_encoder_layer(norm_first):  # C10
    ours = seeded(TransformerBlock(D_MODEL, HEADS, D_FF, norm_first=norm_first))
    theirs, x, mask = encoder_layer(ours), normal(B, T, D_MODEL), causal_mask(T)
    mine, other = ours(x, mask), theirs(x, src_mask=~mask)
    assert_same(mine, other)
    assert_same_gradients(mine, other, x)
    assert_same(ours(x, is_causal=True), mine)


@pytest.mark.claim("B20")
@pytest.mark.parametrize("norm_first", [True, False])
def test_the_block_with_memory_equals_nn_transformer_decoder_layer(norm_first):
    ours = seeded(TransformerBlock(D_MODEL, HEADS, D_FF, norm_first=norm_first, d_memory=D_MODEL))
    theirs, x, memory = decoder_layer(ours), normal(B, T, D_MODEL), normal(B, S, D_MODEL, seed=1)
    real = torch.arange(S) < torch.tensor([7, 4])[:, None, None]
    mine = ours(x, is_causal=True, memory=memory, memory_mask=real)
    other = theirs(x, memory, tgt_mask=~causal_mask(T), memory_key_padding_mask=~real[:, 0])
    assert_same(mine, other)
    assert_same_gradients(mine, other, x, memory)


@pytest.mark.parametrize("norm_first", [True, False])
def test_the_block_equals_the_reference(norm_first):
    ours = seeded(TransformerBlock(D_MODEL, HEADS, D_FF, norm_first=norm_first))
    x = normal(B, T, D_MODEL)
    block = reference.pre_norm_block if norm_first else reference.post_norm_block
    expected = block(x.detach().numpy(), block_weights(ours), HEADS, reference.causal_mask(T))
    found = ours(x, is_causal=True).detach().numpy()
    np.testing.assert_allclose(found, expected, atol=1e-11, strict=True)


@pytest.mark.claim("B18")
def test_the_feed_forward_network_equals_the_reference_and_is_the_same_at_every_position():
    ours, x = seeded(FeedForward(D_MODEL, D_FF)), normal(B, T, D_MODEL)
    expected = reference.feed_forward(x.detach().numpy(), *feed_forward_weights(ours))
    np.testing.assert_allclose(ours(x).detach().numpy(), expected, atol=1e-12, strict=True)
    assert_same(ours(x.flip(1)), ours(x).flip(1))


def silent(block: TransformerBlock) -> TransformerBlock:
    """The block with sublayers that give zeros."""
    block.attention.W_O.weight.data.zero_()
    for parameter in block.feed_forward.layer_2.parameters():
        parameter.data.zero_()
    return block


def test_a_pre_norm_block_with_silent_sublayers_passes_x_unchanged():  # C04, C11
    x = 100 + normal(B, T, D_MODEL)
    assert torch.equal(silent(seeded(TransformerBlock(D_MODEL, HEADS, D_FF)))(x), x)


def test_a_post_norm_block_leaves_every_token_with_mean_0_and_variance_1_and_pre_norm_does_not():
    x = 3 + normal(B, T, D_MODEL)  # C01, C08
    for norm_first in (True, False):
        block = TransformerBlock(D_MODEL, HEADS, D_FF, norm_first=norm_first).double()
        output = block(x)
        normalised = (output.mean(-1).abs() < 1e-9).all() and torch.allclose(
            output.var(-1, correction=0), torch.ones(B, T).double(), atol=1e-4
        )
        assert bool(normalised) is not norm_first


@pytest.mark.claim("E8")
@pytest.mark.parametrize("norm_first", [True, False])
def test_a_pre_norm_stack_ends_with_one_more_norm_and_a_post_norm_stack_does_not(norm_first):  # C06
    stack = Encoder(6, D_MODEL, HEADS, D_FF, norm_first=norm_first)
    assert isinstance(stack.final_norm, nn.LayerNorm) is norm_first
    variance = stack(torch.randn(B, T, D_MODEL)).var(-1, correction=0)
    torch.testing.assert_close(variance, torch.ones(B, T), rtol=0, atol=1e-3)


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.parametrize("training", [True, False])
def test_the_encoder_equals_nn_transformer_encoder_at_real_positions(training):  # A27, A28
    ours = seeded(Encoder(2, D_MODEL, 2, D_FF, norm_first=False))
    layer = nn.TransformerEncoderLayer(D_MODEL, 2, D_FF, dropout=0, batch_first=True).double()
    theirs = nn.TransformerEncoder(layer, 2)
    for mine, other in zip(ours.blocks, theirs.layers, strict=True):
        copy_attention(mine.attention, other.self_attn)
        copy_rest(mine, other)
        other.norm2.load_state_dict(mine.feed_forward_norm.state_dict())
    theirs.train(training)
    x, real = normal(2, 6, D_MODEL).detach(), torch.arange(6) < torch.tensor([[3], [4]])
    with torch.no_grad():
        other = theirs(x, src_key_padding_mask=~real)
    mine = ours(x, real[:, None])
    assert other.shape[1] >= 4
    for b, length in enumerate((3, 4)):
        assert_same(mine[b, :length], other[b, :length])


@pytest.mark.claim("B20", "B19")
def test_a_decoder_never_looks_ahead_but_reads_all_of_its_memory():
    decoder = seeded(Decoder(2, D_MODEL, HEADS, D_FF, d_memory=5))
    x, memory = normal(B, T, D_MODEL), normal(B, S, 5, seed=1)
    output = decoder(x, memory=memory)
    later, elsewhere = x.detach().clone(), memory.detach().clone()
    later[:, 3, 0] += 1  # all entries alike would leave the normalised token as it was
    elsewhere[:, -1] += 1
    assert torch.equal(decoder(later, memory=memory)[:, :3], output[:, :3])
    assert (decoder(x, memory=elsewhere) != output).any(dim=-1).all()


def test_dropout_is_off_in_evaluation():
    block = TransformerBlock(D_MODEL, HEADS, D_FF, dropout=0.5).eval()
    x = torch.randn(B, T, D_MODEL)
    assert torch.equal(block(x), block(x))


@pytest.mark.parametrize("num_layers", [0, -2])
def test_a_stack_has_at_least_one_block(num_layers, refuses):
    with refuses(f"num_layers must be at least 1, got {num_layers}"):
        Encoder(num_layers, 12, 3, 17)
    with refuses(f"num_layers must be at least 1, got {num_layers}"):
        LanguageModel(7, 12, 3, 17, num_layers, 9)
