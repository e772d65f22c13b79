"""Checks of exercise 01: looking words up, and how close their vectors are."""

import numpy as np

from course_lib import reference, words
from course_lib.grading import CheckFailed, expect, hidden, points
from course_lib.grading.failures import Mismatch

SHORTCUTS = {
    "embed": ["course_lib.words.embed"],
    "dot": ["course_lib.reference.dot"],
    "cosine": [
        "course_lib.reference.cosine_similarity",
        "course_lib.reference.angle",
        "scipy.spatial.distance.cosine",
        "sklearn.metrics.pairwise.cosine_similarity",
        "torch.nn.functional.cosine_similarity",
        "torch.cosine_similarity",
    ],
    "nearest": ["course_lib.reference.nearest_neighbours"],
}

VOCABULARY = ["<unk>", "the", "cat", "saw", "car", "it", "was"]


@points("1/2", task="embed")
def test_a_row_for_each_token_in_reading_order(student):
    """Five tokens, one of them twice, give five rows."""
    table = np.arange(21.0).reshape(7, 3)
    expected = np.array([[3, 4, 5], [6, 7, 8], [9, 10, 11], [3, 4, 5], [12, 13, 14]])
    expect(student.embed(["the", "cat", "saw", "the", "car"], VOCABULARY, table), expected)


@points("1/2", task="embed")
def test_an_unknown_word_takes_row_zero(student):
    """A word that is not in the vocabulary takes the row of <unk>."""
    table = np.arange(1.0, 22.0).reshape(7, 3) / 4
    expected = np.array([[16, 17, 18], [19, 20, 21], [1, 2, 3], [13, 14, 15], [1, 2, 3]]) / 4
    expect(student.embed(["it", "was", "red", "car", "?"], VOCABULARY, table), expected)


@points(1, task="embed")
@hidden
def test_any_sentence_of_any_vocabulary(student, rng):
    """Other words, another table, and many unknown words."""
    vocabulary = ["<unk>", "who", "looks", "for", "whom"]
    rows = rng.integers(0, 5, size=11)
    tokens = [vocabulary[row] if row else "nobody" for row in rows]
    table = rng.normal(size=(5, 2))
    expect(student.embed(tokens, vocabulary, table), table[rows])


@points(1, task="dot")
def test_the_dot_product_of_dog_and_cat(student):
    """0.90 × 0.80 + 0.25 × 0.40, a single number."""
    expect(student.dot(np.array([0.90, 0.25]), np.array([0.80, 0.40])), 0.82)


@points("1/2", task="dot")
def test_each_row_with_its_partner(student, rng):
    """Two stacks of three vectors each, compared row by row."""
    a, b = rng.normal(size=(2, 3, 5)), rng.normal(size=(2, 3, 5))
    expect(student.dot(a, b), reference.dot(a, b))


@points("1/2", task="dot")
@hidden
def test_one_vector_with_every_row(student, rng):
    """A single vector against every row of a table, on either side."""
    one, table = rng.normal(size=5), rng.normal(size=(7, 5))
    expect(student.dot(one, table), reference.dot(one, table))
    expect(student.dot(table, one), reference.dot(table, one))


@points("1/2", task="cosine")
def test_it_and_the_car(student):
    """The cosine of "it" and car is 0.838, and a number between −1 and 1."""
    expected = 0.69 / np.sqrt((0.6**2 + 0.6**2) * (0.2**2 + 0.95**2))
    expect(student.cosine(words.VECTORS["it"], words.VECTORS["car"]), expected)


@points("1/2", task="cosine")
def test_one_vector_with_every_row_of_a_table(student, rng):
    """One vector against seven rows gives seven cosines."""
    one, table = rng.normal(size=5), 3 * rng.normal(size=(7, 5))
    expect(student.cosine(one, table), reference.cosine_similarity(one, table))


