"""The reference's ideas as PyTorch modules, fused and on a GPU where there is one."""

from course_lib.nn.attention import attention_weights, scaled_dot_product_attention
from course_lib.nn.block import TransformerBlock
from course_lib.nn.devices import default_device
from course_lib.nn.embedding import TokenEmbedding
from course_lib.nn.encoder_decoder import EncoderDecoder
from course_lib.nn.feed_forward import FeedForward
from course_lib.nn.kv_cache import KVCache
from course_lib.nn.language_model import LanguageModel
from course_lib.nn.losses import cross_entropy
from course_lib.nn.masks import causal_mask, padding_mask
from course_lib.nn.multi_head import MultiHeadAttention
from course_lib.nn.positions import LearnedPositions, SinusoidalPositions
from course_lib.nn.record import record_attention
from course_lib.nn.stack import Decoder, Encoder
from course_lib.nn.training import initialise, train

__all__ = [
    "Decoder",
    "Encoder",
    "EncoderDecoder",
    "FeedForward",
    "KVCache",
    "LanguageModel",
    "LearnedPositions",
    "MultiHeadAttention",
    "SinusoidalPositions",
    "TokenEmbedding",
    "TransformerBlock",
    "attention_weights",
    "causal_mask",
    "cross_entropy",
    "default_device",
    "initialise",
    "padding_mask",
    "record_attention",
    "scaled_dot_product_attention",
    "train",
]
