"""Stacks of blocks: encoder and decoder."""

from itertools import repeat

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.nn.block import TransformerBlock
from course_lib.nn.kv_cache import KVCache


class Encoder(nn.Module):
    """Blocks in which every token looks at every token. `options` are `TransformerBlock`'s.

    A pre-norm stack ends with one more LayerNorm, since its residual stream is never normalised; a
    post-norm stack has just normalised its output.
    """

    def __init__(self, num_layers: int, d_model: int, num_heads: int, d_ff: int, **options) -> None:
        super().__init__()
        if num_layers < 1:
            raise ValueError(f"num_layers must be at least 1, got {num_layers}")
        self.blocks = nn.ModuleList(
            TransformerBlock(d_model, num_heads, d_ff, **options) for _ in range(num_layers)
        )
        norm_first = options.get("norm_first", True)
        self.final_norm = nn.LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(
        self, x: Float[Tensor, "B T d_model"], attn_mask: Bool[Tensor, "..."] | None = None
    ) -> Float[Tensor, "B T d_model"]:
        """attn_mask: True where a query may look, as in `MultiHeadAttention`."""
        for block in self.blocks:
            x = block(x, attn_mask)
        return self.final_norm(x)


class Decoder(Encoder):
    """Blocks in which no token looks at a later one; with `d_memory`, they read an encoder too."""

    def forward(
        self,
        x: Float[Tensor, "B T d_model"],
        attn_mask: Bool[Tensor, "..."] | None = None,
        *,
        memory: Float[Tensor, "B S d_memory"] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        caches: list[KVCache] | None = None,
    ) -> Float[Tensor, "B T d_model"]:
        """attn_mask: merged with the causal mask. caches: one for each block (`new_caches`)."""
        self.cached_tokens(caches)
        for block, cache in zip(self.blocks, caches or repeat(None), strict=False):
            x = block(
                x,
                attn_mask,
                is_causal=True,
                memory=memory,
                memory_mask=memory_mask,
                cache=cache,
            )
        return self.final_norm(x)

    def cached_tokens(self, caches: list[KVCache] | None) -> int:
        """How many tokens the caches hold, which must be one for each block and equally long."""
        if caches is None:
            return 0
        different = len({id(cache) for cache in caches})
        if not different == len(caches) == len(self.blocks):
            raise ValueError(
                f"each of the {len(self.blocks)} blocks needs a cache of its own, got {different} "
                f"different ones of {len(caches)}"
            )
        lengths = [len(cache) for cache in caches]
        if len(set(lengths)) > 1:
            raise ValueError(f"the caches must hold equally many tokens, got {lengths}")
        return lengths[0]

    def new_caches(self) -> list[KVCache]:
        """An empty cache for each block. Each text needs its own."""
        return [KVCache() for _ in self.blocks]
