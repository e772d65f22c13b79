"""Checks of exercise 08: masks, and attention that obeys them."""

import numpy as np

from course_lib import reference
from course_lib.grading import expect, hidden, points

SHORTCUTS = {
    "causal_mask": ["course_lib.reference.causal_mask", "course_lib.nn.causal_mask"],
    "padding_mask": ["course_lib.reference.padding_mask", "course_lib.nn.padding_mask"],
    "sliding_window_mask": [],
    "masked_attention": [
        "course_lib.reference.scaled_dot_product_attention",
        "course_lib.reference.attention_weights",
        "course_lib.nn.scaled_dot_product_attention",
        "torch.nn.functional.scaled_dot_product_attention",
    ],
}


@points("1/2", task="causal_mask")
def test_causal_mask_of_three(student):
    """Three queries over three keys: each sees itself and what came before."""
    expect(student.causal_mask(3, 3), reference.causal_mask(3))


@points(1, task="causal_mask")
def test_causal_mask_after_a_cache(student):
    """Two new queries over five keys: the last query sees all five."""
    expect(student.causal_mask(2, 5), reference.causal_mask(2, 5))


@points("1/2", task="causal_mask")
@hidden
def test_causal_mask_of_any_size(student, rng):
    """Any number of new queries after any number of cached keys."""
    for T in rng.permutation([1, 4, 7]):
        S = int(T + rng.integers(2, 9))
        expect(student.causal_mask(int(T), S), reference.causal_mask(int(T), S))


@points(1, task="padding_mask")
def test_padding_mask_of_two_sentences(student):
    """Sentences of 3 and 1 real tokens among 4, each with an axis for the queries."""
    lengths = np.array([3, 1])
    expect(student.padding_mask(lengths, 4), reference.padding_mask(lengths, 4))


@points(1, task="padding_mask")
@hidden
def test_padding_mask_of_many_sentences(student, rng):
    """Any lengths, from an empty sentence to a full one."""
    lengths = np.append(rng.integers(1, 7, size=4), [0, 7])
    expect(student.padding_mask(lengths, 7), reference.padding_mask(lengths, 7))


@points(1, task="sliding_window_mask")
def test_a_window_of_three(student):
    """Of six positions each sees itself and the two before it."""
    expected = np.tri(6, 6, dtype=bool) & ~np.tri(6, 6, k=-3, dtype=bool)
    expect(student.sliding_window_mask(6, 3), expected)


@points(1, task="sliding_window_mask")
@hidden
def test_a_window_of_any_width(student, rng):
    """Windows of one, of a few, and wider than the text."""
    for width in (1, int(rng.integers(2, 6)), 9):
        expected = np.tri(7, 7, dtype=bool) & ~np.tri(7, 7, k=-width, dtype=bool)
        expect(student.sliding_window_mask(7, width), expected)


def _inputs(rng, *batch):
    sizes = (*batch, 3, 11), (*batch, 5, 11), (*batch, 5, 7)
    return [rng.normal(size=size) for size in sizes]


@points(1, task="masked_attention")
def test_attention_with_a_causal_mask(student, rng):
    """What may not be seen has no weight, and the weights of the rest sum to one."""
    query, key, value = _inputs(rng)
    mask = reference.causal_mask(3, 5)
    expected = reference.scaled_dot_product_attention(query, key, value, mask)
    expect(student.masked_attention(query, key, value, mask), expected)


@points(1, task="masked_attention")
def test_a_huge_score_cannot_beat_the_mask(student):
    """One query scores about ten thousand, and 1000 more where it must not look; one about 1."""
    query, key = np.array([[100.0], [0.01]]), np.array([[97.0], [98.0], [108.0]])
    value, mask = np.array([[1.0], [2.0], [11.0]]), np.array([[True, True, False]] * 2)
    expected = reference.scaled_dot_product_attention(query, key, value, mask)
    expect(student.masked_attention(query, key, value, mask), expected)


@points(1, task="masked_attention")
def test_a_query_that_may_see_nothing_gets_zeros(student):
    """A row of False gives zeros, and the other rows are as they were."""
    query, key = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([[1.0, 1.0], [3.0, 0.0]])
    value, mask = np.array([[4.0], [8.0]]), np.array([[False, False], [True, False]])
    expected = reference.scaled_dot_product_attention(query, key, value, mask)
    expect(student.masked_attention(query, key, value, mask), expected)


@points(1, task="masked_attention")
@hidden
def test_attention_with_a_batch_of_masks(student, rng):
    """Each sentence of a batch has a mask of its own, some rows of it empty."""
    query, key, value = _inputs(rng, 2)
    mask = rng.random((2, 3, 5)) < 0.6
    mask[0, 1] = False
    expected = reference.scaled_dot_product_attention(query, key, value, mask)
    expect(student.masked_attention(query, key, value, mask), expected)
