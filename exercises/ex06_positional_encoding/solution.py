"""A solution of exercise 06."""

import numpy as np


def positional_encoding(num_positions, d_model, start):
    t = np.arange(start, start + num_positions)[:, None]
    column = np.arange(d_model)
    angle = t / 10000 ** (2 * (column // 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))


def position_rotation(delta, d_model):
    rotation = np.zeros((d_model, d_model))
    for i in range(0, d_model, 2):
        angle = delta / 10000 ** (i / d_model)
        c, s = np.cos(angle), np.sin(angle)
        rotation[i : i + 2, i : i + 2] = [[c, -s], [s, c]]
    return rotation


def add_positions(x, table, starts):
    return x + table[starts[:, None] + np.arange(x.shape[1])]


def rotary(x, start):
    T, d_k = x.shape[-2:]
    t = np.arange(start, start + T)[:, None]
    angle = t / 10000 ** (np.arange(0, d_k, 2) / d_k)
    c, s = np.cos(angle), np.sin(angle)
    even, odd = x[..., ::2], x[..., 1::2]
    return np.stack([even * c - odd * s, even * s + odd * c], axis=-1).reshape(x.shape)
