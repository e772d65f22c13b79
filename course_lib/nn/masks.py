"""Masks as tensors: True where a query may look. They combine with `&`."""

import torch
from jaxtyping import Bool, Int
from torch import Tensor
from torch._C._functorch import get_unwrapped, is_batchedtensor, is_functorch_wrapped_tensor

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


def require_tensor(name: str, x: object) -> None:
    """Refuse what is not a tensor, such as a NumPy mask of `course_lib.reference`."""
    if not isinstance(x, Tensor):
        raise ValueError(f"{name} must be a tensor, got {type(x).__name__}; see torch.as_tensor")


def require_generator(generator: object) -> None:
    """Refuse what is not a generator of PyTorch, such as a seed or one of NumPy."""
    if not isinstance(generator, torch.Generator):
        seed = generator if isinstance(generator, int) else 0
        raise ValueError(
            f"generator must be a torch.Generator, got {type(generator).__name__}; "
            f"torch.Generator().manual_seed({seed}) makes one"
        )


def has_numbers(x: Tensor) -> bool:
    """Whether there are numbers to look at: not on `meta`, nor under `torch.compile` or `vmap`."""
    if torch.compiler.is_compiling() or x.is_meta:
        return False
    while is_functorch_wrapped_tensor(x) and not is_batchedtensor(x):
        x = get_unwrapped(x)  # inside `torch.func.grad`
    return not is_batchedtensor(x)


def is_whole(x: Tensor) -> bool:
    """Whether `x` holds whole numbers, of any width."""
    return not (x.is_floating_point() or x.is_complex() or x.dtype == torch.bool)


def read_counts(name: str, counts: Tensor, largest_name: str, largest: int) -> Tensor:
    """One whole number for each sequence, from 0 to `largest`; all else is refused.

    As int64: PyTorch compares a byte with 300 as if that were 44.
    """
    require_tensor(name, counts)
    if counts.ndim != 1 or not is_whole(counts):
        raise ValueError(
            f"{name} must be one whole number for each sequence, got shape {tuple(counts.shape)} "
            f"of dtype {counts.dtype}"
        )
    counts = counts.long()
    if has_numbers(counts) and ((counts < 0) | (counts > largest)).any():
        raise ValueError(f"{name} must lie between 0 and {largest_name}, got {counts.tolist()}")
    return counts
