"""What people write instead, and right ways that differ from the solution."""

import math

import numpy as np

from course_lib.grading import misconception, right_variant


def _rows(tokens, vocabulary, unknown=0):
    return [vocabulary.index(token) if token in vocabulary else unknown for token in tokens]


@misconception(
    "embed",
    caught_by="test_a_row_for_each_token_in_reading_order",
    says="This looks like the words of the vocabulary that occur in the sentence, each once. A "
    "sentence is a sequence: a word that occurs twice has two rows, in reading order.",
)
def embed_each_word_once(tokens, vocabulary, table):
    return table[[row for row, word in enumerate(vocabulary) if word in tokens]]


@misconception(
    "embed",
    caught_by="test_a_row_for_each_token_in_reading_order",
    says="This looks like the sum of the rows. A bag of words has forgotten who stood where; here "
    "each token keeps a row of its own.",
)
def embed_as_a_bag(tokens, vocabulary, table):
    return table[_rows(tokens, vocabulary)].sum(axis=0)


@misconception(
    "embed",
    caught_by="test_a_row_for_each_token_in_reading_order",
    says="This looks like the average of the rows. One vector for a whole sentence has forgotten "
    "who stood where; here each token keeps a row of its own.",
)
def embed_as_an_average(tokens, vocabulary, table):
    return table[_rows(tokens, vocabulary)].mean(axis=0)


@misconception(
    "embed",
    caught_by="test_a_row_for_each_token_in_reading_order",
    says="This looks like the transpose, with a column for each token. In this course rows are "
    "tokens: the shape is (T, d).",
)
def embed_as_columns(tokens, vocabulary, table):
    return table[_rows(tokens, vocabulary)].T


@misconception(
    "embed",
    caught_by="test_a_row_for_each_token_in_reading_order",
    says="These look like one-hot vectors, of the width of the vocabulary. They say which row is "
    "meant; the product with the table, which fetches it, is still missing.",
)
def embed_as_one_hot(tokens, vocabulary, table):
    return np.eye(len(vocabulary))[_rows(tokens, vocabulary)]


@misconception(
    "embed",
    caught_by="test_a_row_for_each_token_in_reading_order",
    says="These look like the numbers of the rows. A number is only a word's place in the list; "
    "what it means stands in the row.",
)
def embed_as_row_numbers(tokens, vocabulary, table):
    return np.array(_rows(tokens, vocabulary))


@misconception(
    "embed",
    caught_by="test_a_row_for_each_token_in_reading_order",
    says="This looks like counting the rows from 1: each token got the row before its own.",
)
def embed_counting_from_one(tokens, vocabulary, table):
    return table[np.array(_rows(tokens, vocabulary)) - 1]


@misconception(
    "embed",
    caught_by="test_an_unknown_word_takes_row_zero",
    says="This looks like leaving unknown words out. Then the rows no longer line up with the "
    "tokens: row t must belong to token t.",
)
def embed_without_unknown_words(tokens, vocabulary, table):
    return table[[vocabulary.index(token) for token in tokens if token in vocabulary]]


@misconception(
    "embed",
    caught_by="test_an_unknown_word_takes_row_zero",
    says="This looks like row −1 for unknown words. Python counts −1 from the end, without an "
    "error, so that every unknown word becomes the last word of the vocabulary.",
)
def embed_unknown_words_as_the_last(tokens, vocabulary, table):
    return table[_rows(tokens, vocabulary, unknown=-1)]


@misconception(
    "embed",
    caught_by="test_an_unknown_word_takes_row_zero",
    says="This looks like zeros for unknown words. <unk> has a row of its own, row 0 of the table, "
    "which training can fill.",
)
def embed_unknown_words_as_zeros(tokens, vocabulary, table):
    known = np.array([[token in vocabulary] for token in tokens])
    return known * table[_rows(tokens, vocabulary)]


@misconception(
    "embed",
    caught_by="test_an_unknown_word_takes_row_zero",
    says="This looks like rows cut off to whole numbers, as in an array made with dtype=int. A "
    "row keeps the numbers that stand in the table.",
)
def embed_as_whole_numbers(tokens, vocabulary, table):
    return table.astype(int)[_rows(tokens, vocabulary)]


@right_variant("embed")
def embed_by_one_hot_product(tokens, vocabulary, table):
    rows = {word: row for row, word in enumerate(vocabulary)}
    one_hot = np.zeros((len(tokens), len(vocabulary)))
    for t, token in enumerate(tokens):
        one_hot[t, rows.get(token, 0)] = 1
    return one_hot @ table


@right_variant("embed")
def embed_as_lists(tokens, vocabulary, table):
    rows = dict(zip(vocabulary, table.tolist(), strict=True))
    return [rows.get(token, rows[vocabulary[0]]) for token in tokens]


