"""What the modules ask of their arguments: refused in words that print the values."""

import torch
from jaxtyping import Int
from torch import Tensor
from torch._C._functorch import get_unwrapped, is_batchedtensor, is_functorch_wrapped_tensor


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


def read_tokens(name: str, tokens: Tensor) -> Int[Tensor, "*batch"]:
    """Token numbers as int64; what is not whole is refused.

    Texts are stored in bytes or 16 bits, which PyTorch can't compare with every V.
    """
    require_tensor(name, tokens)
    if not is_whole(tokens):
        raise ValueError(f"{name} must be whole token numbers, got dtype {tokens.dtype}")
    return tokens.long()


def read_batch(name: str, tokens: Tensor) -> Int[Tensor, "B T"]:
    """A batch of texts as int64; what is not one is refused."""
    tokens = read_tokens(name, tokens)
    if tokens.ndim != 2:
        raise ValueError(
            f"{name} must have shape (B, T), got {tuple(tokens.shape)}; a batch of one text is "
            f"{name}[None]"
        )
    return tokens


def require_among(name: str, tokens: Tensor, V: int, counted: Tensor | bool = True) -> None:
    """Refuse numbers that are no tokens where `counted`; a GPU would end the whole session."""
    if not has_numbers(tokens):
        return
    outside = counted & ((tokens < 0) | (tokens >= V))
    if outside.any():
        raise ValueError(f"{name} {tokens[outside][0].item()} is not among the V = {V} tokens")


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


def is_whole(x: Tensor) -> bool:
    """Whether `x` holds whole numbers, of any width."""
    return not (x.is_floating_point() or x.is_complex() or x.dtype == torch.bool)
