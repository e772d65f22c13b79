"""A solution of exercise 12."""

import numpy as np


def cache_bytes(batch, layers, num_kv_heads, d_head, tokens, bytes_per_number):
    return 2 * batch * layers * num_kv_heads * d_head * tokens * bytes_per_number


def comparisons(prompt, generated):
    total = prompt + generated
    return total * (total + 1) // 2


def crossover_tokens(weight_bytes, cache_bytes_per_token, batch):
    return weight_bytes // (cache_bytes_per_token * batch) + 1


def cached_attention(query, new_key, new_value, keys, values):
    keys = np.concatenate([keys, new_key], axis=-2)
    values = np.concatenate([values, new_value], axis=-2)
    T, S = query.shape[-2], keys.shape[-2]
    may_look = np.arange(S) <= np.arange(T)[:, None] + S - T
    scores = query @ keys.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    scores = np.where(may_look, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True) @ values, keys, values