@misconception(
    "dot",
    caught_by="test_the_dot_product_of_dog_and_cat",
    says="These look like the products, not yet added up. A dot product is one number.",
)
def dot_without_the_sum(a, b):
    return a * b


@misconception(
    "dot",
    caught_by="test_the_dot_product_of_dog_and_cat",
    says="This looks like the average of the products. The dot product is their sum.",
)
def dot_as_an_average(a, b):
    return (a * b).mean(axis=-1)


@misconception(
    "dot",
    caught_by="test_the_dot_product_of_dog_and_cat",
    says="This looks like the cosine. The dot product keeps both lengths.",
)
def dot_as_a_cosine(a, b):
    return (a * b).sum(axis=-1) / (np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1))


@misconception(
    "dot",
    caught_by="test_the_dot_product_of_dog_and_cat",
    says="This looks like the distance between the two vectors. It is small where they agree; the "
    "dot product is large.",
)
def dot_as_a_distance(a, b):
    return np.linalg.norm(a - b, axis=-1)


@misconception(
    "dot",
    caught_by="test_each_row_with_its_partner",
    says="This looks like the sum of all products of all rows. Each pair of rows has a sum of its "
    "own: name the axis, axis=-1.",
)
def dot_over_everything(a, b):
    return (a * b).sum()


@misconception(
    "dot",
    caught_by="test_each_row_with_its_partner",
    says="This looks like a sum over the first axis. The entries of a vector lie on the last.",
)
def dot_over_the_first_axis(a, b):
    return (a * b).sum(axis=0)


@misconception(
    "dot",
    caught_by="test_each_row_with_its_partner",
    says="This looks like every row with every row, as a matrix product gives it. Here each row "
    "meets its partner alone.",
)
def dot_of_all_pairs(a, b):
    return a @ np.swapaxes(b, -1, -2) if b.ndim > 1 else a @ b


@misconception(
    "dot",
    caught_by="test_the_dot_product_of_dog_and_cat",
    says="This looks like a result with an axis of size 1 left over, as from a sum with "
    "keepdims=True. A dot product is one number for each pair of vectors.",
)
def dot_with_an_axis_left_over(a, b):
    return (a * b).sum(axis=-1, keepdims=True)


@misconception(
    "dot",
    caught_by="test_each_row_with_its_partner",
    says="This looks like np.inner, which takes every row of one stack with every row of the "
    "other. Here each row meets its partner alone.",
)
def dot_by_inner(a, b):
    return np.inner(a, b)


@right_variant("dot")
def dot_by_einsum(a, b):
    return np.einsum("...i,...i->...", a, b)


@right_variant("dot")
def dot_as_a_matrix_product(a, b):
    return (a[..., None, :] @ b[..., :, None])[..., 0, 0]


@right_variant("dot")
def dot_by_a_loop(a, b):
    return sum(a[..., i] * b[..., i] for i in range(a.shape[-1]))


def _unit(x):
    x = x / np.maximum(np.abs(x).max(axis=-1, keepdims=True), 1e-300)
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 0.5)


def _same_width(a, b):
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"shapes {a.shape} and {b.shape}")


def _textbook(a, b):
    """The cosine without any rule for corners."""
    return (a * b).sum(axis=-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)


@misconception(
    "cosine",
    caught_by="test_no_cosine_leaves_the_range_from_minus_one_to_one",
    says="This looks like a cosine without a limit at ±1. Rounding carries some of them to "
    "1.0000000000000002, and np.arccos of that is NaN: clip the result.",
)
def cosine_past_one(a, b):
    _same_width(a, b)
    return (_unit(a) * _unit(b)).sum(axis=-1)


@misconception(
    "cosine",
    caught_by="test_vectors_of_different_widths_are_refused",
    says="This looks like letting NumPy stretch the shorter vector: (4,) and (1,) broadcast "
    "without an error. The number looks like a cosine and means nothing.",
)
def cosine_of_different_widths(a, b):
    return np.clip((_unit(a) * _unit(b)).sum(axis=-1), -1, 1)


@misconception(
    "cosine",
    caught_by="test_it_and_the_car",
    says="This looks like the dot product. It still has to be divided by both lengths.",
)
def cosine_without_division(a, b):
    return (a * b).sum(axis=-1)


@misconception(
    "cosine",
    caught_by="test_it_and_the_car",
    says="This looks like a division by the squares of the lengths. The length is the square root "
    "of the sum of squares.",
)
def cosine_without_the_root(a, b):
    return (a * b).sum(axis=-1) / ((a * a).sum(axis=-1) * (b * b).sum(axis=-1))


@misconception(
    "cosine",
    caught_by="test_it_and_the_car",
    says="This looks like a division by the sum of the two lengths. It is by their product.",
)
def cosine_over_the_sum_of_lengths(a, b):
    return (a * b).sum(axis=-1) / (np.linalg.norm(a, axis=-1) + np.linalg.norm(b, axis=-1))


