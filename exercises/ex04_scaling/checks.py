"""Checks of exercise 04: the softmax, the division, and what a saturated softmax lets through."""

import numpy as np

from course_lib import reference
from course_lib.grading import expect, hidden, points

SHORTCUTS = {
    "softmax": [
        "course_lib.reference.softmax",
        "course_lib.reference.log_softmax",
        "scipy.special.softmax",
        "scipy.special.log_softmax",
        "torch.softmax",
        "torch.log_softmax",
        "torch.special.softmax",
        "torch.special.log_softmax",
        "torch.Tensor.softmax",
        "torch.Tensor.log_softmax",
    ],
    "scaled_scores": ["course_lib.reference.attention_scores"],
    "attention": [
        "course_lib.reference.scaled_dot_product_attention",
        "course_lib.reference.attention_weights",
        "torch.nn.functional.scaled_dot_product_attention",
    ],
    "softmax_jacobian": [
        "course_lib.reference.softmax_jacobian",
        "torch.autograd.functional.jacobian",
        "torch.func.jacrev",
        "torch.func.jacfwd",
    ],
}


@points(1, task="softmax")
def test_softmax_of_three_numbers(student):
    """Three logits become three weights."""
    x = np.array([2.0, 1.0, 0.0])
    expect(student.softmax(x), reference.softmax(x))


@points(1, task="softmax")
def test_softmax_works_on_the_last_axis(student, rng):
    """Each row is a distribution, whatever axes stand before it."""
    x = rng.normal(size=(2, 3, 5))
    expect(student.softmax(x), reference.softmax(x))


@points(1, task="softmax")
def test_softmax_of_large_numbers(student):
    """Logits of about a thousand, of either sign: no row overflows, and none vanishes."""
    x = np.array([[1000.0, 999, 998], [-1000, -1001, -1003], [1000, -1000, -1000]])
    expect(student.softmax(x), reference.softmax(x))


@points(1, task="scaled_scores")
def test_scores_of_ones(student):
    """A query of four ones scores 4 / √4 = 2 with a key of four ones, and 4 with one of twos."""
    query, key = np.ones((1, 4)), np.array([[1.0], [2.0]]) * np.ones(4)
    expect(student.scaled_scores(query, key), np.array([[2.0, 4.0]]))


@points(1, task="scaled_scores")
def test_scores_of_any_shape(student, rng):
    """Every query meets every key, also with an axis before them and T ≠ S."""
    query, key = rng.normal(size=(2, 3, 7)), rng.normal(size=(2, 5, 7))
    expect(student.scaled_scores(query, key), reference.attention_scores(query, key))


@points(1, task="attention")
def test_the_documents_example(student):
    """“It” attends to the cat and the car as in the chapter on queries and keys."""
    query, key = np.array([[1.2, -1.2]]), np.array([[1.72, 0.4], [0.685, 0.95]])
    value = np.array([[0.8, 0.4], [0.2, 0.95]])
    expected = reference.scaled_dot_product_attention(query, key, value)
    expect(student.attention(query, key, value), expected)


@points(1, task="attention")
def test_attention_with_all_sizes_different(student, rng):
    """T, S, d_k and d_v are four different numbers."""
    query, key, value = (rng.normal(size=size) for size in ((2, 3, 11), (2, 5, 11), (2, 5, 7)))
    expected = reference.scaled_dot_product_attention(query, key, value)
    expect(student.attention(query, key, value), expected)


@points(1, task="attention")
@hidden
def test_attention_with_large_scores(student, rng):
    """Scores in the thousands give finite outputs."""
    query, key = 60 * rng.normal(size=(3, 5)), 60 * rng.normal(size=(7, 5))
    value = rng.normal(size=(7, 2))
    expected = reference.scaled_dot_product_attention(query, key, value)
    expect(student.attention(query, key, value), expected)


@points(1, task="softmax_jacobian")
def test_the_jacobian_of_three_weights(student):
    """∂p_i / ∂x_j for the weights p = (0.5, 0.3, 0.2)."""
    weights = np.array([0.5, 0.3, 0.2])
    expect(student.softmax_jacobian(weights), reference.softmax_jacobian(weights))


@points(1, task="softmax_jacobian")
@hidden
def test_the_jacobian_of_any_weights(student, rng):
    """The same for weights of another number of keys."""
    weights = reference.softmax(rng.normal(size=7))
    expect(student.softmax_jacobian(weights), reference.softmax_jacobian(weights))
