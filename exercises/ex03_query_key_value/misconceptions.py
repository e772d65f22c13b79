"""What people write instead, and right ways that differ from the solution."""

import math

import numpy as np

from course_lib.grading import misconception, right_variant


@misconception(
    "project",
    caught_by="test_matrices_that_are_not_symmetric",
    says="This looks like X @ W.T. The matrices of this course stand ready for rows, X @ W; the "
    "transpose is for a weight of nn.Linear, or a matrix printed for columns, W x.",
)
def project_by_the_transposes(X, W_Q, W_K, W_V):
    return X @ W_Q.T, X @ W_K.T, X @ W_V.T


@misconception(
    "project",
    caught_by="test_matrices_that_are_not_symmetric",
    says="This looks like W @ X, the matrix from the left. It fits only because everything here is "
    "2 by 2, and it mixes the words with each other. Rows stand on the left: X @ W.",
)
def project_from_the_left(X, W_Q, W_K, W_V):
    return W_Q @ X, W_K @ X, W_V @ X


@misconception(
    "project",
    caught_by="test_the_projections_of_the_document",
    says="This looks like one column for each word, W x as a text with columns writes it. In this "
    "course rows are tokens: n words give n rows.",
)
def project_to_columns(X, W_Q, W_K, W_V):
    return W_Q.T @ X.T, W_K.T @ X.T, W_V.T @ X.T


@misconception(
    "project",
    caught_by="test_the_projections_of_the_document",
    says="This looks like W @ X.T, the way of a text with columns. It gives one column for each "
    "word, and for the same numbers it takes the transpose of these matrices.",
)
def project_columns_with_matrices_for_rows(X, W_Q, W_K, W_V):
    return W_Q @ X.T, W_K @ X.T, W_V @ X.T


@misconception(
    "project",
    caught_by="test_the_projections_of_the_document",
    says="These look like queries and keys in each other's place. The query of a word comes from "
    "W_Q, its key from W_K.",
)
def project_with_query_and_key_exchanged(X, W_Q, W_K, W_V):
    return X @ W_K, X @ W_Q, X @ W_V


@misconception(
    "project",
    caught_by="test_the_projections_of_the_document",
    says="This looks like the same matrix for queries and keys. Then the score of one word for "
    "another is the same both ways, and nothing looks for anything.",
)
def project_with_one_matrix(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_Q, X @ W_V


@misconception(
    "project",
    caught_by="test_the_projections_of_the_document",
    says="This looks like keys made from the queries. All three projections start from the "
    "embeddings, side by side.",
)
def project_in_a_chain(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_Q @ W_K, X @ W_Q @ W_K @ W_V


@misconception(
    "project",
    caught_by="test_the_projections_of_the_document",
    says="This looks like the scaling of attention, 1 / √d_k, inside the queries. It belongs to "
    "the scores; these are the projections alone.",
)
def project_with_the_scale(X, W_Q, W_K, W_V):
    return X @ W_Q / np.sqrt(W_Q.shape[1]), X @ W_K, X @ W_V


@misconception(
    "project",
    caught_by="test_matrices_that_are_not_symmetric",
    says="This looks like the embeddings in place of the values. The document's W_V is the "
    "identity, which hides it; a value has a matrix of its own.",
)
def project_without_values(X, W_Q, W_K, W_V):
    return X @ W_Q, X @ W_K, X


@right_variant("project")
def project_by_einsum(X, W_Q, W_K, W_V):
    Q, K, V = (np.einsum("...nd,de->...ne", X, W) for W in (W_Q, W_K, W_V))
    return Q, K, V


@right_variant("project")
def project_at_once(X, W_Q, W_K, W_V):
    places = np.cumsum([W_Q.shape[1], W_K.shape[1]])
    return tuple(np.split(X @ np.concatenate([W_Q, W_K, W_V], axis=1), places, axis=-1))


@right_variant("project")
def project_as_lists(X, W_Q, W_K, W_V):
    return (X @ W_Q).tolist(), (X @ W_K).tolist(), (W_V.T @ X.swapaxes(-1, -2)).swapaxes(-1, -2)


def _softmax(x, axis=-1):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _scores(looking, found, W_Q, W_K):
    return looking @ W_Q @ (found @ W_K).T


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="These look like the weights without the division of the scores by √d_k.",
)
def weights_without_division(looking, found, W_Q, W_K):
    return _softmax(_scores(looking, found, W_Q, W_K))


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="This looks like dividing by d_k instead of its square root.",
)
def weights_over_d_k(looking, found, W_Q, W_K):
    return _softmax(_scores(looking, found, W_Q, W_K) / W_K.shape[1])