@misconception(
    "cosine",
    caught_by="test_it_and_the_car",
    says="This looks like a division by one of the two lengths. That is how far one vector "
    "reaches along the other; for the cosine divide by both.",
)
def cosine_over_one_length(a, b):
    return (a * b).sum(axis=-1) / np.linalg.norm(a, axis=-1)


@misconception(
    "cosine",
    caught_by="test_it_and_the_car",
    says="This looks like the angle in radians. Its cosine is wanted.",
)
def cosine_as_an_angle(a, b):
    return np.arccos(_textbook(a, b))


@misconception(
    "cosine",
    caught_by="test_it_and_the_car",
    says="This looks like 1 minus the cosine, the “cosine distance” of SciPy. A cosine is large "
    "where two vectors agree.",
)
def cosine_as_a_distance(a, b):
    return 1 - _textbook(a, b)


@misconception(
    "cosine",
    caught_by="test_one_vector_with_every_row_of_a_table",
    says="This looks like a division by the length of the whole table. Each row has its own "
    "length: np.linalg.norm needs axis=-1.",
)
def cosine_over_the_length_of_the_table(a, b):
    return (a * b).sum(axis=-1) / (np.linalg.norm(a) * np.linalg.norm(b))


@misconception(
    "cosine",
    caught_by="test_a_vector_of_zeros",
    says="This looks like the formula as it stands. A vector of zeros makes it 0 / 0, which is "
    "NaN, and argmax takes NaN for the largest; the squares of 1e200 and 1e-200 don't fit into a "
    "float. Such vectors need their rules.",
)
def cosine_by_the_textbook(a, b):
    return _textbook(a, b)


@misconception(
    "cosine",
    caught_by="test_a_vector_of_zeros",
    says="This looks like 0 for the whole table as soon as one vector is all zeros. The rule is "
    "for that vector alone.",
)
def cosine_zero_for_all(a, b):
    _same_width(a, b)
    if not (a.any(axis=-1).all() and b.any(axis=-1).all()):
        return np.zeros(np.broadcast_shapes(a.shape, b.shape)[:-1])
    return np.clip((_unit(a) * _unit(b)).sum(axis=-1), -1, 1)


@misconception(
    "cosine",
    caught_by="test_very_long_and_very_short_vectors",
    says="This looks like a small number added to the lengths against 0 / 0. It changes the "
    "cosine of every short vector: 5e-9 is a length like any other.",
)
def cosine_with_epsilon(a, b):
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    return (a * b).sum(axis=-1) / (lengths + 1e-8)


@misconception(
    "cosine",
    caught_by="test_very_long_and_very_short_vectors",
    says="This looks like raising short lengths to 1e-8, as PyTorch does. A vector that is "
    "shorter than that, but not zero, has a direction too.",
)
def cosine_with_a_shortest_length(a, b):
    lengths = [np.maximum(np.linalg.norm(x, axis=-1), 1e-8) for x in (a, b)]
    return (a * b).sum(axis=-1) / (lengths[0] * lengths[1])


@misconception(
    "cosine",
    caught_by="test_very_long_and_very_short_vectors",
    says="This looks like the formula with a rule for zeros. The square of 1e200 is too large for"
    " a float and that of 1e-200 too small: divide each vector by its largest absolute value "
    "first.",
)
def cosine_with_a_rule_for_zeros(a, b):
    _same_width(a, b)
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    quotient = (a * b).sum(axis=-1) / np.where(lengths == 0, 1, lengths)
    return np.clip(np.where(lengths == 0, 0, quotient), -1, 1)


@misconception(
    "cosine",
    caught_by="test_very_long_and_very_short_vectors",
    says="This looks like the formula with np.nan_to_num afterwards. That mends 0 / 0, but the "
    "square of 1e200 is still too large for a float and that of 1e-200 too small: divide each "
    "vector by its largest absolute value first.",
)
def cosine_mended_afterwards(a, b):
    _same_width(a, b)
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    return np.clip(np.nan_to_num((a * b).sum(axis=-1) / lengths), -1, 1)


@right_variant("cosine")
def cosine_by_nan_to_num(a, b):
    _same_width(a, b)
    a, b = (x / np.abs(x).max(axis=-1, keepdims=True) for x in (a, b))
    return np.clip(np.nan_to_num(_textbook(a, b)), -1.0, 1.0)


@right_variant("cosine")
def cosine_by_hypot(a, b):
    _same_width(a, b)
    a, b = np.broadcast_arrays(a, b)
    result = np.zeros(a.shape[:-1])
    for place in np.ndindex(result.shape):
        one, other = math.hypot(*a[place]), math.hypot(*b[place])
        if one and other:
            total = sum(x / one * (y / other) for x, y in zip(a[place], b[place], strict=True))
            result[place] = max(-1.0, min(1.0, total))
    return result


