"""What people write instead, and right ways that differ from the solution."""

import math

import numpy as np

from course_lib.grading import misconception, right_variant


@misconception(
    "cache_bytes",
    caught_by="test_the_bytes_of_a_small_cache",
    says="This looks like the keys alone. Every token leaves a key and a value.",
)
def bytes_of_keys_alone(batch, layers, num_kv_heads, d_head, tokens, bytes_per_number):
    return batch * layers * num_kv_heads * d_head * tokens * bytes_per_number


@misconception(
    "cache_bytes",
    caught_by="test_the_bytes_of_a_small_cache",
    says="This looks like the cache of one layer. Each layer has keys and values of its own.",
)
def bytes_of_one_layer(batch, layers, num_kv_heads, d_head, tokens, bytes_per_number):
    return 2 * batch * num_kv_heads * d_head * tokens * bytes_per_number * min(layers, 1)


@misconception(
    "cache_bytes",
    caught_by="test_the_bytes_of_a_small_cache",
    says="This looks like a count of numbers. Each takes bytes_per_number bytes.",
)
def bytes_as_numbers(batch, layers, num_kv_heads, d_head, tokens, bytes_per_number):
    return 2.0 * batch * layers * num_kv_heads * d_head * tokens + 0 * bytes_per_number


@misconception(
    "cache_bytes",
    caught_by="test_the_bytes_of_a_small_cache",
    says="This looks like the square of the tokens. The table of weights has T² entries and is "
    "thrown away; what is kept is one key and one value a token.",
)
def bytes_with_the_square(batch, layers, num_kv_heads, d_head, tokens, bytes_per_number):
    return 2 * batch * layers * num_kv_heads * d_head * tokens**2 * bytes_per_number


@misconception(
    "cache_bytes",
    caught_by="test_the_bytes_of_a_small_cache",
    says="This looks like the number of heads counted twice. Their widths side by side are "
    "heads times d_head, once.",
)
def bytes_with_heads_twice(batch, layers, num_kv_heads, d_head, tokens, bytes_per_number):
    return 2 * batch * layers * num_kv_heads**2 * d_head * tokens * bytes_per_number


@right_variant("cache_bytes")
def bytes_of_arrays(batch, layers, num_kv_heads, d_head, tokens, bytes_per_number):
    keys = values = batch * num_kv_heads * tokens * d_head
    return sum(bytes_per_number * (keys + values) for _ in range(layers))


@right_variant("cache_bytes")
def bytes_in_float(batch, layers, num_kv_heads, d_head, tokens, bytes_per_number):
    a_token = 2.0 * layers * num_kv_heads * d_head * bytes_per_number
    return np.float64(a_token * tokens * batch)


@misconception(
    "comparisons",
    caught_by="test_the_comparisons_of_a_prompt_alone",
    says="This looks like every token compared with every token. A causal model compares each "
    "with itself and with those before it.",
)
def comparisons_without_mask(prompt, generated):
    return (prompt + generated) ** 2


@misconception(
    "comparisons",
    caught_by="test_the_comparisons_of_a_prompt_alone",
    says="This looks as if no token were compared with itself, or the last one were left out. "
    "Each token's own key is among the keys, and the last token is compared too.",
)
def comparisons_without_itself(prompt, generated):
    return math.comb(prompt + generated, 2)


