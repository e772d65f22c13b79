"""From a text to inputs and targets: the one place of the course that shifts by one."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Int
from numpy import ndarray as Array


def inputs_and_targets(
    tokens: Int[Array, "*batch n"] | Sequence[int],
) -> tuple[Int[Array, "*batch pairs"], Int[Array, "*batch pairs"]]:
    """The tokens without the last, and without the first: the target of x[t] is the next token.

    [5, 6, 7, 8] gives x = [5, 6, 7] and y = [6, 7, 8]. Losses take y as it is: nothing
    else shifts. Both are copies, so that hiding targets in y leaves x alone.
    """
    tokens = np.asarray(tokens)
    if tokens.ndim == 0 or tokens.shape[-1] < 2:
        raise ValueError(f"a token and its next take at least 2 tokens, got shape {tokens.shape}")
    return tokens[..., :-1].copy(), tokens[..., 1:].copy()


def windows(
    tokens: Int[Array, "n"] | Sequence[int], block_size: int
) -> tuple[Int[Array, "windows block_size"], Int[Array, "windows block_size"]]:
    """Inputs and targets of every stretch of `block_size` tokens that has a next token.

    n tokens give n − block_size windows, each one token after the one before it.
    """
    tokens = np.asarray(tokens)
    if block_size < 1:
        raise ValueError(f"block_size must be at least 1, got {block_size}")
    if tokens.ndim != 1:
        raise ValueError(f"expected one text, a row of tokens, got shape {tokens.shape}")
    if len(tokens) <= block_size:
        raise ValueError(
            f"a text of {len(tokens)} tokens is too short for block_size = {block_size}: "
            f"it takes at least {block_size + 1}"
        )
    return inputs_and_targets(np.lib.stride_tricks.sliding_window_view(tokens, block_size + 1))