@misconception(
    "attention_weights",
    caught_by="test_weights_with_all_sizes_different",
    says="This looks like dividing by √d_model. A score is a sum over the d_k entries of a query "
    "and a key, so the root of d_k is wanted.",
)
def weights_over_root_of_d_model(looking, found, W_Q, W_K):
    return _softmax(_scores(looking, found, W_Q, W_K) / np.sqrt(W_K.shape[0]))


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="This looks like a softmax over the words that look. Each of them divides its attention "
    "among the words that may be found: every *row* sums to 1.",
)
def weights_over_the_queries(looking, found, W_Q, W_K):
    return _softmax(_scores(looking, found, W_Q, W_K) / np.sqrt(W_K.shape[1]), axis=0)


@misconception(
    "attention_weights",
    caught_by="test_weights_with_all_sizes_different",
    says="This looks like a softmax over the whole table. Each row needs a sum of its own.",
)
def weights_over_everything(looking, found, W_Q, W_K):
    powers = np.exp(_scores(looking, found, W_Q, W_K) / np.sqrt(W_K.shape[1]))
    return powers / powers.sum()


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="This looks like X @ W.T. With the document's W_Q one can't tell, since it is diagonal, "
    "but the key of cat becomes (1.60, 0.64) in place of (1.72, 0.40).",
)
def weights_by_the_transposes(looking, found, W_Q, W_K):
    return _softmax(_scores(looking, found, W_Q.T, W_K.T) / np.sqrt(W_K.shape[1]))


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="This looks like W_Q and W_K exchanged: the word that looks was given a key, and those "
    "that may be found were given queries.",
)
def weights_with_matrices_exchanged(looking, found, W_Q, W_K):
    return _softmax(_scores(looking, found, W_K, W_Q) / np.sqrt(W_K.shape[1]))


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="This looks like a comparison of the embeddings themselves. Between them nothing looks "
    "for anything; project them first.",
)
def weights_of_embeddings(looking, found, W_Q, W_K):
    return _softmax(looking @ found.T / np.sqrt(W_K.shape[1]))


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="These look like the scaled scores. A softmax along each row turns them into weights.",
)
def weights_without_softmax(looking, found, W_Q, W_K):
    return _scores(looking, found, W_Q, W_K) / np.sqrt(W_K.shape[1])


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="This looks like scores over their sum, without exponentials. A negative score would "
    "become a negative weight.",
)
def weights_without_exponentials(looking, found, W_Q, W_K):
    scores = _scores(looking, found, W_Q, W_K)
    return scores / scores.sum(axis=1, keepdims=True)


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="This looks like cosines of queries and keys. Attention uses the plain dot product, over "
    "√d_k: a long key is louder than a short one.",
)
def weights_by_cosines(looking, found, W_Q, W_K):
    query, key = looking @ W_Q, found @ W_K
    lengths = np.linalg.norm(query, axis=1)[:, None] * np.linalg.norm(key, axis=1)
    return _softmax(query @ key.T / lengths)


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="This looks like a word that doesn't look at itself. Nothing forbids it: “it” among the "
    "words that may be found has a key and takes its share.",
)
def weights_without_oneself(looking, found, W_Q, W_K):
    scores = _scores(looking, found, W_Q, W_K) / np.sqrt(W_K.shape[1])
    oneself = (looking[:, None] == found).all(axis=-1)
    return _softmax(np.where(oneself, -np.inf, scores))


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="This looks like row sums that lie along the columns: keepdims=True is missing. In a "
    "square table NumPy divides column j by the sum of row j and doesn't complain.",
)
def weights_without_keepdims(looking, found, W_Q, W_K):
    powers = np.exp(_scores(looking, found, W_Q, W_K) / np.sqrt(W_K.shape[1]))
    return powers / powers.sum(axis=1)


