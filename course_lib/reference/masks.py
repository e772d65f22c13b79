"""Masks: True where a query may look. They combine with `&`."""

import numpy as np
from jaxtyping import Bool, Int

from course_lib.reference.arrays import Array, as_array


def causal_mask(T: int, S: int | None = None) -> Bool[Array, "T S"]:
    """True where query t may look at key s: never at a key that comes after it.

    The last query is aligned with the last of the `S` keys (S = T unless given), so the same mask
    serves T new queries over a cache of S keys. PyTorch's `is_causal=True` aligns the first query
    with the first key instead.
    """
    S = T if S is None else S
    if T < 0 or S < 0:
        raise ValueError(f"expected T ≥ 0 and S ≥ 0, got {T} and {S}")
    return np.tri(T, S, k=S - T, dtype=bool)


def padding_mask(lengths: Int[Array, "B"], S: int) -> Bool[Array, "B 1 S"]:
    """True at the first `lengths[b]` of S keys: the real tokens of sequence b, for every query."""
    lengths = as_array(lengths)
    if lengths.ndim != 1 or lengths.dtype.kind not in "iu":
        raise ValueError(
            f"lengths must be one whole number for each sequence, got shape {lengths.shape} "
            f"of dtype {lengths.dtype}"
        )
    if ((lengths < 0) | (lengths > S)).any():
        raise ValueError(f"lengths must lie between 0 and S = {S}, got {lengths.tolist()}")
    return np.arange(S) < lengths[:, None, None]


def require_mask(attn_mask: Array, scores_shape: tuple[int, ...]) -> None:
    """Refuse a mask that is not boolean, or that would broadcast against the wrong axes."""
    require_boolean(attn_mask.dtype, attn_mask.dtype.kind == "b")
    require_mask_shape(tuple(attn_mask.shape), scores_shape)


def require_boolean(dtype: object, is_boolean: bool) -> None:
    """Refuse a mask of numbers: what is added to the scores has its own argument."""
    if not is_boolean:
        raise ValueError(
            f"attn_mask must be boolean, True where a query may look, got dtype {dtype}; "
            "numbers to add to the scores go in `bias`"
        )


def require_mask_shape(
    mask_shape: tuple[int, ...], scores_shape: tuple[int, ...], name: str = "attn_mask"
) -> None:
    """Refuse a mask or bias that would broadcast against the wrong axes of the scores.

    Two axes are (T, S), shared by all of the batch; otherwise there is one axis for each axis of
    the scores, of the same size or 1. A (B, S) table of real tokens is refused, unless B = T makes
    it look like (T, S): for these `padding_mask` has three axes.
    """
    fits = len(mask_shape) == len(scores_shape) and all(
        m in (1, s) for m, s in zip(mask_shape, scores_shape, strict=True)
    )
    if not fits and mask_shape != scores_shape[-2:]:
        raise ValueError(
            f"{name} has shape {mask_shape}, but the scores have shape {scores_shape}: expected "
            f"(T, S) = {scores_shape[-2:]} or one axis for each axis of the scores"
        )
