"""Masks as tensors: True where a query may look. They combine with `&`."""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from course_lib.nn.arguments import read_counts, require_tensor
from course_lib.reference.masks import require_boolean, require_mask_shape


def causal_mask(
    T: int, S: int | None = None, *, device: torch.device | None = None
) -> Bool[Tensor, "T S"]:
    """True where query t may look at key s, the last query aligned with the last of S keys.

    `F.scaled_dot_product_attention(is_causal=True)` aligns the first query with the first key
    instead; the two agree where T = S.
    """
    S = T if S is None else S
    if T < 0 or S < 0:
        raise ValueError(f"expected T ≥ 0 and S ≥ 0, got {T} and {S}")
    return torch.ones(T, S, dtype=torch.bool, device=device).tril(S - T)


def padding_mask(lengths: Int[Tensor, "B"], S: int) -> Bool[Tensor, "B 1 S"]:
    """True at the first `lengths[b]` of S keys: the real tokens of sequence b, for every query."""
    lengths = read_counts("lengths", lengths, f"S = {S}", S)
    return torch.arange(S, device=lengths.device) < lengths[:, None, None]


def require_mask(attn_mask: Tensor, scores_shape: tuple[int, ...]) -> None:
    """Refuse a mask that is not boolean, or that would broadcast against the wrong axes."""
    require_tensor("attn_mask", attn_mask)
    require_boolean(attn_mask.dtype, attn_mask.dtype == torch.bool)
    require_mask_shape(tuple(attn_mask.shape), scores_shape)
