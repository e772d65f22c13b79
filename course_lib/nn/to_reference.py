"""The weights of modules as the NumPy reference takes them."""

import torch
from torch import nn

from course_lib.nn.block import TransformerBlock
from course_lib.nn.feed_forward import FeedForward
from course_lib.nn.multi_head import MultiHeadAttention
from course_lib.reference import BlockWeights, FeedForwardWeights, NormWeights, Projections


def projections(attention: MultiHeadAttention) -> Projections:
    """The four matrices, transposed from PyTorch's (d_out, d_in) to the course's (d_in, d_out)."""
    linears = (attention.W_Q, attention.W_K, attention.W_V, attention.W_O)
    return Projections(*(_numpy(linear.weight).T for linear in linears))


def block_weights(block: TransformerBlock) -> BlockWeights:
    """All weights of a block without cross-attention."""
    return BlockWeights(
        projections(block.attention),
        norm_weights(block.attention_norm),
        feed_forward_weights(block.feed_forward),
        norm_weights(block.feed_forward_norm),
    )


def norm_weights(norm: nn.LayerNorm) -> NormWeights:
    """Gain and bias."""
    return NormWeights(_numpy(norm.weight), _numpy(norm.bias))


def feed_forward_weights(network: FeedForward) -> FeedForwardWeights:
    """Both layers' matrices, transposed, and biases."""
    one, two = network.layer_1, network.layer_2
    return FeedForwardWeights(
        _numpy(one.weight).T, _numpy(one.bias), _numpy(two.weight).T, _numpy(two.bias)
    )


def _numpy(parameter):
    parameter = parameter.detach().cpu()
    is_bfloat16 = parameter.dtype == torch.bfloat16  # which NumPy does not have
    return (parameter.float() if is_bfloat16 else parameter).numpy()
