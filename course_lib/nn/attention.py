"""Scaled dot-product attention by PyTorch's fused kernel, with the course's conventions."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.nn.masks import causal_mask, require_mask
from course_lib.reference.masks import require_mask_shape


def attention_weights(
    query: Float[Tensor, "*batch T d_k"],
    key: Float[Tensor, "*batch S d_k"],
    attn_mask: Bool[Tensor, "..."] | None = None,
    *,
    bias: Float[Tensor, "..."] | None = None,
    is_causal: bool = False,
    scale: float | None = None,
) -> Float[Tensor, "*batch T S"]:
    """softmax(QKᵀ / √d_k), as `course_lib.reference.attention_weights`; rows without keys are 0."""
    _require_same(query, key, "query", "key", "d_k", -1)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * scale) @ key.mT
    if bias is not None:
        scores = scores + _read_bias(bias, query, key)
    mask = _visible(query, key, attn_mask, is_causal)
    if mask is None:
        return scores.softmax(dim=-1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0)


def scaled_dot_product_attention(
    query: Float[Tensor, "*batch T d_k"],
    key: Float[Tensor, "*batch S d_k"],
    value: Float[Tensor, "*batch S d_v"],
    attn_mask: Bool[Tensor, "..."] | None = None,
    *,
    bias: Float[Tensor, "..."] | None = None,
    is_causal: bool = False,
    dropout_p: float = 0.0,
    scale: float | None = None,
) -> Float[Tensor, "*batch T d_v"]:
    """softmax(QKᵀ / √d_k) V; a query that may see nothing gets zeros, with finite gradients.

    attn_mask: True where a query may look, (T, S) or one axis for each axis of the scores.
    bias: numbers that are added to the scaled scores, of the shapes that a mask may have.
    is_causal: no query looks past its own position, the last query aligned with the last key;
        merged with `attn_mask`.
    dropout_p: the share of weights that are dropped, always: pass 0 outside training.
    """
    _require_same(query, key, "query", "key", "d_k", -1)
    _require_same(key, value, "key", "value", "S", -2)
    attend = partial(
        F.scaled_dot_product_attention, query, key, value, dropout_p=dropout_p, scale=scale
    )
    if bias is not None:
        bias = _read_bias(bias, query, key)
    elif attn_mask is None and is_causal and query.shape[-2] == key.shape[-2]:
        return attend(is_causal=True)
    mask = _visible(query, key, attn_mask, is_causal)
    if mask is None:
        return attend(attn_mask=bias)
    sees_some = mask.any(dim=-1, keepdim=True)
    mask = mask | ~sees_some  # kernels differ on empty rows: let them look, and drop the result
    output = attend(attn_mask=mask if bias is None else torch.where(mask, bias, -math.inf))
    return output.masked_fill(~sees_some, 0)


def _visible(
    query: Tensor, key: Tensor, attn_mask: Tensor | None, is_causal: bool
) -> Bool[Tensor, "..."] | None:
    """`attn_mask` and the causal mask in one; None where every query sees every key."""
    T, S = query.shape[-2], key.shape[-2]
    if attn_mask is not None:
        require_mask(attn_mask, (*query.shape[:-2], T, S))
    if not is_causal or T == 1:
        return attn_mask
    causal = causal_mask(T, S, device=query.device)
    return causal if attn_mask is None else attn_mask & causal


def _read_bias(bias: Tensor, query: Tensor, key: Tensor) -> Float[Tensor, "..."]:
    """The bias in the type of the query; a mask is refused, since adding 0 and 1 hides nothing."""
    if bias.dtype == torch.bool:
        raise ValueError("bias must hold numbers; a boolean mask goes in `attn_mask`")
    require_mask_shape(tuple(bias.shape), (*query.shape[:-1], key.shape[-2]), "bias")
    return bias.to(query.dtype)


def _require_same(
    a: Tensor, b: Tensor, a_name: str, b_name: str, axis_name: str, axis: int
) -> None:
    if a.shape[axis] != b.shape[axis]:
        raise ValueError(
            f"{a_name} has {axis_name} = {a.shape[axis]} but {b_name} has "
            f"{axis_name} = {b.shape[axis]}"
        )
    if a.shape[:-2] != b.shape[:-2]:
        raise ValueError(
            f"{a_name} has batch axes {tuple(a.shape[:-2])} but {b_name} has {tuple(b.shape[:-2])}"
        )