@misconception(
    "comparisons",
    caught_by="test_the_comparisons_of_a_conversation",
    says="This looks like a model without a cache, which goes through the whole text again for "
    "every token. With the cache, only the new token's query is compared.",
)
def comparisons_without_cache(prompt, generated):
    lengths = range(prompt, prompt + generated + 1)
    return sum(n * (n + 1) // 2 for n in lengths)


@misconception(
    "comparisons",
    caught_by="test_the_comparisons_of_a_conversation",
    says="This looks like the prompt and the new tokens counted apart. A new token is compared "
    "with the prompt too.",
)
def comparisons_counted_apart(prompt, generated):
    return prompt * (prompt + 1) // 2 + generated * (generated + 1) // 2


@misconception(
    "comparisons",
    caught_by="test_the_comparisons_of_a_conversation",
    says="This looks like the prompt alone: the generated tokens are missing.",
)
def comparisons_of_the_prompt(prompt, generated):
    return prompt * (prompt + 1) // 2


@right_variant("comparisons")
def comparisons_by_counting(prompt, generated):
    return sum(t + 1 for t in range(prompt + generated))


@right_variant("comparisons")
def comparisons_step_by_step(prompt, generated):
    first = prompt * (prompt + 1) / 2
    return first + sum(prompt + n for n in range(1, generated + 1))


@misconception(
    "crossover_tokens",
    caught_by="test_the_crossover_of_one_text",
    says="This looks like the longest text whose cache is not larger. The shortest one whose "
    "cache is larger is wanted.",
)
def crossover_one_too_early(weight_bytes, cache_bytes_per_token, batch):
    return weight_bytes // (cache_bytes_per_token * batch)


@misconception(
    "crossover_tokens",
    caught_by="test_the_crossover_of_a_batch",
    says="This looks as if the batch shared one cache. The weights are read once for all texts, "
    "and each text has a cache of its own.",
)
def crossover_without_batch(weight_bytes, cache_bytes_per_token, batch):
    return weight_bytes // cache_bytes_per_token + min(batch, 1)


@misconception(
    "crossover_tokens",
    caught_by="test_the_crossover_of_a_batch",
    says="This looks as if the weights were read once for each text. A batch reads them once.",
)
def crossover_with_more_weights(weight_bytes, cache_bytes_per_token, batch):
    return weight_bytes * batch // cache_bytes_per_token + 1


@misconception(
    "crossover_tokens",
    caught_by="test_the_crossover_of_one_text",
    says="This looks like a fraction of a token. A text has a whole number of them.",
)
def crossover_as_a_fraction(weight_bytes, cache_bytes_per_token, batch):
    return weight_bytes / (cache_bytes_per_token * batch)


@misconception(
    "crossover_tokens",
    caught_by="test_the_crossover_of_one_text",
    says="This looks like the quotient upside down, cache over weights.",
)
def crossover_upside_down(weight_bytes, cache_bytes_per_token, batch):
    return cache_bytes_per_token * batch // weight_bytes + 1


@misconception(
    "crossover_tokens",
    caught_by="test_the_crossover_where_the_two_are_equal",
    says="This looks like the quotient rounded up. Where it is a whole number, the cache is "
    "exactly as large as the weights, and not yet larger.",
)
def crossover_rounded_up(weight_bytes, cache_bytes_per_token, batch):
    return math.ceil(weight_bytes / (cache_bytes_per_token * batch))


@right_variant("crossover_tokens")
def crossover_by_searching(weight_bytes, cache_bytes_per_token, batch):
    tokens = 0
    while tokens * cache_bytes_per_token * batch <= weight_bytes:
        tokens += 1
    return tokens


@right_variant("crossover_tokens")
def crossover_by_floor(weight_bytes, cache_bytes_per_token, batch):
    return math.floor(weight_bytes / cache_bytes_per_token / batch) + 1.0


def _attend(query, keys, values, may_look):
    scores = query @ keys.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    scores = np.where(may_look, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True) @ values


def _grown(keys, new_key, values, new_value):
    keys = np.concatenate([keys, new_key], axis=-2)
    return keys, np.concatenate([values, new_value], axis=-2)


@misconception(
    "cached_attention",
    caught_by="test_a_chunk_of_three_after_five",
    says="This looks like attention without a mask. For a single new token there is nothing to "
    "hide; in a chunk the earlier queries see the later keys.",
)
def cached_without_mask(query, new_key, new_value, keys, values):
    keys, values = _grown(keys, new_key, values, new_value)
    return _attend(query, keys, values, True), keys, values


@misconception(
    "cached_attention",
    caught_by="test_one_new_token_after_five",
    says="This looks like a mask aligned to the first key: the new query sees the oldest key "
    "alone. The new queries stand at the end of the text.",
)
def cached_from_the_first_key(query, new_key, new_value, keys, values):
    keys, values = _grown(keys, new_key, values, new_value)
    mask = np.tri(query.shape[-2], keys.shape[-2], dtype=bool)
    return _attend(query, keys, values, mask), keys, values


@misconception(
    "cached_attention",
    caught_by="test_one_new_token_after_five",
    says="This looks like the new keys in front of the cached ones. They come after them.",
)
def cached_in_the_wrong_order(query, new_key, new_value, keys, values):
    keys, values = _grown(new_key, keys, new_value, values)
    T, S = query.shape[-2], keys.shape[-2]
    return _attend(query, keys, values, np.tri(T, S, S - T, dtype=bool)), keys, values


@misconception(
    "cached_attention",
    caught_by="test_one_new_token_after_five",
    says="This looks as if the new tokens' keys and values had not been added before attending: "
    "a token sees itself too.",
)
def cached_without_itself(query, new_key, new_value, keys, values):
    may_look = np.ones(keys.shape[-2], dtype=bool)
    grown = _grown(keys, new_key, values, new_value)
    if keys.shape[-2] == 0:
        return np.zeros((*query.shape[:-1], values.shape[-1])), *grown
    return _attend(query, keys, values, may_look), *grown


@misconception(
    "cached_attention",
    caught_by="test_one_new_token_after_five",
    says="This looks as if the cache were not read: the new tokens see only one another.",
)
def cached_and_forgotten(query, new_key, new_value, keys, values):
    T = query.shape[-2]
    output = _attend(query, new_key, new_value, np.tri(T, dtype=bool))
    return output, *_grown(keys, new_key, values, new_value)


@misconception(
    "cached_attention",
    caught_by="test_one_new_token_after_five",
    says="The output is right, but the cache that comes back is the old one: the next token "
    "would not see this one.",
)
def cached_and_not_grown(query, new_key, new_value, keys, values):
    old = keys, values
    keys, values = _grown(keys, new_key, values, new_value)
    T, S = query.shape[-2], keys.shape[-2]
    return _attend(query, keys, values, np.tri(T, S, S - T, dtype=bool)), *old


@misconception(
    "cached_attention",
    caught_by="test_one_new_token_after_five",
    says="This looks as if the new keys and values had been put into the cache twice.",
)
def cached_twice(query, new_key, new_value, keys, values):
    keys, values = _grown(keys, new_key, values, new_value)
    T, S = query.shape[-2], keys.shape[-2]
    output = _attend(query, keys, values, np.tri(T, S, S - T, dtype=bool))
    return output, *_grown(keys, new_key, values, new_value)


@misconception(
    "cached_attention",
    caught_by="test_one_new_token_after_five",
    says="This looks like scores that are not divided by √d_k.",
)
def cached_not_scaled(query, new_key, new_value, keys, values):
    keys, values = _grown(keys, new_key, values, new_value)
    T, S = query.shape[-2], keys.shape[-2]
    query = query * np.sqrt(query.shape[-1])
    return _attend(query, keys, values, np.tri(T, S, S - T, dtype=bool)), keys, values


@misconception(
    "cached_attention",
    caught_by="test_scores_of_nine_hundred",
    says="This looks like a softmax without subtracting the largest score first: the exponential "
    "of 900 is too large for a float, and infinity over infinity is not a number.",
)
def cached_overflowing(query, new_key, new_value, keys, values):
    keys, values = _grown(keys, new_key, values, new_value)
    T, S = query.shape[-2], keys.shape[-2]
    scores = query @ keys.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    powers = np.exp(scores) * np.tri(T, S, S - T)
    return powers / powers.sum(axis=-1, keepdims=True) @ values, keys, values


@right_variant("cached_attention")
def cached_by_loops(query, new_key, new_value, keys, values):
    past = keys.shape[-2]
    keys, values = _grown(keys, new_key, values, new_value)
    outputs = [
        _attend(query[..., t : t + 1, :], keys[..., :end, :], values[..., :end, :], True)
        for t, end in enumerate(range(past + 1, keys.shape[-2] + 1))
    ]
    return np.concatenate(outputs, axis=-2), keys, values


@right_variant("cached_attention")
def cached_by_einsum(query, new_key, new_value, keys, values):
    keys, values = np.append(keys, new_key, axis=-2), np.append(values, new_value, axis=-2)
    T, S = query.shape[-2], keys.shape[-2]
    scores = np.einsum("...td,...sd->...ts", query, keys) * query.shape[-1] ** -0.5
    scores = scores + np.triu(np.full((T, S), -np.inf), k=S - T + 1)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True)
    return np.einsum("...ts,...sv->...tv", weights, values), keys, values


@right_variant("cached_attention")
def cached_in_float32(query, new_key, new_value, keys, values):
    arguments = (query, new_key, new_value, keys, values)
    return cached_by_loops(*(array.astype(np.float32) for array in arguments))
