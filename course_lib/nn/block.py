"""A Transformer block, in both orders of normalisation, with cross-attention where asked."""

from collections.abc import Callable

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.nn.feed_forward import FeedForward
from course_lib.nn.kv_cache import KVCache
from course_lib.nn.multi_head import MultiHeadAttention


class TransformerBlock(nn.Module):
    """Self-attention, cross-attention if `d_memory` is given, and a feed-forward network.

    norm_first: pre-norm, x + sublayer(LN(x)), as in document B; else post-norm,
        LN(x + sublayer(x)), as in the paper of 2017 and by default in `nn.TransformerEncoderLayer`.
    d_memory: width of the memory that cross-attention reads.
    dropout: the share of attention weights, and of each sublayer's output, dropped in training.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_ff: int,
        *,
        norm_first: bool = True,
        d_memory: int | None = None,
        num_kv_heads: int | None = None,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.norm_first = norm_first
        self.attention_norm = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(
            d_model, num_heads, num_kv_heads=num_kv_heads, dropout=dropout
        )
        self.d_memory = d_memory
        if d_memory is not None:
            self.cross_attention_norm = nn.LayerNorm(d_model)
            self.cross_attention = MultiHeadAttention(
                d_model, num_heads, d_key=d_memory, num_kv_heads=num_kv_heads, dropout=dropout
            )
        self.feed_forward_norm = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        x: Float[Tensor, "B T d_model"],
        attn_mask: Bool[Tensor, "..."] | None = None,
        *,
        is_causal: bool = False,
        memory: Float[Tensor, "B S d_memory"] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        cache: KVCache | None = None,
    ) -> Float[Tensor, "B T d_model"]:
        """One block. The masks say True where a query may look, at x and at the memory."""
        if memory is None and self.d_memory is not None:
            raise ValueError(f"a block with d_memory = {self.d_memory} needs a memory")
        if memory is not None and self.d_memory is None:
            raise ValueError(
                f"a block without d_memory can't read a memory of shape {tuple(memory.shape)}"
            )
        x = self._add(
            x,
            self.attention_norm,
            lambda n: self.attention(n, attn_mask=attn_mask, is_causal=is_causal, cache=cache),
        )
        if memory is not None:
            x = self._add(
                x,
                self.cross_attention_norm,
                lambda n: self.cross_attention(n, memory, attn_mask=memory_mask),
            )
        return self._add(x, self.feed_forward_norm, self.feed_forward)

    def _add(self, x: Tensor, norm: nn.LayerNorm, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        """The residual connection around a sublayer, with the norm before it or after the sum."""
        if self.norm_first:
            return x + self.dropout(sublayer(norm(x)))
        return norm(x + self.dropout(sublayer(x)))
