"""What people write instead, and right ways that differ from the solution."""

import math

import numpy as np

from course_lib.grading import misconception, right_variant


def _softmax(x, axis=-1):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _attend(scores, value):
    return _softmax(scores) @ value


@misconception(
    "softmax",
    caught_by="test_softmax_of_large_numbers",
    says="This looks like exp(x) over its sum as it stands. exp(1000) is more than a float can "
    "hold, and exp(−1000) is 0: subtract the largest entry first, it changes nothing else.",
)
def softmax_without_shift(x):
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


@misconception(
    "softmax",
    caught_by="test_softmax_of_large_numbers",
    says="This looks like subtracting the largest entry of the whole array. A row far below it "
    "still vanishes: subtract each row's own largest entry.",
)
def softmax_with_one_shift_for_all(x):
    exponentials = np.exp(x - x.max())
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@misconception(
    "softmax",
    caught_by="test_softmax_works_on_the_last_axis",
    says="This looks like a softmax over the whole array. Each row needs its own sum: pass "
    "axis=-1 and keepdims=True.",
)
def softmax_over_everything(x):
    exponentials = np.exp(x - x.max())
    return exponentials / exponentials.sum()


@misconception(
    "softmax",
    caught_by="test_softmax_works_on_the_last_axis",
    says="This looks like a softmax over the first axis. The entries that compete lie on the last.",
)
def softmax_over_the_first_axis(x):
    return _softmax(x, axis=0)


@misconception(
    "softmax",
    caught_by="test_softmax_of_three_numbers",
    says="This looks like dividing by the sum without exponentials. A negative logit would become "
    "a negative weight.",
)
def softmax_without_exponentials(x):
    return x / x.sum(axis=-1, keepdims=True)


@misconception(
    "softmax",
    caught_by="test_softmax_of_three_numbers",
    says="This looks like the logarithm of the softmax. The weights themselves are wanted.",
)
def log_softmax(x):
    return np.log(_softmax(x))


@misconception(
    "softmax",
    caught_by="test_softmax_of_three_numbers",
    says="These look like the exponentials alone. They still have to be divided by their sum.",
)
def softmax_without_sum(x):
    return np.exp(x - x.max(axis=-1, keepdims=True))


@misconception(
    "softmax",
    caught_by="test_softmax_of_large_numbers",
    says="This looks like subtracting each row's mean. Whatever is subtracted from a row, its "
    "weights stay the same, but only the largest entry is sure to keep exp from overflowing: here"
    " it lies more than a thousand above the mean.",
)
def softmax_shifted_by_the_mean(x):
    exponentials = np.exp(x - x.mean(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@misconception(
    "softmax",
    caught_by="test_softmax_works_on_the_last_axis",
    says="This looks like a softmax over axis 1. Counted from the front, the number of the last "
    "axis depends on how many axes there are; counted from the end, it is always −1.",
)
def softmax_over_axis_1(x):
    return _softmax(x, axis=1)


@right_variant("softmax")
def softmax_by_logarithms(x):
    shifted = x - np.max(x, axis=-1, keepdims=True)
    return np.exp(shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True)))


@right_variant("softmax")
def softmax_by_loops(x):
    rows = []
    for row in np.reshape(x, (-1, x.shape[-1])):
        powers = [math.exp(entry - max(row)) for entry in row]
        rows.append([power / sum(powers) for power in powers])
    return np.reshape(rows, x.shape)


@misconception(
    "scaled_scores",
    caught_by="test_scores_of_ones",
    says="This looks like dividing by d_k instead of its square root. The scores get flatter and "
    "flatter as d_k grows: their variance falls as 1 / d_k.",
)
def scores_over_d_k(query, key):
    return query @ key.swapaxes(-1, -2) / query.shape[-1]


@misconception(
    "scaled_scores",
    caught_by="test_scores_of_ones",
    says="This looks like multiplying by √d_k instead of dividing by it.",
)
def scores_times_root(query, key):
    return query @ key.swapaxes(-1, -2) * np.sqrt(query.shape[-1])


