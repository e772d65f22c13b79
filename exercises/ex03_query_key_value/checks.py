"""Checks of exercise 03: three projections, weights, what is received, direction, hard lookup."""

import numpy as np

from course_lib import reference, words
from course_lib.grading import expect, hidden, points

ATTENTION = [
    "course_lib.reference.scaled_dot_product_attention",
    "course_lib.reference.attention_weights",
    "course_lib.reference.attention_scores",
    "course_lib.reference.multi_head_attention",
    "course_lib.reference.multi_head_weights",
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.MultiheadAttention",
]
SHORTCUTS = {"attention_weights": ATTENTION, "receive": ATTENTION, "hard_lookup": ATTENTION}

# Not symmetric and not diagonal, so that a transpose shows.
W_Q = np.array([[1.0, 2.0], [0.0, -1.0]])
W_K = np.array([[2.0, 0.0], [1.0, 1.0]])
W_V = np.array([[0.0, 1.0], [2.0, 3.0]])


def matrices(rng, *shapes):
    """Random matrices of these shapes, of a size that keeps scores near 1."""
    return tuple(rng.normal(size=shape) / np.sqrt(shape[0]) for shape in shapes)


def expected_weights(looking, found, W_Q, W_K):
    return reference.attention_weights(looking @ W_Q, found @ W_K)


@points("1/2", task="project")
def test_the_projections_of_the_document(student):
    """The words “it”, cat and car with the document's matrices, entered for rows: X @ W."""
    X = words.embed("it", "cat", "car")
    queries = np.array([[1.2, -1.2], [1.6, -0.8], [0.4, -1.9]])
    keys = np.array([[1.38, 0.6], [1.72, 0.4], [0.685, 0.95]])
    expect(student.project(X, words.W_Q, words.W_K, words.W_V), (queries, keys, X))


@points("1/2", task="project")
def test_matrices_that_are_not_symmetric(student):
    """Two words through three square matrices, each different from its transpose."""
    X = np.array([[1.0, 0.0], [2.0, 3.0]])
    expect(student.project(X, W_Q, W_K, W_V), (X @ W_Q, X @ W_K, X @ W_V))


@points("1/2", task="project")
def test_projections_of_three_widths(student, rng):
    """Five words of width 3; queries and keys of width 7, values of width 2."""
    X, (Q, K, V) = rng.normal(size=(5, 3)), matrices(rng, (3, 7), (3, 7), (3, 2))
    expect(student.project(X, Q, K, V), (X @ Q, X @ K, X @ V))


@points("1/2", task="project")
@hidden
def test_projections_of_a_batch(student, rng):
    """Two sentences at once."""
    X, (Q, K, V) = rng.normal(size=(2, 5, 7)), matrices(rng, (7, 3), (7, 3), (7, 11))
    expect(student.project(X, Q, K, V), (X @ Q, X @ K, X @ V))


@points("1/2", task="attention_weights")
def test_it_looks_at_cat_and_car(student):
    """The document's example: 0.793 for the cat and 0.207 for the car."""
    it, nouns = words.embed("it"), words.embed("cat", "car")
    expected = expected_weights(it, nouns, words.W_Q, words.W_K)
    expect(student.attention_weights(it, nouns, words.W_Q, words.W_K), expected)


@points(1, task="attention_weights")
def test_it_is_among_the_words_that_it_looks_at(student):
    """All three look at all three; the row of “it” is 0.528, 0.138, and 0.334 for itself."""
    X = words.embed("cat", "car", "it")
    expected = expected_weights(X, X, words.W_Q, words.W_K)
    expect(student.attention_weights(X, X, words.W_Q, words.W_K), expected)


@points("1/2", task="attention_weights")
def test_weights_with_all_sizes_different(student, rng):
    """Three words look at five, of width 7, with queries and keys of width 11."""
    looking, found = rng.normal(size=(3, 7)), rng.normal(size=(5, 7))
    Q, K = matrices(rng, (7, 11), (7, 11))
    expected = expected_weights(looking, found, Q, K)
    expect(student.attention_weights(looking, found, Q, K), expected)


