"""A Transformer block in both orders of normalisation.

Sources: post-norm, Vaswani et al., 2017, section 3.1; pre-norm, Xiong et al., 2020.
"""

from typing import NamedTuple

from jaxtyping import Bool, Float, Real

from course_lib.reference.arrays import Array
from course_lib.reference.feed_forward import feed_forward
from course_lib.reference.layer_norm import layer_norm
from course_lib.reference.multi_head import Projections, multi_head_attention


class FeedForwardWeights(NamedTuple):
    """The two layers of `feed_forward`, in the order of its arguments."""

    W_1: Real[Array, "d_model d_ff"]
    b_1: Real[Array, "d_ff"]
    W_2: Real[Array, "d_ff d_model"]
    b_2: Real[Array, "d_model"]


class NormWeights(NamedTuple):
    """Gain and bias of `layer_norm`."""

    gain: Real[Array, "d_model"]
    bias: Real[Array, "d_model"]


class BlockWeights(NamedTuple):
    """All that one block has learned."""

    attention: Projections
    attention_norm: NormWeights
    feed_forward: FeedForwardWeights
    feed_forward_norm: NormWeights


def pre_norm_block(
    x: Real[Array, "*batch T d_model"],
    weights: BlockWeights,
    num_heads: int,
    attn_mask: Bool[Array, "..."] | None = None,
) -> Float[Array, "*batch T d_model"]:
    """H = X + MHA(LN(X)), then H + FFN(LN(H)). A stack of these needs one last LN after it."""
    n = layer_norm(x, *weights.attention_norm)
    h = x + multi_head_attention(n, n, n, weights.attention, num_heads, attn_mask)
    return h + feed_forward(layer_norm(h, *weights.feed_forward_norm), *weights.feed_forward)


def post_norm_block(
    x: Real[Array, "*batch T d_model"],
    weights: BlockWeights,
    num_heads: int,
    attn_mask: Bool[Array, "..."] | None = None,
) -> Float[Array, "*batch T d_model"]:
    """H = LN(X + MHA(X)), then LN(H + FFN(H)), as in the paper of 2017."""
    attended = multi_head_attention(x, x, x, weights.attention, num_heads, attn_mask)
    h = layer_norm(x + attended, *weights.attention_norm)
    return layer_norm(h + feed_forward(h, *weights.feed_forward), *weights.feed_forward_norm)
