"""What people write instead, and right ways that differ from the solution."""

import math

import numpy as np

from course_lib.grading import misconception, right_variant
from course_lib.reference import softmax


def _split(x, num_heads):
    B, T, width = x.shape
    return x.reshape(B, T, num_heads, width // num_heads).swapaxes(1, 2)


def _merge(x):
    B, H, T, d = x.shape
    return x.swapaxes(1, 2).reshape(B, T, H * d)


def _attend(q, k, v, *, divisor=None, axis=-1):
    divisor = math.sqrt(q.shape[-1]) if divisor is None else divisor
    return softmax(q @ k.swapaxes(-1, -2) / divisor, axis=axis) @ v


@misconception(
    "split_heads",
    caught_by="test_one_sentence_is_split",
    says="This looks like a reshape straight to (B, H, T, d). The shape is right and the numbers "
    "are not: a head gets entries of several heads, of the wrong tokens. First make (B, T, H, "
    "d), which keeps each token's numbers together, and then exchange the axes of tokens and "
    "heads.",
)
def split_by_reshape_alone(x, num_heads):
    B, T, width = x.shape
    return x.reshape(B, num_heads, T, width // num_heads)


@misconception(
    "split_heads",
    caught_by="test_one_sentence_is_split",
    says="This looks like (B, T, H, d), with the tokens still before the heads. The matrix "
    "products of attention work on the last two axes, and these have to be tokens and entries.",
)
def split_without_transpose(x, num_heads):
    B, T, width = x.shape
    return x.reshape(B, T, num_heads, width // num_heads)


@misconception(
    "split_heads",
    caught_by="test_one_sentence_is_split",
    says="This looks like every H-th column going to the same head, like dealt cards. A head is "
    "a block of neighbouring columns: the first d belong to the first head.",
)
def split_like_cards(x, num_heads):
    B, T, width = x.shape
    return x.reshape(B, T, width // num_heads, num_heads).transpose(0, 3, 1, 2)


@misconception(
    "split_heads",
    caught_by="test_one_sentence_is_split",
    says="This looks like the heads in front of the batch. The batch stays first: (B, H, T, d).",
)
def split_before_the_batch(x, num_heads):
    return np.stack(np.split(x, num_heads, axis=-1))


@misconception(
    "split_heads",
    caught_by="test_one_sentence_is_split",
    says="This looks like heads of width num_heads. It is the number of heads that is given; the "
    "width of one is what is left, width / num_heads.",
)
def split_into_heads_of_that_width(x, num_heads):
    B, T, width = x.shape
    return x.reshape(B, T, width // num_heads, num_heads).swapaxes(1, 2)


@misconception(
    "split_heads",
    caught_by="test_one_sentence_is_split",
    says="This looks like the transposed heads, (B, H, d, T). That order is wanted for the keys "
    "inside the scores and nowhere else.",
)
def split_with_tokens_last(x, num_heads):
    return _split(x, num_heads).swapaxes(-1, -2)


@right_variant("split_heads")
def split_by_cutting(x, num_heads):
    return np.stack(np.split(x, num_heads, axis=-1), axis=1)


@right_variant("split_heads")
def split_by_slices(x, num_heads):
    d = x.shape[-1] // num_heads
    return [[text[:, h * d : (h + 1) * d] for h in range(num_heads)] for text in x]


@misconception(
    "merge_heads",
    caught_by="test_one_sentence_is_merged",
    says="This looks like a reshape without a transpose. A token's row is filled with "
    "neighbouring tokens of the same head instead of the heads of the same token. Bring the "
    "tokens before the heads first.",
)
def merge_by_reshape_alone(x):
    B, H, T, d = x.shape
    return x.reshape(B, T, H * d)


@misconception(
    "merge_heads",
    caught_by="test_one_sentence_is_merged",
    says="This looks like the transpose alone, (B, T, H, d). The last two axes still have to "
    "become one.",
)
def merge_by_transpose_alone(x):
    return x.swapaxes(1, 2)


@misconception(
    "merge_heads",
    caught_by="test_one_sentence_is_merged",
    says="This looks like the entries of the heads in turn: the first of each head, then the "
    "second of each. Side by side means all of head 1, then all of head 2. Otherwise the rows of "
    "W_O would meet the wrong numbers.",
)
def merge_in_turn(x):
    B, H, T, d = x.shape
    return x.transpose(0, 2, 3, 1).reshape(B, T, H * d)


@misconception(
    "merge_heads",
    caught_by="test_one_sentence_is_merged",
    says="This looks like the heads one below the other, as if they were more tokens. A token "
    "keeps one row, and its heads stand side by side in it.",
)
def merge_into_more_tokens(x):
    B, H, T, d = x.shape
    return x.reshape(B, H * T, d)


@misconception(
    "merge_heads",
    caught_by="test_one_sentence_is_merged",
    says="This looks like the mean over the heads. Each found something of its own, and the mean "
    "throws most of it away: keep them all, side by side.",
)
def merge_by_mean(x):
    return x.mean(axis=1)


@misconception(
    "merge_heads",
    caught_by="test_one_sentence_is_merged",
    says="This looks like the sum over the heads. They are added only after each has been "
    "through its own rows of W_O; before that they stand side by side.",
)
def merge_by_sum(x):
    return x.sum(axis=1)


@right_variant("merge_heads")
def merge_by_joining(x):
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)


@right_variant("merge_heads")
def merge_by_lists(x):
    return [[[n for head in text for n in head[t]] for t in range(x.shape[2])] for text in x]


@misconception(
    "multi_head_attention",
    caught_by="test_it_asks_two_questions",
    says="This looks like one head of full width. Without the cut there is one set of weights, "
    "and so one answer; scores, softmax and mixing run in each head by itself.",
)
def attention_in_one_head(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    return _attend(query @ W_Q, key @ W_K, value @ W_V) @ W_O


@misconception(
    "multi_head_attention",
    caught_by="test_it_asks_two_questions",
    says="This looks like dividing by d_k itself, or by the root of a larger width than that of "
    "one head. A dot product in one head sums d_k products: divide by √d_k.",
)
def attention_over_d_k(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (_split(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    return _merge(_attend(q, k, v, divisor=q.shape[-1])) @ W_O


@misconception(
    "multi_head_attention",
    caught_by="test_all_sizes_are_different",
    says="This looks like dividing by the root of the width of all heads together. A dot product "
    "in one head sums d_k entries: divide by the root of the width of one head. With one head "
    "nobody can tell the difference.",
)
def attention_over_root_of_all_heads(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (_split(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    return _merge(_attend(q, k, v, divisor=math.sqrt(W_Q.shape[1]))) @ W_O


@misconception(
    "multi_head_attention",
    caught_by="test_all_sizes_are_different",
    says="This looks like dividing by the root of the token's width. What is summed in a score are "
    "the d_k entries of one head.",
)
def attention_over_root_of_the_token(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (_split(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    return _merge(_attend(q, k, v, divisor=math.sqrt(query.shape[-1]))) @ W_O


@misconception(
    "multi_head_attention",
    caught_by="test_all_sizes_are_different",
    says="This looks like heads that were cut by a reshape without a transpose. The shapes "
    "agree, and the tokens are mixed up: check your split_heads first.",
)
def attention_of_mixed_up_tokens(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (split_by_reshape_alone(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    return _merge(_attend(q, k, v)) @ W_O


@misconception(
    "multi_head_attention",
    caught_by="test_all_sizes_are_different",
    says="This looks like heads that were merged by a reshape without a transpose. The shapes "
    "agree, and each token gets pieces of others: check your merge_heads.",
)
def attention_merged_without_transpose(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (_split(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    return merge_by_reshape_alone(_attend(q, k, v)) @ W_O


@misconception(
    "multi_head_attention",
    caught_by="test_it_asks_two_questions",
    says="This looks like the heads side by side, without W_O. That matrix lets what one head "
    "found meet what another found, and brings the result to the width d_model.",
)
def attention_without_W_O(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (_split(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    return _merge(_attend(q, k, v))


@misconception(
    "multi_head_attention",
    caught_by="test_it_asks_two_questions",
    says="This looks like attention without the division by √d_k.",
)
def attention_without_division(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (_split(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    return _merge(_attend(q, k, v, divisor=1)) @ W_O


@misconception(
    "multi_head_attention",
    caught_by="test_all_sizes_are_different",
    says="This looks like a softmax over the queries. Each query divides its weight among the "
    "keys, on the last axis of the scores.",
)
def attention_over_the_queries(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (_split(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    return _merge(_attend(q, k, v, axis=-2)) @ W_O


@misconception(
    "multi_head_attention",
    caught_by="test_it_asks_two_questions",
    says="This looks like mixing with the scores themselves. They become weights only by softmax.",
)
def attention_without_softmax(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (_split(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    return _merge(q @ k.swapaxes(2, 3) / math.sqrt(q.shape[3]) @ v) @ W_O


@misconception(
    "multi_head_attention",
    caught_by="test_it_asks_two_questions",
    says="This looks like dividing by √d_k after the softmax. The division belongs to the "
    "scores: afterwards the weights no longer sum to 1.",
)
def attention_divided_too_late(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (_split(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    return _merge(_attend(q, k, v, divisor=1) / math.sqrt(q.shape[3])) @ W_O


@misconception(
    "multi_head_attention",
    caught_by="test_all_sizes_are_different",
    says="This looks like dividing by the root of the width of the values. The scores are sums"
    " over the d_k entries of queries and keys.",
)
def attention_over_root_of_d_v(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (_split(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    return _merge(_attend(q, k, v, divisor=math.sqrt(v.shape[-1]))) @ W_O


@misconception(
    "multi_head_attention",
    caught_by="test_it_asks_two_questions",
    says="This looks like two results, the output and the weights, as nn.MultiheadAttention "
    "returns them. The output alone is wanted.",
)
def attention_with_its_weights(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (_split(x, num_heads) for x in (query @ W_Q, key @ W_K, value @ W_V))
    weights = softmax(q @ k.swapaxes(2, 3) / math.sqrt(q.shape[3]))
    return _merge(weights @ v) @ W_O, weights


@right_variant("multi_head_attention")
def attention_head_by_head(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    """Each head through its own rows of W_O, and added."""
    d_k, d_v = W_Q.shape[1] // num_heads, W_V.shape[1] // num_heads
    output = 0
    for h in range(num_heads):
        ks, vs = slice(h * d_k, (h + 1) * d_k), slice(h * d_v, (h + 1) * d_v)
        head = _attend(query @ W_Q[:, ks], key @ W_K[:, ks], value @ W_V[:, vs])
        output = output + head @ W_O[vs]
    return output


@right_variant("multi_head_attention")
def attention_by_einsum(query, key, value, W_Q, W_K, W_V, W_O, num_heads):
    q, k, v = (
        (x @ W).reshape(*x.shape[:2], num_heads, -1)
        for x, W in ((query, W_Q), (key, W_K), (value, W_V))
    )
    weights = softmax(np.einsum("bthd,bshd->bhts", q, k) * q.shape[-1] ** -0.5)
    mixed = np.einsum("bhts,bshd->bthd", weights, v)
    return np.einsum("bthd,hdm->btm", mixed, W_O.reshape(num_heads, -1, W_O.shape[1]))


@right_variant("multi_head_attention")
def attention_in_float32(*arguments):
    *arrays, num_heads = arguments
    return attention_head_by_head(*(array.astype(np.float32) for array in arrays), num_heads)


@misconception(
    "repeat_heads",
    caught_by="test_two_key_heads_serve_six",
    says="This looks like the heads in the order 1, 2, 1, 2, 1, 2. Neighbouring query heads "
    "share a key head: 1, 1, 1, 2, 2, 2. A trained model's W_Q is arranged for that order, and "
    "in the other each query would meet keys that were not made for it.",
)
def heads_in_turn(x, num_heads):
    return np.tile(x, (1, num_heads // x.shape[1], 1, 1))


@misconception(
    "repeat_heads",
    caught_by="test_two_key_heads_serve_six",
    says="This looks like repeating tokens instead of heads. A key that occurs three times gets "
    "three shares of the weight.",
)
def tokens_repeated(x, num_heads):
    return np.repeat(x, num_heads // x.shape[1], axis=2)


@misconception(
    "repeat_heads",
    caught_by="test_two_key_heads_serve_six",
    says="This looks like repeating each head num_heads times. num_heads is how many there are "
    "in the end, so each one is repeated num_heads / H_kv times.",
)
def heads_repeated_too_often(x, num_heads):
    return np.repeat(x, num_heads, axis=1)


@misconception(
    "repeat_heads",
    caught_by="test_two_key_heads_serve_six",
    says="These look like the heads as they came. Every query head needs a partner, so each key "
    "head has to stand there num_heads / H_kv times.",
)
def heads_not_repeated(x, num_heads):
    return x


@misconception(
    "repeat_heads",
    caught_by="test_two_key_heads_serve_six",
    says="This looks like the first key head for all. That is multi-query attention; here each "
    "key head serves its own group of query heads.",
)
def first_head_for_all(x, num_heads):
    return np.repeat(x[:, :1], num_heads, axis=1)


@misconception(
    "repeat_heads",
    caught_by="test_two_key_heads_serve_six",
    says="This looks like repeating whole sentences. The heads are the second axis, number 1.",
)
def sentences_repeated(x, num_heads):
    return np.repeat(x, num_heads // x.shape[1], axis=0)


@right_variant("repeat_heads")
def heads_by_index(x, num_heads):
    group = num_heads // x.shape[1]
    return x[:, np.arange(num_heads) // group]


@right_variant("repeat_heads")
def heads_by_broadcasting(x, num_heads):
    B, H_kv, S, d = x.shape
    group = num_heads // H_kv
    return np.broadcast_to(x[:, :, None], (B, H_kv, group, S, d)).reshape(B, num_heads, S, d)


@misconception(
    "attention_parameters",
    caught_by="test_the_base_model_of_2017",
    says="This looks like heads that read a slice of the token each, with matrices of d_k × d_k. "
    "Every head reads the whole token: its matrices are d_model × d_k.",
)
def parameters_of_slices(d_model, num_heads, num_kv_heads):
    return 2 * (num_heads + num_kv_heads) * (d_model // num_heads) ** 2


@misconception(
    "attention_parameters",
    caught_by="test_the_base_model_of_2017",
    says="This looks like W_Q, W_K and W_V without W_O, which mixes the heads' results.",
)
def parameters_without_W_O(d_model, num_heads, num_kv_heads):
    return d_model * (d_model + 2 * num_kv_heads * (d_model // num_heads))


@misconception(
    "attention_parameters",
    caught_by="test_the_base_model_of_2017",
    says="This looks like heads of full width, d_model × d_model each. A head is only d_k wide, "
    "so that all of them together cost what one wide head costs.",
)
def parameters_of_wide_heads(d_model, num_heads, num_kv_heads):
    return 2 * (num_heads + num_kv_heads) * d_model**2


@misconception(
    "attention_parameters",
    caught_by="test_the_base_model_of_2017",
    says="This looks like the matrices and a bias for each of their columns. Only the four "
    "matrices are counted here.",
)
def parameters_with_biases(d_model, num_heads, num_kv_heads):
    return 2 * (d_model + 1) * (d_model + num_kv_heads * (d_model // num_heads))


@misconception(
    "attention_parameters",
    caught_by="test_a_model_with_shared_keys",
    says="This looks like 4 · d_model², as if each query head had keys and values of its own. "
    "W_K and W_V have only num_kv_heads · d_k columns.",
)
def parameters_without_sharing(d_model, num_heads, num_kv_heads):
    return 4 * d_model**2


@misconception(
    "attention_parameters",
    caught_by="test_a_model_with_shared_keys",
    says="This looks like num_kv_heads query heads to each key head. It is how many heads of "
    "keys and values there are.",
)
def parameters_by_size_of_group(d_model, num_heads, num_kv_heads):
    return 2 * d_model * (d_model + d_model // num_kv_heads)


@misconception(
    "attention_parameters",
    caught_by="test_a_model_with_shared_keys",
    says="This looks like sharing the keys alone. The values of a group are shared too.",
)
def parameters_with_shared_keys_alone(d_model, num_heads, num_kv_heads):
    return d_model * (3 * d_model + num_kv_heads * (d_model // num_heads))


@right_variant("attention_parameters")
def parameters_head_by_head(d_model, num_heads, num_kv_heads):
    d_k = d_model // num_heads
    matrices = [num_heads, num_kv_heads, num_kv_heads, num_heads]
    return sum(d_model * d_k for heads in matrices for _ in range(heads))


@right_variant("attention_parameters")
def parameters_matrix_by_matrix(d_model, num_heads, num_kv_heads):
    d_k = d_model / num_heads
    W_Q = W_O = d_model * num_heads * d_k
    W_K = W_V = d_model * num_kv_heads * d_k
    return W_Q + W_K + W_V + W_O
