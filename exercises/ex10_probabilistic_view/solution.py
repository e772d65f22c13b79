"""A solution of exercise 10."""

import numpy as np


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def posterior(query, keys, variance):
    distances = ((query[:, None] - keys) ** 2).sum(axis=-1)
    return softmax(-distances / (2 * variance))


def implied_prior(keys):
    return softmax((keys**2).sum(axis=-1) / (2 * np.sqrt(keys.shape[-1])))


def standard_error(weights, values, draws):
    mean = weights @ values
    squared = weights @ ((values - mean) ** 2).sum(axis=-1)
    return np.sqrt(squared / draws)


def output_gradient(query, keys, values):
    weights = softmax(keys @ query / np.sqrt(len(query)))
    centred = keys - weights @ keys
    return (weights[:, None] * values).T @ centred / np.sqrt(len(query))
