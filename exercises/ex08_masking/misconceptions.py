"""What people write instead, and right ways that differ from the solution."""

import math

import numpy as np

from course_lib.grading import misconception, right_variant


@misconception(
    "causal_mask",
    caught_by="test_causal_mask_after_a_cache",
    says="This looks like a mask aligned to the first key, as is_causal=True has it in PyTorch. "
    "The new queries stand at the end of the text: the last one sees every key.",
)
def causal_from_the_first_key(T, S):
    return np.tri(T, S, dtype=bool)


@misconception(
    "causal_mask",
    caught_by="test_causal_mask_of_three",
    says="This looks like True for what must not be seen, as nn.MultiheadAttention means it. Here "
    "True means that a query may look.",
)
def causal_upside_down(T, S):
    return ~np.tri(T, S, k=S - T, dtype=bool)


@misconception(
    "causal_mask",
    caught_by="test_causal_mask_of_three",
    says="This looks like a mask without its diagonal. A token may look at itself, and without "
    "that the first one would see nothing.",
)
def causal_without_itself(T, S):
    return np.tri(T, S, k=S - T - 1, dtype=bool)


@misconception(
    "causal_mask",
    caught_by="test_causal_mask_of_three",
    says="This looks one step too generous: every query sees the token that it has to predict.",
)
def causal_off_by_one(T, S):
    return np.tri(T, S, k=S - T + 1, dtype=bool)


@misconception(
    "causal_mask",
    caught_by="test_causal_mask_of_three",
    says="This looks like the upper triangle: every query sees the future and not the past.",
)
def causal_to_the_future(T, S):
    return np.triu(np.ones((T, S), dtype=bool), k=S - T)


@misconception(
    "causal_mask",
    caught_by="test_causal_mask_after_a_cache",
    says="This looks like a square mask. Rows are the T queries, columns the S keys.",
)
def causal_square(T, S):
    return np.tri(S, S, dtype=bool)


@misconception(
    "causal_mask",
    caught_by="test_causal_mask_of_three",
    says="This looks like numbers to add to the scores, 0 and −∞. A mask says True or False; "
    "attention puts in the −∞.",
)
def causal_to_be_added(T, S):
    return np.where(np.tri(T, S, k=S - T, dtype=bool), 0, -np.inf)


@right_variant("causal_mask")
def causal_by_tri(T, S):
    return np.tri(T, S, k=S - T)


@right_variant("causal_mask")
def causal_by_loops(T, S):
    return [[s - (S - T) <= t for s in range(S)] for t in range(T)]


@misconception(
    "padding_mask",
    caught_by="test_padding_mask_of_two_sentences",
    says="This looks like True for the filler. True means that a query may look: at real tokens.",
)
def padding_upside_down(lengths, S):
    return np.arange(S) >= lengths[:, None, None]


@misconception(
    "padding_mask",
    caught_by="test_padding_mask_of_two_sentences",
    says="This looks one token too long: a sentence of n tokens has the places 0 to n − 1.",
)
def padding_off_by_one(lengths, S):
    return np.arange(S) <= lengths[:, None, None]


@misconception(
    "padding_mask",
    caught_by="test_padding_mask_of_two_sentences",
    says="This looks like a mask without an axis for the queries. Against scores of shape "
    "(B, T, S), a (B, S) mask is read as one row for each query, not for each sentence.",
)
def padding_without_queries(lengths, S):
    return np.arange(S) < lengths[:, None]


@misconception(
    "padding_mask",
    caught_by="test_padding_mask_of_two_sentences",
    says="This looks as if the real tokens stood at the end. The filler comes after them.",
)
def padding_on_the_left(lengths, S):
    return np.arange(S) >= S - lengths[:, None, None]


@misconception(
    "padding_mask",
    caught_by="test_padding_mask_of_two_sentences",
    says="This looks like an axis for the queries in the wrong place: the mask is (B, 1, S), and "
    "this one (1, B, S).",
)
def padding_with_the_axis_first(lengths, S):
    return (np.arange(S) < lengths[:, None])[None]