@misconception(
    "scaled_scores",
    caught_by="test_scores_of_ones",
    says="These look like the plain dot products. The division by √d_k is missing.",
)
def scores_without_division(query, key):
    return query @ key.swapaxes(-1, -2)


@misconception(
    "scaled_scores",
    caught_by="test_scores_of_any_shape",
    says="This looks like dividing by the root of the number of keys. What is summed in a dot "
    "product are the d_k entries, so the root of d_k is wanted.",
)
def scores_over_root_of_keys(query, key):
    return query @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-2])


@misconception(
    "scaled_scores",
    caught_by="test_scores_of_any_shape",
    says="This looks like the scores the wrong way round: rows follow the queries, columns the "
    "keys.",
)
def scores_transposed(query, key):
    return key @ query.swapaxes(-1, -2) / np.sqrt(query.shape[-1])


@misconception(
    "scaled_scores",
    caught_by="test_scores_of_any_shape",
    says="This looks like cosines: the vectors were divided by their lengths. Attention uses the "
    "plain dot product, over √d_k.",
)
def scores_by_cosine(query, key):
    lengths = [np.linalg.norm(x, axis=-1, keepdims=True) for x in (query, key)]
    return (query / lengths[0]) @ (key / lengths[1]).swapaxes(-1, -2)


@misconception(
    "scaled_scores",
    caught_by="test_scores_of_ones",
    says="These look like weights. The softmax is a function of its own; here only the scores "
    "that go into it are wanted.",
)
def scores_as_weights(query, key):
    return _softmax(query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1]))


@right_variant("scaled_scores")
def scores_by_einsum(query, key):
    return np.einsum("...td,...sd->...ts", query, key) * query.shape[-1] ** -0.5


@right_variant("scaled_scores")
def scores_of_scaled_queries(query, key):
    return (query / math.sqrt(key.shape[-1])) @ np.moveaxis(key, -1, -2)


@misconception(
    "attention",
    caught_by="test_the_documents_example",
    says="This looks like attention without the division by √d_k.",
)
def attention_without_division(query, key, value):
    return _attend(query @ key.swapaxes(-1, -2), value)


@misconception(
    "attention",
    caught_by="test_the_documents_example",
    says="This looks like dividing by d_k instead of its square root.",
)
def attention_over_d_k(query, key, value):
    return _attend(query @ key.swapaxes(-1, -2) / key.shape[-1], value)


@misconception(
    "attention",
    caught_by="test_attention_with_all_sizes_different",
    says="This looks like a softmax over the queries. Each query divides its weight among the "
    "keys: the softmax runs over the last axis of the scores.",
)
def attention_over_the_queries(query, key, value):
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-1])
    return _softmax(scores, axis=-2) @ value


@misconception(
    "attention",
    caught_by="test_attention_with_all_sizes_different",
    says="This looks like dividing by the root of d_v. The scores are sums over d_k entries.",
)
def attention_over_root_of_d_v(query, key, value):
    return _attend(query @ key.swapaxes(-1, -2) / np.sqrt(value.shape[-1]), value)


@misconception(
    "attention",
    caught_by="test_attention_with_large_scores",
    says="This looks like attention with exponentials of the scores as they stand. Scores in "
    "the thousands overflow: use your own softmax, which subtracts the largest first.",
)
def attention_that_overflows(query, key, value):
    powers = np.exp(query @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-1]))
    return powers / powers.sum(axis=-1, keepdims=True) @ value


@misconception(
    "attention",
    caught_by="test_the_documents_example",
    says="This looks like mixing with the scores themselves. They become weights only by softmax.",
)
def attention_without_softmax(query, key, value):
    return query @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-1]) @ value


@misconception(
    "attention",
    caught_by="test_attention_with_all_sizes_different",
    says="This looks like dividing by √d_k after the softmax. The division belongs to the scores: "
    "afterwards the weights no longer sum to 1.",
)
def attention_divided_too_late(query, key, value):
    return _attend(query @ key.swapaxes(-1, -2), value) / np.sqrt(key.shape[-1])