@points(1, task="attention_weights")
@hidden
def test_weights_of_any_words(student, rng):
    """A sentence that looks at itself, and two texts; d_k larger than d_model and smaller."""
    for T, S, d_model, d_k in ((7, 2, 3, 11), (5, 5, 7, 3)):
        looking, found = rng.normal(size=(T, d_model)), rng.normal(size=(S, d_model))
        if T == S:
            looking = found
        Q, K = matrices(rng, (d_model, d_k), (d_model, d_k))
        expected = expected_weights(looking, found, Q, K)
        expect(student.attention_weights(looking, found, Q, K), expected)


def expected_mix(looking, found, W_Q, W_K, W_V):
    return reference.scaled_dot_product_attention(looking @ W_Q, found @ W_K, found @ W_V)


@points("1/2", task="receive")
def test_what_it_receives(student):
    """The word “it” looks at cat, car and itself, with values that are not the embeddings."""
    given = words.embed("it"), words.embed("cat", "car", "it"), words.W_Q, words.W_K, W_V
    expect(student.receive(*given), expected_mix(*given))


@points("1/2", task="receive")
@hidden
def test_what_any_words_receive(student, rng):
    """T, S, d_model, d_k and d_v are five different numbers."""
    looking, found = rng.normal(size=(3, 7)), rng.normal(size=(5, 7))
    given = looking, found, *matrices(rng, (7, 2), (7, 2), (7, 11))
    expect(student.receive(*given), expected_mix(*given))


@points(1, task="asymmetry")
def test_it_and_the_cat_look_for_each_other(student):
    """1.584 one way and 1.728 the other: −0.144, and +0.144 in the mirror."""
    X = words.embed("it", "cat")
    expected = np.array([[0, -0.144], [0.144, 0]])
    expect(student.asymmetry(X, words.W_Q, words.W_K), expected)


@points(1, task="asymmetry")
@hidden
def test_the_asymmetry_of_any_words(student, rng):
    """Five words of width 3, d_k = 2; and none if both matrices are the same."""
    X, (Q, K) = rng.normal(size=(5, 3)), matrices(rng, (3, 2), (3, 2))
    scores = (X @ Q) @ (X @ K).T
    expect(student.asymmetry(X, Q, K), scores - scores.T)
    expect(student.asymmetry(X, Q, Q), np.zeros((5, 5)))


@points("1/2", task="hard_lookup")
def test_each_query_takes_the_value_of_its_best_key(student):
    """Two queries, three keys, values of width 4."""
    query = np.array([[1.0, 2.0], [1.0, 0.0]])
    key = np.array([[5.0, 0.0], [0.0, 2.0], [4.0, 1.0]])
    value = np.arange(12.0).reshape(3, 4) ** 2
    # scores: 5, 4, 6 and 5, 0, 4
    expect(student.hard_lookup(query, key, value), value[[2, 0]])


@points("1/2", task="hard_lookup")
def test_keys_that_fit_equally_well_share(student):
    """Two of four keys are equally good for the first query, all four for the second."""
    query = np.array([[1.0, 1.0], [0.0, 0.0]])
    key = np.array([[3.0, 0.0], [1.0, 1.0], [0.0, 3.0], [-5.0, 2.0]])
    value = np.array([[1.0, 0.0], [4.0, 4.0], [3.0, 8.0], [8.0, 4.0]])
    expect(student.hard_lookup(query, key, value), np.array([[2.0, 4.0], [4.0, 4.0]]))


@points(1, task="hard_lookup")
@hidden
def test_hard_lookup_of_any_size(student, rng):
    """The limit of attention as the factor in front of the scores grows without end."""
    query, key = rng.integers(-4, 5, size=(11, 3)), rng.integers(-4, 5, size=(7, 3))
    value = rng.normal(size=(7, 2))
    expected = reference.scaled_dot_product_attention(query, key, value, scale=1e3)
    expect(student.hard_lookup(query.astype(float), key.astype(float), value), expected)