@misconception(
    "padding_mask",
    caught_by="test_padding_mask_of_two_sentences",
    says="This looks like numbers to add to the scores, 0 and −∞. A mask says True or False; "
    "attention puts in the −∞.",
)
def padding_to_be_added(lengths, S):
    return np.where(np.arange(S) < lengths[:, None, None], 0, -np.inf)


@right_variant("padding_mask")
def padding_by_loops(lengths, S):
    return [[[s < length for s in range(S)]] for length in lengths]


@right_variant("padding_mask")
def padding_by_filling(lengths, S):
    mask = np.zeros((len(lengths), 1, S), dtype=np.float32)
    for row, length in zip(mask, lengths, strict=True):
        row[:, :length] = 1
    return mask


@misconception(
    "sliding_window_mask",
    caught_by="test_a_window_of_three",
    says="This looks one position too wide: the window of w positions includes the query's own.",
)
def window_too_wide(T, width):
    return np.tri(T, dtype=bool) & ~np.tri(T, k=-width - 1, dtype=bool)


@misconception(
    "sliding_window_mask",
    caught_by="test_a_window_of_three",
    says="This looks one position too narrow: `width` counts the query's own position and those "
    "before it, together.",
)
def window_too_narrow(T, width):
    return np.tri(T, dtype=bool) & ~np.tri(T, k=1 - width, dtype=bool)


@misconception(
    "sliding_window_mask",
    caught_by="test_a_window_of_three",
    says="This looks like True for what must not be seen. Here True means that a query may look.",
)
def window_upside_down(T, width):
    return ~np.tri(T, dtype=bool) | np.tri(T, k=-width, dtype=bool)


@misconception(
    "sliding_window_mask",
    caught_by="test_a_window_of_three",
    says="This looks like a window without the query's own position. A position may look at "
    "itself, too.",
)
def window_without_itself(T, width):
    return np.tri(T, k=-1, dtype=bool) & ~np.tri(T, k=-width - 1, dtype=bool)


@misconception(
    "sliding_window_mask",
    caught_by="test_a_window_of_three",
    says="This looks like a window to both sides. A position must not see what comes later.",
)
def window_to_both_sides(T, width):
    distance = np.arange(T)[:, None] - np.arange(T)
    return np.abs(distance) < width


@misconception(
    "sliding_window_mask",
    caught_by="test_a_window_of_three",
    says="This looks like a causal mask: the window's older end is open.",
)
def window_without_an_end(T, width):
    return np.tri(T, dtype=bool)


@misconception(
    "sliding_window_mask",
    caught_by="test_a_window_of_three",
    says="This looks like a window into the future: the distance has the wrong sign.",
)
def window_ahead(T, width):
    distance = np.arange(T) - np.arange(T)[:, None]
    return (distance >= 0) & (distance < width)


@misconception(
    "sliding_window_mask",
    caught_by="test_a_window_of_three",
    says="This looks like blocks of w positions side by side. A sliding window moves with each "
    "query.",
)
def window_in_blocks(T, width):
    block = np.arange(T) // width
    return (block[:, None] == block) & np.tri(T, dtype=bool)


@right_variant("sliding_window_mask")
def window_by_two_triangles(T, width):
    return np.tri(T) - np.tri(T, k=-width)


@right_variant("sliding_window_mask")
def window_by_loops(T, width):
    return [[max(0, t - width + 1) <= s <= t for s in range(T)] for t in range(T)]


def _scores(query, key):
    return query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@misconception(
    "masked_attention",
    caught_by="test_attention_with_a_causal_mask",
    says="This looks like multiplying the scores by the mask. A masked score becomes 0, and a "
    "score of 0 has a weight like any other.",
)
def attention_with_multiplied_scores(query, key, value, mask):
    return _softmax(_scores(query, key) * mask) @ value


@misconception(
    "masked_attention",
    caught_by="test_attention_with_a_causal_mask",
    says="This looks like masking the weights after the softmax. What is left no longer sums to "
    "one, since the forbidden keys took their share first.",
)
def attention_with_multiplied_weights(query, key, value, mask):
    return (_softmax(_scores(query, key)) * mask) @ value


