"""Checks of exercise 12: what a conversation costs, and attention over a cache."""

import numpy as np

from course_lib import cost, reference
from course_lib.grading import expect, hidden, points

SHORTCUTS = {
    "cache_bytes": ["course_lib.cost.kv_cache_bytes"],
    "comparisons": ["course_lib.cost.causal_comparisons"],
    "crossover_tokens": ["course_lib.cost.crossover_tokens"],
    "cached_attention": [
        "course_lib.reference.scaled_dot_product_attention",
        "course_lib.reference.attention_weights",
        "course_lib.nn.scaled_dot_product_attention",
        "torch.nn.functional.scaled_dot_product_attention",
    ],
}


def _bytes(batch, layers, num_kv_heads, d_head, tokens, bytes_per_number):
    return cost.kv_cache_bytes(
        batch=batch,
        num_layers=layers,
        num_kv_heads=num_kv_heads,
        d_head=d_head,
        tokens=tokens,
        bytes_per_number=bytes_per_number,
    )


@points(1, task="cache_bytes")
def test_the_bytes_of_a_small_cache(student):
    """One text of 11 tokens, 3 layers, 5 key heads of width 7, four bytes a number."""
    expect(student.cache_bytes(1, 3, 5, 7, 11, 4), 9240)


@points(1, task="cache_bytes")
@hidden
def test_the_bytes_of_any_cache(student, rng):
    """Other sizes, more than one text."""
    sizes = [int(n) for n in rng.integers(2, 50, size=6)]
    expect(student.cache_bytes(*sizes), _bytes(*sizes))


@points("1/2", task="comparisons")
def test_the_comparisons_of_a_prompt_alone(student):
    """A prompt of four tokens: 1 + 2 + 3 + 4 pairs."""
    expect(student.comparisons(4, 0), 10)


@points(1, task="comparisons")
def test_the_comparisons_of_a_conversation(student):
    """A prompt of three tokens, then two generated with the cache: 6 + 4 + 5 pairs."""
    expect(student.comparisons(3, 2), 15)


@points("1/2", task="comparisons")
@hidden
def test_the_comparisons_of_a_long_conversation(student, rng):
    """Thousands of tokens."""
    prompt, generated = (int(n) for n in rng.integers(500, 4000, size=2))
    expect(student.comparisons(prompt, generated), cost.causal_comparisons(prompt + generated))


@points(1, task="crossover_tokens")
def test_the_crossover_of_one_text(student):
    """Weights of 1000 bytes, 30 bytes of cache a token: 33 tokens are 990 bytes, 34 are more."""
    expect(student.crossover_tokens(1000, 30, 1), 34)


@points(1, task="crossover_tokens")
def test_the_crossover_of_a_batch(student):
    """Five texts at once read the weights once and five caches."""
    expect(student.crossover_tokens(1000, 30, 5), 7)


@points("1/2", task="crossover_tokens")
@hidden
def test_the_crossover_where_the_two_are_equal(student, rng):
    """A cache exactly as large as the weights is not yet larger."""
    expect(student.crossover_tokens(1000, 30, 4), 9)
    tokens, a_token, batch = (int(n) for n in rng.integers(5, 20, size=3))
    expect(student.crossover_tokens(tokens * a_token * batch, a_token, batch), tokens + 1)


def _texts(rng, *batch, cached, new):
    """Query, new keys and values, and the cache, for `batch` texts."""
    sizes = (new, 11), (new, 11), (new, 7), (cached, 11), (cached, 7)
    return [rng.normal(size=(*batch, *size)) for size in sizes]


def _expected(query, new_key, new_value, keys, values):
    keys = np.concatenate([keys, new_key], axis=-2)
    values = np.concatenate([values, new_value], axis=-2)
    mask = reference.causal_mask(query.shape[-2], keys.shape[-2])
    return reference.scaled_dot_product_attention(query, keys, values, mask), keys, values


@points(1, task="cached_attention")
def test_one_new_token_after_five(student, rng):
    """One query sees the five cached keys and its own; the cache has grown by one."""
    arguments = _texts(rng, 2, cached=5, new=1)
    expect(student.cached_attention(*arguments), _expected(*arguments))


@points(1, task="cached_attention")
def test_a_chunk_of_three_after_five(student, rng):
    """Two texts, two heads, three queries at once: none sees the key of a later one."""
    arguments = _texts(rng, 2, 2, cached=5, new=3)
    expect(student.cached_attention(*arguments), _expected(*arguments))


@points("1/2", task="cached_attention")
def test_the_first_tokens_of_a_text(student, rng):
    """With an empty cache it is causal attention."""
    arguments = _texts(rng, cached=0, new=3)
    expect(student.cached_attention(*arguments), _expected(*arguments))


@points("1/2", task="cached_attention")
def test_scores_of_nine_hundred(student):
    """Two cached keys and the new one score 900 each, and share the attention."""
    thirty = np.array([[30.0]])
    cached = np.repeat(thirty, 2, axis=0), np.array([[1.0], [2.0]])
    arguments = thirty, thirty, np.array([[9.0]]), *cached
    expect(student.cached_attention(*arguments), _expected(*arguments))


@points("1/2", task="cached_attention")
@hidden
def test_chunk_after_chunk_equals_all_at_once(student, rng):
    """Chunks of two and three, the second after the first, give what one pass gives."""
    *new, keys, values = _texts(rng, 1, 2, cached=0, new=5)
    first, second = ([x[..., some, :] for x in new] for some in (slice(2), slice(2, None)))
    grown = student.cached_attention(*first, keys, values)
    expect(grown, _expected(*first, keys, values))
    output = student.cached_attention(*second, *grown[1:])[0]
    expect(output, _expected(*new, keys, values)[0][..., 2:, :])