def _closeness(query, table):
    return np.where(table.any(axis=-1), (_unit(query) * _unit(table)).sum(axis=-1), -np.inf)


@misconception(
    "nearest",
    caught_by="test_the_neighbours_of_the_dog",
    says="This looks like a ranking by dot product. A long row wins it whatever its direction; "
    "divide by the lengths.",
)
def nearest_by_dot_product(query, table, k):
    return np.argsort(-(table @ query), kind="stable")[:k]


@misconception(
    "nearest",
    caught_by="test_a_row_of_zeros_comes_last",
    says="This looks like a ranking by distance. A row of zeros is then nearer than many others, "
    "and a long row in the very same direction is far away.",
)
def nearest_by_distance(query, table, k):
    return np.argsort(np.linalg.norm(table - query, axis=-1), kind="stable")[:k]


@misconception(
    "nearest",
    caught_by="test_the_neighbours_of_the_dog",
    says="This looks like the smallest cosines first. np.argsort sorts upwards: the closest come "
    "at its end.",
)
def nearest_the_wrong_way_round(query, table, k):
    return np.argsort(_closeness(query, table), kind="stable")[:k]


@misconception(
    "nearest",
    caught_by="test_the_neighbours_of_the_dog",
    says="This looks like the k largest cosines in ascending order. The closest row comes first.",
)
def nearest_best_last(query, table, k):
    return np.argsort(_closeness(query, table), kind="stable")[-k:]


@misconception(
    "nearest",
    caught_by="test_the_neighbours_of_the_dog",
    says="These look like the cosines. The numbers of the rows are wanted, so that one can look up "
    "whose they are.",
)
def nearest_as_cosines(query, table, k):
    return np.sort(_closeness(query, table))[::-1][:k]


@misconception(
    "nearest",
    caught_by="test_the_neighbours_of_the_dog",
    says="This looks like a search that leaves out the best row, as if it were the query itself. "
    "The table need not hold the query: keep what is closest.",
)
def nearest_without_the_first(query, table, k):
    return np.argsort(-_closeness(query, table), kind="stable")[1 : k + 1]


@misconception(
    "nearest",
    caught_by="test_the_neighbours_of_the_dog",
    says="This looks like the ranking of all rows. Only the first k are asked for.",
)
def nearest_all(query, table, k):
    return np.argsort(-_closeness(query, table), kind="stable")


@misconception(
    "nearest",
    caught_by="test_a_row_of_zeros_comes_last",
    says="This looks like ranking a row of zeros by its cosine, 0. That beats every negative "
    "cosine, though the row has no direction at all: put it last.",
)
def nearest_with_zero_in_the_middle(query, table, k):
    return np.argsort(-(_unit(query) * _unit(table)).sum(axis=-1), kind="stable")[:k]


@misconception(
    "nearest",
    caught_by="test_equal_cosines_keep_the_order_of_the_table",
    says="This looks like np.argsort turned round with [::-1]. That turns equal cosines round "
    "too; sort the negative cosines instead, with kind='stable'.",
)
def nearest_with_ties_turned_round(query, table, k):
    return np.argsort(_closeness(query, table), kind="stable")[::-1][:k]


@misconception(
    "nearest",
    caught_by="test_a_row_of_zeros_comes_last",
    says="This looks like NaN for the row of zeros. np.argsort puts NaN at the very end, and "
    "turned round with [::-1] the end comes first.",
)
def nearest_with_nan_first(query, table, k):
    return np.argsort(_textbook(table, query), kind="stable")[::-1][:k]


@misconception(
    "nearest",
    caught_by="test_a_row_of_zeros_comes_last",
    says="This looks like −1 for the row of zeros. A row that points the opposite way has the "
    "cosine −1 too, and the two tie: the row of zeros needs a number below every cosine.",
)
def nearest_with_minus_one_for_zeros(query, table, k):
    closeness = np.maximum(_closeness(query, table), -1)
    return np.argsort(-closeness, kind="stable")[:k]


@misconception(
    "nearest",
    caught_by="test_the_neighbours_of_the_dog",
    says="This looks like row numbers that are counted from 1. The first row of a table is "
    "number 0.",
)
def nearest_counting_from_one(query, table, k):
    return np.argsort(-_closeness(query, table), kind="stable")[:k] + 1


@right_variant("nearest")
def nearest_by_sorted(query, table, k):
    closeness = _closeness(query, table)
    return sorted(range(len(table)), key=lambda row: -closeness[row])[:k]


@right_variant("nearest")
def nearest_one_after_the_other(query, table, k):
    left, found = _closeness(query, table), []
    for _ in range(k):
        candidates = [row for row in range(len(table)) if row not in found]
        found.append(max(candidates, key=lambda row: left[row]))
    return np.array(found)
