"""A solution of exercise 04."""

import numpy as np


def softmax(x):
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def scaled_scores(query, key):
    return query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])


def attention(query, key, value):
    return softmax(scaled_scores(query, key)) @ value


def softmax_jacobian(weights):
    return np.diag(weights) - np.outer(weights, weights)
