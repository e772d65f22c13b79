"""A solution of exercise 05."""

import numpy as np

from course_lib.reference import softmax


def split_heads(x, num_heads):
    B, T, width = x.shape
    return x.reshape(B, T, num_heads, width // num_heads).transpose(0, 2, 1, 3)


def merge_heads(x):
    B, H, T, d = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, H * d)


def multi_head_attention(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (split_heads(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    weights = softmax(q @ k.swapaxes(2, 3) / np.sqrt(q.shape[3]))
    return merge_heads(weights @ v) @ W_O


def repeat_heads(x, num_heads):
    return np.repeat(x, num_heads // x.shape[1], axis=1)


def attention_parameters(d_model, num_heads, num_kv_heads):
    kv_width = num_kv_heads * (d_model // num_heads)
    return 2 * d_model * (d_model + kv_width)