@right_variant("attention")
def attention_by_loops(query, key, value):
    output = np.zeros((*query.shape[:-1], value.shape[-1]))
    for place in np.ndindex(query.shape[:-1]):
        keys, values = key[place[:-1]], value[place[:-1]]
        scores = np.array([query[place] @ k for k in keys]) / np.sqrt(key.shape[-1])
        output[place] = sum(w * v for w, v in zip(_softmax(scores), values, strict=True))
    return output


@right_variant("attention")
def attention_normalised_last(query, key, value):
    scores = query @ key.swapaxes(-1, -2) / math.sqrt(key.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (powers @ value) / powers.sum(axis=-1, keepdims=True)


@misconception(
    "softmax_jacobian",
    caught_by="test_the_jacobian_of_three_weights",
    says="This looks like p_i (1 − p_i) on the diagonal and 0 elsewhere. A logit moves the other "
    "weights too: they share one sum, and the entries off the diagonal are −p_i p_j.",
)
def jacobian_of_the_diagonal_alone(weights):
    return np.diag(weights * (1 - weights))


@misconception(
    "softmax_jacobian",
    caught_by="test_the_jacobian_of_three_weights",
    says="The sign is the wrong way round: a logit raises its own weight.",
)
def jacobian_with_the_wrong_sign(weights):
    return np.outer(weights, weights) - np.diag(weights)


@misconception(
    "softmax_jacobian",
    caught_by="test_the_jacobian_of_three_weights",
    says="This looks like the derivatives of a weight by its own logit alone, p_i (1 − p_i). "
    "A table of all pairs is wanted.",
)
def jacobian_as_a_vector(weights):
    return weights * (1 - weights)


@misconception(
    "softmax_jacobian",
    caught_by="test_the_jacobian_of_three_weights",
    says="This looks like the identity minus the products, δ_ij − p_i p_j. The whole is times p_i: "
    "p_i δ_ij − p_i p_j.",
)
def jacobian_of_the_identity(weights):
    return np.eye(len(weights)) - np.outer(weights, weights)


@misconception(
    "softmax_jacobian",
    caught_by="test_the_jacobian_of_three_weights",
    says="This looks like adding where the formula subtracts: a weight falls when another's logit "
    "rises.",
)
def jacobian_with_a_plus(weights):
    return np.diag(weights) + np.outer(weights, weights)


@misconception(
    "softmax_jacobian",
    caught_by="test_the_jacobian_of_three_weights",
    says="This looks like the softmax of the weights, as if they were logits. What comes in "
    "are the weights already.",
)
def jacobian_of_the_softmax_of_weights(weights):
    p = _softmax(weights)
    return np.diag(p) - np.outer(p, p)


@misconception(
    "softmax_jacobian",
    caught_by="test_the_jacobian_of_three_weights",
    says="This looks like weights @ weights.T in place of the table of all products. An array "
    "of one axis is its own transpose, and that product is a single number: np.outer "
    "makes the table.",
)
def jacobian_with_an_inner_product(weights):
    return np.diag(weights) - weights @ weights.T


@misconception(
    "softmax_jacobian",
    caught_by="test_the_jacobian_of_three_weights",
    says="This looks like + p_i p_j off the diagonal. A weight falls when another's logit "
    "rises: those entries are negative.",
)
def jacobian_with_a_plus_off_the_diagonal(weights):
    return np.diag(weights - 2 * weights**2) + np.outer(weights, weights)


@right_variant("softmax_jacobian")
def jacobian_by_broadcasting(weights):
    return weights[:, None] * (np.eye(len(weights)) - weights[None, :])


@right_variant("softmax_jacobian")
def jacobian_by_loops(weights):
    n = len(weights)
    return [[weights[i] * ((i == j) - weights[j]) for j in range(n)] for i in range(n)]
