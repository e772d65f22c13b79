"""Scaled dot-product attention, one line for each step of the formula.

Source: Vaswani et al., 2017, "Attention Is All You Need", equation 1.
"""

import math

import numpy as np
from jaxtyping import Bool, Float, Real

from course_lib.reference.arrays import Array, as_array, as_float
from course_lib.reference.masks import require_mask, require_mask_shape
from course_lib.reference.softmax import softmax


def attention_scores(
    query: Real[Array, "*batch T d_k"],
    key: Real[Array, "*batch S d_k"],
    *,
    scale: float | None = None,
) -> Float[Array, "*batch T S"]:
    """q_i · k_j for every query i and key j, times `scale` (1 / √d_k unless given)."""
    query, key = as_float(query), as_float(key)
    _require_match("query", query, "key", key, "d_k", -1)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    return (query * scale) @ key.swapaxes(-1, -2)


def attention_weights(
    query: Real[Array, "*batch T d_k"],
    key: Real[Array, "*batch S d_k"],
    attn_mask: Bool[Array, "..."] | None = None,
    *,
    bias: Real[Array, "..."] | None = None,
    scale: float | None = None,
) -> Float[Array, "*batch T S"]:
    """softmax(QKᵀ / √d_k): each row is a distribution over the keys that its query may look at.

    attn_mask: True where a query may look, (T, S) or one axis for each axis of the scores.
        A row that may see nothing gives zeros.
    bias: numbers that are added to the scaled scores, of the shapes that a mask may have.
    """
    scores = attention_scores(query, key, scale=scale)
    if bias is not None:
        scores = scores + _read_bias(bias, scores.shape)
    if attn_mask is not None:
        attn_mask = as_array(attn_mask)
        require_mask(attn_mask, scores.shape)
        np.copyto(scores, -np.inf, where=~attn_mask)
    return softmax(scores, out=scores)


def scaled_dot_product_attention(
    query: Real[Array, "*batch T d_k"],
    key: Real[Array, "*batch S d_k"],
    value: Real[Array, "*batch S d_v"],
    attn_mask: Bool[Array, "..."] | None = None,
    *,
    bias: Real[Array, "..."] | None = None,
    scale: float | None = None,
) -> Float[Array, "*batch T d_v"]:
    """softmax(QKᵀ / √d_k) V: for each query, the average of the values by its weights.

    The arguments are those of `attention_weights`, and the values.
    """
    value = as_float(value)
    _require_match("key", as_float(key), "value", value, "S", -2)
    return attention_weights(query, key, attn_mask, bias=bias, scale=scale) @ value


def _read_bias(bias, scores_shape: tuple[int, ...]) -> Array:
    """The bias as floats; a mask is refused, since adding 0 and 1 hides nothing."""
    bias = as_array(bias)
    if bias.dtype.kind == "b":
        raise ValueError("bias must hold numbers; a boolean mask goes in `attn_mask`")
    require_mask_shape(bias.shape, scores_shape, "bias")
    return as_float(bias)


def _require_match(a_name: str, a: Array, b_name: str, b: Array, axis_name: str, axis: int) -> None:
    """Refuse two inputs that differ on the axis they share, or whose batch axes do not fit."""
    for name, x in ((a_name, a), (b_name, b)):
        if x.ndim < 2:
            raise ValueError(f"{name} must have at least two axes, got shape {x.shape}")
    if a.shape[axis] != b.shape[axis]:
        raise ValueError(
            f"{a_name} has {axis_name} = {a.shape[axis]} but {b_name} has "
            f"{axis_name} = {b.shape[axis]}"
        )
    if axis == -1 and a.shape[-1] == 0:
        raise ValueError(f"{a_name} and {b_name} have d_k = 0, so that there is nothing to compare")
    if a.shape[:-2] != b.shape[:-2]:
        raise ValueError(f"{a_name} has batch axes {a.shape[:-2]} but {b_name} has {b.shape[:-2]}")