@misconception(
    "masked_attention",
    caught_by="test_attention_with_a_causal_mask",
    says="This looks like the mask the wrong way round: what is True may be seen.",
)
def attention_upside_down(query, key, value, mask):
    return _softmax(np.where(mask, -1e30, _scores(query, key))) @ value


@misconception(
    "masked_attention",
    caught_by="test_a_huge_score_cannot_beat_the_mask",
    says="This looks like adding −1000 to masked scores. A score can be larger than that; only −∞ "
    "can't be beaten.",
)
def attention_with_a_small_fill(query, key, value, mask):
    return _softmax(_scores(query, key) + np.where(mask, 0, -1e3)) @ value


@misconception(
    "masked_attention",
    caught_by="test_a_query_that_may_see_nothing_gets_zeros",
    says="This looks like a large finite number in place of −∞. Where all keys are masked, they "
    "then all get the same weight, and the query sees everything that it must not see.",
)
def attention_with_a_finite_fill(query, key, value, mask):
    return _softmax(np.where(mask, _scores(query, key), -1e30)) @ value


@misconception(
    "masked_attention",
    caught_by="test_a_query_that_may_see_nothing_gets_zeros",
    says="This looks like −∞ and no rule for a query without a key: its softmax divides 0 by 0.",
)
def attention_with_nan(query, key, value, mask):
    return _softmax(np.where(mask, _scores(query, key), -np.inf)) @ value


@misconception(
    "masked_attention",
    caught_by="test_attention_with_a_causal_mask",
    says="This looks like attention without a mask.",
)
def attention_without_mask(query, key, value, mask):
    return _softmax(_scores(query, key)) @ value


@misconception(
    "masked_attention",
    caught_by="test_a_huge_score_cannot_beat_the_mask",
    says="This looks like a softmax without subtracting the largest score first: the exponential "
    "of ten thousand is too large for a float, and infinity over infinity is not a number.",
)
def attention_that_overflows(query, key, value, mask):
    powers = np.exp(np.where(mask, _scores(query, key), -np.inf))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total) @ value


@misconception(
    "masked_attention",
    caught_by="test_a_huge_score_cannot_beat_the_mask",
    says="This looks as if the forbidden key had taken part before it was hidden: next to its "
    "score the exponentials of the allowed ones round to 0. Hide first, then find the largest.",
)
def attention_masked_after_the_exponential(query, key, value, mask):
    weights = _softmax(_scores(query, key)) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total) @ value


@misconception(
    "masked_attention",
    caught_by="test_attention_with_a_causal_mask",
    says="This looks like scores that are not divided by √d_k.",
)
def attention_not_scaled(query, key, value, mask):
    return _softmax(np.where(mask, query @ key.swapaxes(-1, -2), -1e30)) @ value


@misconception(
    "masked_attention",
    caught_by="test_attention_with_a_causal_mask",
    says="This looks like a softmax over the queries. Each query shares its attention out among "
    "the keys: a row sums to one, not a column.",
)
def attention_over_the_queries(query, key, value, mask):
    scores = np.where(mask, _scores(query, key), -1e30)
    return _softmax(scores.swapaxes(-1, -2)).swapaxes(-1, -2) @ value


@right_variant("masked_attention")
def attention_by_loops(query, key, value, mask):
    mask = np.broadcast_to(mask, (*query.shape[:-1], key.shape[-2]))
    output = np.zeros((*query.shape[:-1], value.shape[-1]))
    for place in np.ndindex(query.shape[:-1]):
        seen = mask[place]
        keys, values = key[place[:-1]][seen], value[place[:-1]][seen]
        if len(keys):
            scores = keys @ query[place] / math.sqrt(query.shape[-1])
            output[place] = _softmax(scores) @ values
    return output


@right_variant("masked_attention")
def attention_with_masked_powers(query, key, value, mask):
    scores = np.einsum("...td,...sd->...ts", query, key) / np.sqrt(key.shape[-1])
    lowest = np.where(mask, scores, -1e300).max(axis=-1, keepdims=True)
    powers = np.exp(np.minimum(scores - lowest, 0)) * mask
    total = powers.sum(axis=-1, keepdims=True)
    return (powers / np.maximum(total, 1e-300)) @ value