@points("1/2", task="cosine")
def test_a_vector_of_zeros(student):
    """The cosine of a vector of zeros with anything is 0; its neighbours are not disturbed."""
    table = np.array([[0.0, 0.0], [0.8, 0.4], [-0.6, 0.8]])
    expect(student.cosine(table, np.array([3.0, 4.0])), np.array([0, 4 / np.sqrt(20), 0.28]))


@points("1/2", task="cosine")
def test_very_long_and_very_short_vectors(student):
    """Lengths of 1e200 and 1e-200 change nothing, though their squares don't fit into a float."""
    a = np.array([3e200, 3e-200, 3e-9, 3])[:, None] * np.array([1, 0, 4 / 3])
    expect(student.cosine(a, np.array([4.0, 12.0, 3.0])), np.full(4, 24 / (5 * 13)))


@points("1/2", task="cosine")
def test_vectors_of_different_widths_are_refused(student):
    """A ValueError for widths 4 and 1, which NumPy would stretch to fit."""
    try:
        got = student.cosine(np.array([1.0, -2.0, 3.0, -5.0]), np.array([7.0]))
    except CheckFailed as error:
        if "raised ValueError" not in str(error):
            raise
    else:
        raise Mismatch("Vectors of different widths raised no ValueError.", got, "a ValueError")


@points("1/4", task="cosine")
@hidden
def test_stacks_of_vectors(student, rng):
    """Leading axes of both sides broadcast."""
    a, b = rng.normal(size=(2, 1, 7)), 5 * rng.normal(size=(3, 7))
    expect(student.cosine(a, b), reference.cosine_similarity(a, b))


@points("1/4", task="cosine")
@hidden
def test_no_cosine_leaves_the_range_from_minus_one_to_one(student, rng):
    """Rounding does not carry a cosine past 1 or −1, so that every one has an angle."""
    x = rng.normal(size=(500, 7))
    for other in (x, -x):
        got = student.cosine(x, other)
        expect(got, reference.cosine_similarity(x, other))
        if np.abs(got).max() > 1:
            raise Mismatch("Some cosines lie outside [−1, 1].", got, "cosines in [−1, 1]")


@points(1, task="nearest")
def test_the_neighbours_of_the_dog(student):
    """The two rows closest to the dog by cosine, best first; a long row is no better for it."""
    query = words.VECTORS["dog"]
    table = np.stack([9 * words.VECTORS["car"], words.VECTORS["cat"], query, words.VECTORS["it"]])
    expect(student.nearest(query, table, 2), np.array([2, 1]))


@points("1/2", task="nearest")
def test_a_row_of_zeros_comes_last(student):
    """A row of zeros is no neighbour: even the opposite of the query comes before it."""
    query = np.array([0.0, 5.0])
    table = np.array([[0.0, 0.0], [0.0, -3.0], [8.0, -6.0], [3.0, 4.0], [30.0, 10.0]])
    # cosines: none, −1, −0.6, 0.8, 0.32
    expect(student.nearest(query, table, 5), np.array([3, 4, 2, 1, 0]))


@points("1/2", task="nearest")
def test_equal_cosines_keep_the_order_of_the_table(student):
    """Rows that point the same way are equally close: the earlier one comes first."""
    table = np.array([[0.0, 1.0], [2.0, 0.0], [1.0, 0.0], [0.0, 4.0], [4.0, 0.0]])
    expect(student.nearest(np.array([8.0, 1.0]), table, 5), np.array([1, 2, 4, 0, 3]))


@points(1, task="nearest")
@hidden
def test_neighbours_in_any_table(student, rng):
    """Rows of many lengths, a row of zeros among them."""
    query, table = rng.normal(size=5), rng.normal(size=(13, 5)) * rng.integers(1, 9, size=(13, 1))
    table[rng.integers(13)] = 0
    for k in (3, 13):
        expect(student.nearest(query, table, k), reference.nearest_neighbours(query, table, k))
