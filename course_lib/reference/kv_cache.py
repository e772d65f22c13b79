"""A cache of keys and values, and attention that uses it."""

import numpy as np
from jaxtyping import Float, Real

from course_lib.reference.arrays import Array
from course_lib.reference.attention import scaled_dot_product_attention
from course_lib.reference.masks import causal_mask
from course_lib.reference.multi_head import Projections, merge_heads, repeat_heads, split_heads


class KVCache:
    """The keys and values of every token so far, for one layer."""

    def __init__(self) -> None:
        self.keys: Float[Array, "*batch H_kv S d_k"] | None = None
        self.values: Float[Array, "*batch H_kv S d_v"] | None = None

    def append(
        self, keys: Float[Array, "*batch H_kv T d_k"], values: Float[Array, "*batch H_kv T d_v"]
    ) -> tuple[Float[Array, "*batch H_kv S d_k"], Float[Array, "*batch H_kv S d_v"]]:
        """Add the keys and values of T new tokens; returns those of all S tokens so far."""
        if self.keys is None or self.values is None:
            self.keys, self.values = keys, values
        else:
            self.keys = np.concatenate([self.keys, keys], axis=-2)
            self.values = np.concatenate([self.values, values], axis=-2)
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
    q = split_heads(x @ projections.W_Q, num_heads)
    k, v = cache.append(
        split_heads(x @ projections.W_K, num_kv_heads or num_heads),
        split_heads(x @ projections.W_V, num_kv_heads or num_heads),
    )
    mask = causal_mask(q.shape[-2], len(cache))
    k, v = repeat_heads(k, num_heads), repeat_heads(v, num_heads)
    return merge_heads(scaled_dot_product_attention(q, k, v, mask)) @ projections.W_O
