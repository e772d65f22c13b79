"""Scaled dot-product attention by PyTorch's fused kernel, with the course's conventions.

Fused kernels have no second derivatives, and none in forward mode. Under
`torch.nn.attention.sdpa_kernel(SDPBackend.MATH)` PyTorch takes its plain one, which has both.
"""

import math
from contextlib import nullcontext
from functools import partial, reduce
from operator import and_

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.nn.arguments import require_tensor
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
    scores = _scores(query, key, scale)
    if bias is not None:
        bias = _read_bias(bias, query, key)
        scores = scores + bias
    mask = _visible(query, key, attn_mask, bias, is_causal)
    if mask is None:
        return scores.softmax(dim=-1).to(query.dtype)
    sees_nothing = ~mask.any(dim=-1, keepdim=True)
    # A softmax of −∞ alone is NaN: let these rows look, and drop the result.
    scores = scores.masked_fill(~mask, -math.inf).masked_fill(sees_nothing, 0)
    return scores.softmax(dim=-1).masked_fill(sees_nothing, 0).to(query.dtype)


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
    bias: numbers that are added to the scaled scores, of the shapes that a mask may have; −∞ hides
        a key as a mask does.
    is_causal: no query looks past its own position, the last query aligned with the last key;
        merged with `attn_mask`.
    dropout_p: the share of weights that are dropped, always: pass 0 outside training.
    """
    _require_same(query, key, "query", "key", "d_k", -1)
    _require_same(key, value, "key", "value", "S", -2)
    require_dropout(dropout_p)
    attend = partial(
        F.scaled_dot_product_attention, query, key, value, dropout_p=dropout_p, scale=scale
    )
    if bias is not None:
        bias = _read_bias(bias, query, key)
    elif attn_mask is None and is_causal and query.shape[-2] == key.shape[-2]:
        return attend(is_causal=True)
    mask = _visible(query, key, attn_mask, bias, is_causal)
    if mask is None:
        return attend()
    sees_some = mask.any(dim=-1, keepdim=True)
    # Kernels differ on empty rows: let them look, and drop the result.
    if bias is None:
        mask_or_bias = mask | ~sees_some
    else:
        mask_or_bias = torch.where(mask, bias, -math.inf).masked_fill(~sees_some, 0)
    return attend(attn_mask=mask_or_bias).masked_fill(~sees_some, 0)


def require_dropout(dropout: float) -> None:
    """Refuse what is not a share."""
    if not 0 <= dropout <= 1:
        raise ValueError(f"dropout must lie between 0 and 1, got {dropout}")


def _scores(query: Tensor, key: Tensor, scale: float | None) -> Float[Tensor, "*batch T S"]:
    """Scaled scores, in float32 where the inputs have fewer bits, as in the fused kernel.

    A single score can pass 65504, the largest number in float16.
    """
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    query, key = (x.to(torch.promote_types(x.dtype, torch.float32)) for x in (query, key))
    device = query.device.type
    can_cast = torch.amp.is_autocast_available(device)
    with torch.autocast(device, enabled=False) if can_cast else nullcontext():
        return (query * scale) @ key.mT


def _visible(
    query: Tensor, key: Tensor, attn_mask: Tensor | None, bias: Tensor | None, is_causal: bool
) -> Bool[Tensor, "..."] | None:
    """All that hides a key in one mask; None where every query sees every key."""
    T, S = query.shape[-2], key.shape[-2]
    masks = []
    if attn_mask is not None:
        require_mask(attn_mask, (*query.shape[:-2], T, S))
        masks.append(attn_mask)
    if bias is not None:
        masks.append(bias != -math.inf)
    if is_causal and T > 1:
        masks.append(causal_mask(T, S, device=query.device))
    return reduce(and_, masks) if masks else None


def _read_bias(bias: Tensor, query: Tensor, key: Tensor) -> Float[Tensor, "..."]:
    """The bias in the type of the query; a mask is refused, since adding 0 and 1 hides nothing."""
    require_tensor("bias", bias)
    if bias.dtype == torch.bool:
        raise ValueError("bias must hold numbers; a boolean mask goes in `attn_mask`")
    require_mask_shape(tuple(bias.shape), (*query.shape[:-1], key.shape[-2]), "bias")
    return bias.to(query.dtype)


def _require_same(
    a: Tensor, b: Tensor, a_name: str, b_name: str, axis_name: str, axis: int
) -> None:
    for name, x in ((a_name, a), (b_name, b)):
        require_tensor(name, x)
        if x.ndim < 2:
            raise ValueError(f"{name} must have at least two axes, got shape {tuple(x.shape)}")
        if not x.is_floating_point():
            raise ValueError(f"{name} must hold floating-point numbers, got dtype {x.dtype}")
    if a.shape[axis] != b.shape[axis]:
        raise ValueError(
            f"{a_name} has {axis_name} = {a.shape[axis]} but {b_name} has "
            f"{axis_name} = {b.shape[axis]}"
        )
    if axis == -1 and a.shape[-1] == 0:
        raise ValueError(f"{a_name} and {b_name} have d_k = 0, so that there is nothing to compare")
    if a.shape[:-2] != b.shape[:-2]:
        raise ValueError(
            f"{a_name} has batch axes {tuple(a.shape[:-2])} but {b_name} has {tuple(b.shape[:-2])}"
        )
