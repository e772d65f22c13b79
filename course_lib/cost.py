"""What attention costs: parameters, multiply-adds, comparisons, bytes. Plain arithmetic.

A multiply-add is one multiplication and one addition, two floating-point operations. Bytes are
bytes: divide by GB or by GIB and write which, a GiB being 7 % larger.
"""

from typing import NamedTuple

GB = 10**9
GIB = 2**30


class AttentionWork(NamedTuple):
    """Multiply-adds of one attention layer over one text, by step."""

    projections: int
    scores: int
    mixing: int

    @property
    def total(self) -> int:
        """All three steps together."""
        return sum(self)


def attention_parameters(*, d_model: int, num_heads: int, num_kv_heads: int | None = None) -> int:
    """The numbers in W_Q, W_K, W_V and W_O, without biases.

    Every head projects from the full d_model to d_head = d_model / num_heads, so the heads share
    the 4 · d_model² numbers of one head of full width. `num_kv_heads` is how many heads the
    keys have, not how many query heads share one.
    """
    d_head = head_width(d_model, num_heads)
    num_kv_heads = _kv_heads(num_heads, num_kv_heads)
    return 2 * d_model * d_head * (num_heads + num_kv_heads)


def attention_multiply_adds(
    *,
    new_tokens: int,
    d_model: int,
    num_heads: int,
    num_kv_heads: int | None = None,
    cached_tokens: int = 0,
) -> AttentionWork:
    """The work of self-attention of `new_tokens` over `cached_tokens` and themselves.

    Every query is compared with every key, as a matrix product does it: a causal mask hides
    scores after they were computed.
    """
    tokens = cached_tokens + new_tokens
    one_pass = new_tokens * tokens * num_heads * head_width(d_model, num_heads)
    parameters = attention_parameters(
        d_model=d_model, num_heads=num_heads, num_kv_heads=num_kv_heads
    )
    return AttentionWork(projections=new_tokens * parameters, scores=one_pass, mixing=one_pass)


def feed_forward_multiply_adds(*, tokens: int, d_model: int, d_ff: int) -> int:
    """The work of both layers of the feed-forward network, which never looks at another token."""
    return 2 * tokens * d_model * d_ff


def all_comparisons(tokens: int) -> int:
    """How many query–key pairs there are when every token looks at every token: n²."""
    return tokens**2


def causal_comparisons(tokens: int) -> int:
    """How many when each token looks at itself and those before it: 1 + 2 + … + n.

    As many as generation needs with a cache, where the n-th token costs n.
    """
    return tokens * (tokens + 1) // 2


def kv_cache_bytes(
    *,
    batch: int,
    num_layers: int,
    num_kv_heads: int,
    d_head: int,
    tokens: int,
    bytes_per_number: int,
) -> int:
    """2 · batch · layers · kv_heads · d_head · tokens · bytes per number.

    The 2 is for one key and one value; the number of query heads plays no part.
    """
    return 2 * batch * num_layers * num_kv_heads * d_head * tokens * bytes_per_number


def weight_bytes(*, num_parameters: int, bytes_per_number: int) -> int:
    """What a model's weights take, and what each step of generation reads of them."""
    return num_parameters * bytes_per_number


def crossover_tokens(*, weight_bytes: int, cache_bytes_per_token: int) -> int:
    """The shortest text whose cache is more to read than the weights.

    A step reads the weights once for the whole batch but the cache of every text in it, so
    `cache_bytes_per_token` counts the batch: `kv_cache_bytes(…, tokens=1)`.
    """
    return weight_bytes // cache_bytes_per_token + 1


def head_width(d_model: int, num_heads: int) -> int:
    """d_head = d_model / num_heads, which must be a whole number."""
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"d_model = {d_model} can't be split into {num_heads} heads evenly")
    return d_model // num_heads


def _kv_heads(num_heads: int, num_kv_heads: int | None) -> int:
    if num_kv_heads is None:
        return num_heads
    if num_kv_heads < 1 or num_heads % num_kv_heads:
        raise ValueError(f"{num_heads} query heads can't share {num_kv_heads} key heads evenly")
    return num_kv_heads