@misconception(
    "attention_weights",
    caught_by="test_weights_with_all_sizes_different",
    says="This looks like √2 in place of √d_k. That is right in the document's example alone: "
    "take d_k from the shape of W_K.",
)
def weights_over_the_root_of_two(looking, found, W_Q, W_K):
    return _softmax(_scores(looking, found, W_Q, W_K) / np.sqrt(2))


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="This looks like dividing by √d_k after the softmax. The division belongs to the "
    "scores: afterwards the weights no longer sum to 1.",
)
def weights_divided_too_late(looking, found, W_Q, W_K):
    return _softmax(_scores(looking, found, W_Q, W_K)) / np.sqrt(W_K.shape[1])


@misconception(
    "attention_weights",
    caught_by="test_it_is_among_the_words_that_it_looks_at",
    says="This looks like multiplying by √d_k instead of dividing by it.",
)
def weights_times_root(looking, found, W_Q, W_K):
    return _softmax(_scores(looking, found, W_Q, W_K) * np.sqrt(W_K.shape[1]))


@right_variant("attention_weights")
def weights_by_one_matrix(looking, found, W_Q, W_K):
    between = W_Q @ W_K.T
    return _softmax(looking @ between @ found.T / math.sqrt(W_Q.shape[1]))


@right_variant("attention_weights")
def weights_by_loops(looking, found, W_Q, W_K):
    rows = []
    for query in looking @ W_Q:
        powers = [math.exp(query @ key / len(key) ** 0.5) for key in found @ W_K]
        rows.append([power / sum(powers) for power in powers])
    return rows


def _weights(looking, found, W_Q, W_K):
    return _softmax(_scores(looking, found, W_Q, W_K) / np.sqrt(W_K.shape[1]))


@misconception(
    "receive",
    caught_by="test_what_it_receives",
    says="This looks like a mix of the embeddings. What a word hands over is its value: project "
    "the words that are found by W_V.",
)
def receive_embeddings(looking, found, W_Q, W_K, W_V):
    return _weights(looking, found, W_Q, W_K) @ found


@misconception(
    "receive",
    caught_by="test_what_it_receives",
    says="This looks like a mix of the keys. A key is for being found; what is handed over is the "
    "value.",
)
def receive_keys(looking, found, W_Q, W_K, W_V):
    return _weights(looking, found, W_Q, W_K) @ (found @ W_K)


@misconception(
    "receive",
    caught_by="test_what_it_receives",
    says="This looks like the transpose of W_V. As for queries and keys, rows stand on the left: "
    "words @ W_V.",
)
def receive_by_the_transpose(looking, found, W_Q, W_K, W_V):
    return _weights(looking, found, W_Q, W_K) @ (found @ W_V.T)


@misconception(
    "receive",
    caught_by="test_what_it_receives",
    says="This looks like the plain average of the values, as if every word fitted equally well.",
)
def receive_the_average(looking, found, W_Q, W_K, W_V):
    return np.tile((found @ W_V).mean(axis=0), (len(looking), 1))


@misconception(
    "receive",
    caught_by="test_what_it_receives",
    says="This looks like the mix added to the word that looks. A Transformer block does that "
    "later on; attention itself returns the mix alone.",
)
def receive_and_keep(looking, found, W_Q, W_K, W_V):
    return looking + _weights(looking, found, W_Q, W_K) @ (found @ W_V)


@misconception(
    "receive",
    caught_by="test_what_it_receives",
    says="This looks like mixing with the scores. A softmax makes weights of them first.",
)
def receive_by_scores(looking, found, W_Q, W_K, W_V):
    return _scores(looking, found, W_Q, W_K) / np.sqrt(W_K.shape[1]) @ (found @ W_V)


@misconception(
    "receive",
    caught_by="test_what_it_receives",
    says="This looks like a mix with weights that were not divided by √d_k.",
)
def receive_without_division(looking, found, W_Q, W_K, W_V):
    return _softmax(_scores(looking, found, W_Q, W_K)) @ (found @ W_V)


@misconception(
    "receive",
    caught_by="test_what_it_receives",
    says="This looks like the value of the best key alone. A softmax prefers, but it excludes no "
    "one: every value takes part by its weight.",
)
def receive_the_best(looking, found, W_Q, W_K, W_V):
    return (found @ W_V)[_scores(looking, found, W_Q, W_K).argmax(axis=1)]


