"""A cache of keys and values, and attention that uses it."""

import numpy as np
from jaxtyping import Float, Real

from course_lib.reference.arrays import Array, as_array, project
from course_lib.reference.attention import scaled_dot_product_attention
from course_lib.reference.masks import causal_mask
from course_lib.reference.multi_head import Projections, merge_heads, repeat_heads, split_heads


class KVCache:
    """The keys and values of every token so far, for one layer and one batch of texts.

    A new text starts with a new, empty cache.
    """

    def __init__(self) -> None:
        self.keys: Float[Array, "*batch H_kv S d_k"] | None = None
        self.values: Float[Array, "*batch H_kv S d_v"] | None = None

    def append(
        self, keys: Float[Array, "*batch H_kv T d_k"], values: Float[Array, "*batch H_kv T d_v"]
    ) -> tuple[Float[Array, "*batch H_kv S d_k"], Float[Array, "*batch H_kv S d_v"]]:
        """Add the keys and values of T new tokens; returns those of all S tokens so far."""
        keys, values = as_array(keys), as_array(values)
        if keys.shape[:-1] != values.shape[:-1]:
            raise ValueError(
                f"each key needs a value: keys have shape {keys.shape}, values {values.shape}"
            )
        self.keys, self.values = _extend(self.keys, keys), _extend(self.values, values)
        return self.keys, self.values

    def __len__(self) -> int:
        return 0 if self.keys is None else self.keys.shape[-2]

    @property
    def nbytes(self) -> int:
        """Bytes that the stored numbers take."""
        if self.keys is None or self.values is None:
            return 0
        return self.keys.nbytes + self.values.nbytes


def cached_multi_head_attention(
    x: Real[Array, "*batch T d_model"],
    projections: Projections,
    num_heads: int,
    cache: KVCache,
    *,
    num_kv_heads: int | None = None,
) -> Float[Array, "*batch T d_out"]:
    """Causal self-attention of T new tokens over the cache and themselves; the cache grows by T."""
    num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
    q = split_heads(project("x", x, "W_Q", projections.W_Q), num_heads)
    keys, values = cache.append(
        split_heads(project("x", x, "W_K", projections.W_K), num_kv_heads),
        split_heads(project("x", x, "W_V", projections.W_V), num_kv_heads),
    )
    mask = causal_mask(q.shape[-2], len(cache))
    k, v = repeat_heads(keys, num_heads), repeat_heads(values, num_heads)
    heads = merge_heads(scaled_dot_product_attention(q, k, v, mask))
    return project("the heads side by side", heads, "W_O", projections.W_O)


def _extend(stored: Array | None, new: Array) -> Array:
    if stored is None:
        return new.copy()
    if stored.shape[:-2] != new.shape[:-2] or stored.shape[-1] != new.shape[-1]:
        raise ValueError(
            f"the cache holds an array of shape {stored.shape}, which one of shape {new.shape} "
            "can't extend: only the number of tokens may differ"
        )
    return np.concatenate([stored, new], axis=-2)
