"""Multi-head attention: several attentions side by side, each on its own projections.

Source: Vaswani et al., 2017, section 3.2.2; grouped key and value heads: Ainslie et al., 2023.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Real

from course_lib.reference.arrays import Array, as_array, project
from course_lib.reference.attention import attention_weights, scaled_dot_product_attention


class Projections(NamedTuple):
    """The four matrices of multi-head attention, heads side by side in the columns.

    Grouped-query attention has fewer key and value heads (H_kv) than query heads (H).
    """

    W_Q: Real[Array, "d_query H*d_k"]
    W_K: Real[Array, "d_key H_kv*d_k"]
    W_V: Real[Array, "d_value H_kv*d_v"]
    W_O: Real[Array, "H*d_v d_model"]


def split_heads(x: Real[Array, "*batch T width"], num_heads: int) -> Real[Array, "*batch H T d"]:
    """Cut the last axis into `num_heads` pieces and bring the heads before the tokens."""
    x = as_array(x)
    if x.ndim < 2:
        raise ValueError(f"expected tokens of one width, (…, T, width), got shape {x.shape}")
    width = x.shape[-1]
    if num_heads < 1 or width % num_heads:
        raise ValueError(
            f"a width of {width} can't be split into {num_heads} heads"
            + (f": remainder {width % num_heads}" if num_heads > 0 else "")
        )
    heads = x.reshape(*x.shape[:-1], num_heads, width // num_heads)  # (*batch, T, H, d)
    return heads.swapaxes(-2, -3)


def merge_heads(x: Real[Array, "*batch H T d"]) -> Real[Array, "*batch T H*d"]:
    """Put the heads of each token side by side again: the inverse of `split_heads`."""
    x = _read_heads(x).swapaxes(-2, -3)  # (*batch, T, H, d)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def repeat_heads(x: Real[Array, "*batch H_kv S d"], num_heads: int) -> Real[Array, "*batch H S d"]:
    """Let each key or value head serve `num_heads / H_kv` neighbouring query heads."""
    x = _read_heads(x)
    num_kv_heads = x.shape[-3]
    if num_heads < 1 or num_kv_heads < 1 or num_heads % num_kv_heads:
        raise ValueError(
            f"{num_heads} query heads can't share {num_kv_heads} key heads evenly"
            + (f": remainder {num_heads % num_kv_heads}" if num_kv_heads else "")
        )
    return np.repeat(x, num_heads // num_kv_heads, axis=-3)


def multi_head_weights(
    query: Real[Array, "*batch T d_query"],
    key: Real[Array, "*batch S d_key"],
    projections: Projections,
    num_heads: int,
    attn_mask: Bool[Array, "..."] | None = None,
    *,
    num_kv_heads: int | None = None,
) -> Float[Array, "*batch H T S"]:
    """The attention weights of every head (PyTorch returns their mean over the heads).

    attn_mask: (T, S), or (*batch, T, S) for all heads alike, or one axis for each of *batch, H, T
        and S; an axis of size 1 serves all.
    """
    num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
    q = split_heads(project("query", query, "W_Q", projections.W_Q), num_heads)
    k = split_heads(project("key", key, "W_K", projections.W_K), num_kv_heads)
    return attention_weights(q, repeat_heads(k, num_heads), _for_heads(attn_mask, q.ndim))


def multi_head_attention(
    query: Real[Array, "*batch T d_query"],
    key: Real[Array, "*batch S d_key"],
    value: Real[Array, "*batch S d_value"],
    projections: Projections,
    num_heads: int,
    attn_mask: Bool[Array, "..."] | None = None,
    *,
    num_kv_heads: int | None = None,
) -> Float[Array, "*batch T d_model"]:
    """Concat(head_1 … head_H) W_O. Self-attention passes the same tokens three times.

    attn_mask: as in `multi_head_weights`.
    """
    num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
    q = split_heads(project("query", query, "W_Q", projections.W_Q), num_heads)
    k = split_heads(project("key", key, "W_K", projections.W_K), num_kv_heads)
    v = split_heads(project("value", value, "W_V", projections.W_V), num_kv_heads)
    k, v = repeat_heads(k, num_heads), repeat_heads(v, num_heads)
    heads = scaled_dot_product_attention(q, k, v, _for_heads(attn_mask, q.ndim))
    return project("the heads side by side", merge_heads(heads), "W_O", projections.W_O)


def _read_heads(x) -> Real[Array, "*batch H T d"]:
    x = as_array(x)
    if x.ndim < 3:
        raise ValueError(f"expected heads of tokens, (…, H, T, d), got shape {x.shape}")
    return x


def _for_heads(attn_mask, scores_ndim: int) -> Bool[Array, "..."] | None:
    """A (*batch, T, S) mask as (*batch, 1, T, S); other masks as they are."""
    if attn_mask is None or np.ndim(attn_mask) != scores_ndim - 1:
        return attn_mask
    return as_array(attn_mask)[..., None, :, :]