@misconception(
    "receive",
    caught_by="test_what_it_receives",
    says="This looks like the weighted values before they are added up. A word receives one "
    "vector.",
)
def receive_without_the_sum(looking, found, W_Q, W_K, W_V):
    return _weights(looking, found, W_Q, W_K)[:, :, None] * (found @ W_V)


@right_variant("receive")
def receive_and_project_last(looking, found, W_Q, W_K, W_V):
    return _weights(looking, found, W_Q, W_K) @ found @ W_V


@right_variant("receive")
def receive_by_loops(looking, found, W_Q, W_K, W_V):
    weights, values = _weights(looking, found, W_Q, W_K), found @ W_V
    return [sum(w * v for w, v in zip(row, values, strict=True)) for row in weights]


@misconception(
    "asymmetry",
    caught_by="test_it_and_the_cat_look_for_each_other",
    says="These look like the scores one way. Subtract from each the score the other way, which "
    "stands in its mirror image.",
)
def asymmetry_one_way(X, W_Q, W_K):
    return _scores(X, X, W_Q, W_K)


@misconception(
    "asymmetry",
    caught_by="test_it_and_the_cat_look_for_each_other",
    says="The sign looks turned round: row i, column j is i looking for j, minus j looking for i.",
)
def asymmetry_turned_round(X, W_Q, W_K):
    scores = _scores(X, X, W_Q, W_K)
    return scores.T - scores


@misconception(
    "asymmetry",
    caught_by="test_it_and_the_cat_look_for_each_other",
    says="This looks like a sum of both ways. A sum is its own mirror image; the direction is in "
    "the difference.",
)
def asymmetry_as_a_sum(X, W_Q, W_K):
    scores = _scores(X, X, W_Q, W_K)
    return scores + scores.T


@misconception(
    "asymmetry",
    caught_by="test_it_and_the_cat_look_for_each_other",
    says="This looks like absolute values. The sign says who looks harder for whom: keep it.",
)
def asymmetry_without_sign(X, W_Q, W_K):
    scores = _scores(X, X, W_Q, W_K)
    return np.abs(scores - scores.T)


@misconception(
    "asymmetry",
    caught_by="test_it_and_the_cat_look_for_each_other",
    says="This looks like a difference of weights. Weights differ both ways even for symmetric "
    "scores, since each row has a sum of its own; compare the scores.",
)
def asymmetry_of_weights(X, W_Q, W_K):
    weights = _weights(X, X, W_Q, W_K)
    return weights - weights.T


@misconception(
    "asymmetry",
    caught_by="test_it_and_the_cat_look_for_each_other",
    says="This looks like scores that were divided by √d_k. Here the plain dot products are "
    "compared, as the chapter does: 1.584 and 1.728.",
)
def asymmetry_of_scaled_scores(X, W_Q, W_K):
    scores = _scores(X, X, W_Q, W_K) / np.sqrt(W_K.shape[1])
    return scores - scores.T


@misconception(
    "asymmetry",
    caught_by="test_it_and_the_cat_look_for_each_other",
    says="This looks like the asymmetry of W_Q W_Kᵀ itself. The embeddings belong on both sides: "
    "the result has a row and a column for each word.",
)
def asymmetry_of_the_matrix(X, W_Q, W_K):
    between = W_Q @ W_K.T
    return between - between.T


@misconception(
    "asymmetry",
    caught_by="test_it_and_the_cat_look_for_each_other",
    says="This looks like queries compared with queries, or keys with keys, or embeddings with "
    "embeddings. Such scores are the same both ways: a query has to meet a key.",
)
def asymmetry_of_one_role(X, W_Q, W_K):
    return np.zeros((len(X), len(X)))


@right_variant("asymmetry")
def asymmetry_by_one_matrix(X, W_Q, W_K):
    between = W_Q @ W_K.T
    return X @ (between - between.T) @ X.T


@right_variant("asymmetry")
def asymmetry_by_loops(X, W_Q, W_K):
    Q, K = X @ W_Q, X @ W_K
    pairs = range(len(X))
    return [[Q[i] @ K[j] - Q[j] @ K[i] for j in pairs] for i in pairs]


def _best(query, key):
    scores = query @ key.T
    return scores == scores.max(axis=1, keepdims=True)


