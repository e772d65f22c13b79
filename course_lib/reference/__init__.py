"""Every formula of the course once, in NumPy, written to be read. Imports without PyTorch."""

from course_lib.reference.alibi import alibi_bias, alibi_slopes
from course_lib.reference.attention import (
    attention_scores,
    attention_weights,
    scaled_dot_product_attention,
)
from course_lib.reference.block import (
    BlockWeights,
    FeedForwardWeights,
    NormWeights,
    post_norm_block,
    pre_norm_block,
)
from course_lib.reference.distributions import distribution_cross_entropy, entropy, kl_divergence
from course_lib.reference.feed_forward import feed_forward, relu
from course_lib.reference.kv_cache import KVCache, cached_multi_head_attention
from course_lib.reference.layer_norm import layer_norm
from course_lib.reference.losses import (
    cross_entropy,
    cross_entropy_gradient,
    perplexity,
    smoothed_targets,
)
from course_lib.reference.masks import causal_mask, padding_mask
from course_lib.reference.multi_head import (
    Projections,
    merge_heads,
    multi_head_attention,
    multi_head_weights,
    repeat_heads,
    split_heads,
)
from course_lib.reference.positions import (
    angular_frequencies,
    position_rotation,
    sinusoidal_positional_encoding,
)
from course_lib.reference.recurrent import last_state_jacobians, rnn_gradients, rnn_states
from course_lib.reference.rotary import apply_rotary
from course_lib.reference.similarity import angle, cosine_similarity, dot, nearest_neighbours
from course_lib.reference.softmax import log_softmax, softmax, softmax_jacobian

__all__ = [
    "BlockWeights",
    "FeedForwardWeights",
    "KVCache",
    "NormWeights",
    "Projections",
    "alibi_bias",
    "alibi_slopes",
    "angle",
    "angular_frequencies",
    "apply_rotary",
    "attention_scores",
    "attention_weights",
    "cached_multi_head_attention",
    "causal_mask",
    "cosine_similarity",
    "cross_entropy",
    "cross_entropy_gradient",
    "distribution_cross_entropy",
    "dot",
    "entropy",
    "feed_forward",
    "kl_divergence",
    "last_state_jacobians",
    "layer_norm",
    "log_softmax",
    "merge_heads",
    "multi_head_attention",
    "multi_head_weights",
    "nearest_neighbours",
    "padding_mask",
    "perplexity",
    "position_rotation",
    "post_norm_block",
    "pre_norm_block",
    "relu",
    "repeat_heads",
    "rnn_gradients",
    "rnn_states",
    "scaled_dot_product_attention",
    "sinusoidal_positional_encoding",
    "smoothed_targets",
    "softmax",
    "softmax_jacobian",
    "split_heads",
]
