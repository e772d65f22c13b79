"""Multi-head attention as a module."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.nn.attention import (
    attention_weights,
    require_dropout,
    scaled_dot_product_attention,
)
from course_lib.nn.kv_cache import KVCache


class MultiHeadAttention(nn.Module):
    """Concat(head_1 … head_H) W_O, for self-attention, cross-attention and grouped-query attention.

    The four projections are `nn.Linear` layers without bias; each stores the transpose of the
    course's W. Sources: Vaswani et al., 2017, section 3.2.2; Ainslie et al., 2023.

    d_model: width of the output, and of every input whose width is not given.
    num_kv_heads: heads of keys and values; each serves num_heads / num_kv_heads query heads.
    d_k, d_v: widths of one head; d_model / num_heads unless given.
    d_query, d_key, d_value: widths of the three inputs. d_key and d_value follow d_query, d_key.
    dropout: the share of attention weights that are dropped in training.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        *,
        num_kv_heads: int | None = None,
        d_k: int | None = None,
        d_v: int | None = None,
        d_query: int | None = None,
        d_key: int | None = None,
        d_value: int | None = None,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        if d_k is None or d_v is None:
            _require_even_split("d_model", d_model, "num_heads", num_heads)
        _require_even_split("num_heads", num_heads, "num_kv_heads", num_kv_heads)
        require_dropout(dropout)
        self.num_heads, self.num_kv_heads, self.dropout = num_heads, num_kv_heads, dropout
        d_k = d_model // num_heads if d_k is None else d_k
        d_v = d_model // num_heads if d_v is None else d_v
        d_query = d_model if d_query is None else d_query
        d_key = d_query if d_key is None else d_key
        d_value = d_key if d_value is None else d_value
        _require_sizes(d_k=d_k, d_v=d_v, d_query=d_query, d_key=d_key, d_value=d_value)
        self.W_Q = nn.Linear(d_query, num_heads * d_k, bias=False)
        self.W_K = nn.Linear(d_key, num_kv_heads * d_k, bias=False)
        self.W_V = nn.Linear(d_value, num_kv_heads * d_v, bias=False)
        self.W_O = nn.Linear(num_heads * d_v, d_model, bias=False)

    def forward(
        self,
        query: Float[Tensor, "*batch T d_query"],
        key: Float[Tensor, "*batch S d_key"] | None = None,
        value: Float[Tensor, "*batch S d_value"] | None = None,
        *,
        attn_mask: Bool[Tensor, "..."] | None = None,
        bias: Float[Tensor, "..."] | None = None,
        is_causal: bool = False,
        cache: KVCache | None = None,
    ) -> Float[Tensor, "*batch T d_model"]:
        """Attend from `query` to `key` (the query itself unless given) and mix `value` (the key).

        attn_mask: True where a query may look: (T, S), or (*batch, T, S) for all heads alike, or
            one axis for each of *batch, H, T and S; an axis of size 1 serves all.
        bias: added to the scores: (T, S), or one axis for each of *batch, H, T and S.
        is_causal: no query looks past its own position; merged with `attn_mask`.
        cache: holds the keys and values of earlier tokens and takes in the new ones; S counts both.
        """
        key = query if key is None else key
        value = key if value is None else value
        q = _split_heads(_project(self.W_Q, query, "query"), self.num_heads)
        k = _split_heads(_project(self.W_K, key, "key"), self.num_kv_heads)
        v = _split_heads(_project(self.W_V, value, "value"), self.num_kv_heads)
        if cache is not None:
            k, v = cache.append(k, v)
        heads = scaled_dot_product_attention(
            q,
            self._repeat(k),
            self._repeat(v),
            _for_all_heads(attn_mask, q),
            bias=bias,
            is_causal=is_causal,
            dropout_p=self.dropout if self.training else 0.0,
        )
        return self.W_O(heads.transpose(-2, -3).flatten(-2))  # (*batch, T, H·d_v) → d_model

    def weights(
        self,
        query: Float[Tensor, "*batch T d_query"],
        key: Float[Tensor, "*batch S d_key"] | None = None,
        *,
        attn_mask: Bool[Tensor, "..."] | None = None,
        bias: Float[Tensor, "..."] | None = None,
        is_causal: bool = False,
    ) -> Float[Tensor, "*batch H T S"]:
        """The attention weights of every head, before dropout.

        `nn.MultiheadAttention` returns their mean over the heads instead.
        """
        key = query if key is None else key
        q = _split_heads(_project(self.W_Q, query, "query"), self.num_heads)
        k = self._repeat(_split_heads(_project(self.W_K, key, "key"), self.num_kv_heads))
        mask = _for_all_heads(attn_mask, q)
        return attention_weights(q, k, mask, bias=bias, is_causal=is_causal)

    def _repeat(self, x: Float[Tensor, "*batch H_kv S d"]) -> Float[Tensor, "*batch H S d"]:
        """Let neighbouring query heads share a key or value head."""
        group = self.num_heads // self.num_kv_heads
        return x if group == 1 else x.repeat_interleave(group, dim=-3)


def _split_heads(x: Float[Tensor, "*batch T Hd"], num_heads: int) -> Float[Tensor, "*batch H T d"]:
    return x.unflatten(-1, (num_heads, -1)).transpose(-2, -3)


def _for_all_heads(attn_mask: Tensor | None, q: Float[Tensor, "*batch H T d_k"]) -> Tensor | None:
    """A (*batch, T, S) mask with an axis for the heads; any other as it is."""
    if isinstance(attn_mask, Tensor) and attn_mask.ndim == q.ndim - 1 > 2:
        return attn_mask.unsqueeze(-3)
    return attn_mask


def _project(linear: nn.Linear, x: Tensor, name: str) -> Tensor:
    if x.ndim < 2:
        raise ValueError(f"{name} must have at least two axes, got shape {tuple(x.shape)}")
    if x.shape[-1] != linear.in_features:
        raise ValueError(
            f"{name} has width {x.shape[-1]}, but its projection was made for {linear.in_features}"
        )
    return linear(x)


def _require_sizes(**sizes: int) -> None:
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")


def _require_even_split(whole_name: str, whole: int, parts_name: str, parts: int) -> None:
    if parts < 1 or whole % parts:
        raise ValueError(
            f"{whole_name} = {whole} can't be split evenly by {parts_name} = {parts}"
            + (f": remainder {whole % parts}" if parts > 0 else "")
        )