@misconception(
    "hard_lookup",
    caught_by="test_keys_that_fit_equally_well_share",
    says="This looks like argmax, which takes the first of several best keys. The softmax knows no "
    "first: equal scores have equal weights, however large the factor.",
)
def lookup_of_the_first(query, key, value):
    return value[(query @ key.T).argmax(axis=1)]


@misconception(
    "hard_lookup",
    caught_by="test_keys_that_fit_equally_well_share",
    says="This looks like the sum of the values of all best keys. Their weights sum to 1, so that "
    "equals share: it is their average.",
)
def lookup_with_a_sum(query, key, value):
    return _best(query, key) @ value


@misconception(
    "hard_lookup",
    caught_by="test_each_query_takes_the_value_of_its_best_key",
    says="This looks like ordinary, soft attention with 1 / √d_k. In the limit the best key takes "
    "everything.",
)
def lookup_soft(query, key, value):
    return _softmax(query @ key.T / np.sqrt(key.shape[1])) @ value


@misconception(
    "hard_lookup",
    caught_by="test_each_query_takes_the_value_of_its_best_key",
    says="These look like the weights. They still have to fetch the values.",
)
def lookup_of_weights(query, key, value):
    best = _best(query, key)
    return best / best.sum(axis=1, keepdims=True)


@misconception(
    "hard_lookup",
    caught_by="test_each_query_takes_the_value_of_its_best_key",
    says="These look like the numbers of the best keys. Hand over their values.",
)
def lookup_of_row_numbers(query, key, value):
    return (query @ key.T).argmax(axis=1)


@misconception(
    "hard_lookup",
    caught_by="test_each_query_takes_the_value_of_its_best_key",
    says="These look like the best keys. A key is what is searched; what is handed over is the "
    "value in the same place.",
)
def lookup_of_keys(query, key, value):
    return key[(query @ key.T).argmax(axis=1)]


@misconception(
    "hard_lookup",
    caught_by="test_each_query_takes_the_value_of_its_best_key",
    says="This looks like the best query for each key. It is the queries that search: one row for "
    "each of them, with the maximum over the keys.",
)
def lookup_for_each_key(query, key, value):
    scores = query @ key.T
    best = scores == scores.max(axis=0, keepdims=True)
    return best @ value / np.maximum(best.sum(axis=1, keepdims=True), 1)


@misconception(
    "hard_lookup",
    caught_by="test_each_query_takes_the_value_of_its_best_key",
    says="This looks like the key at the smallest distance. A dot product prefers long keys that "
    "point the right way, not near ones.",
)
def lookup_by_distance(query, key, value):
    return value[np.linalg.norm(query[:, None] - key, axis=-1).argmin(axis=1)]


@misconception(
    "hard_lookup",
    caught_by="test_each_query_takes_the_value_of_its_best_key",
    says="This looks like the key with the largest cosine. Attention compares by the plain dot "
    "product, in which the length of a key counts.",
)
def lookup_by_cosine(query, key, value):
    return value[(query @ key.T / np.linalg.norm(key, axis=1)).argmax(axis=1)]


@misconception(
    "hard_lookup",
    caught_by="test_each_query_takes_the_value_of_its_best_key",
    says="This looks like a softmax with a large factor and nothing subtracted: exp overflows,"
    " and infinity over infinity is NaN. Subtract each row's largest score first, or "
    "don't use exp at all.",
)
def lookup_that_overflows(query, key, value):
    powers = np.exp(1e4 * (query @ key.T))
    return powers / powers.sum(axis=1, keepdims=True) @ value


@misconception(
    "hard_lookup",
    caught_by="test_each_query_takes_the_value_of_its_best_key",
    says="This looks like a comparison with the largest score of the whole table. Each query "
    "has a best key of its own: compare with the largest of each row.",
)
def lookup_of_the_best_of_all(query, key, value):
    scores = query @ key.T
    best = scores == scores.max()
    return best @ value / best.sum(axis=1, keepdims=True)


@right_variant("hard_lookup")
def lookup_by_a_large_factor(query, key, value):
    return _softmax(1e4 * (query @ key.T)) @ value


@right_variant("hard_lookup")
def lookup_by_loops(query, key, value):
    all_scores = [[q @ k for k in key] for q in query]
    return [value[np.isclose(scores, max(scores))].mean(axis=0) for scores in all_scores]
