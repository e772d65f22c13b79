"""A solution of exercise 09."""

import numpy as np


def groups(n, size):
    base = 10**size
    return [n] if n < base else [*groups(n // base, size), n % base]


def teacher_forcing(sequences, start, end, filler):
    rows = [[start, *tokens, end] for tokens in sequences]
    padded = np.full((len(rows), max(map(len, rows))), filler)
    for i, row in enumerate(rows):
        padded[i, : len(row)] = row
    return padded[:, :-1], padded[:, 1:]


def cross_attention(target, memory, lengths, W_Q, W_K, W_V):
    query, key, value = target @ W_Q, memory @ W_K, memory @ W_V
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    real = np.arange(memory.shape[1]) < lengths[:, None, None]
    scores = np.where(real, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def greedy(next_logits, start, end, max_tokens):
    rows = np.arange(len(next_logits))
    new = np.full(len(rows), start)
    ended = np.zeros(len(rows), dtype=bool)
    written = []
    while len(written) < max_tokens and not ended.all():
        new = np.where(ended, end, next_logits[rows, new].argmax(axis=1))
        ended = new == end
        written.append(new)
    return np.stack(written, axis=1)


def exact_matches(written, targets, end):
    ends = (targets == end).argmax(axis=1)
    return [np.array_equal(written[i, : n + 1], targets[i, : n + 1]) for i, n in enumerate(ends)]
