"""Checks of exercise 06: clocks for positions, their rotation, and two ways to use them."""

import numpy as np

from course_lib import reference
from course_lib.grading import expect, hidden, points

SHORTCUTS = {
    "positional_encoding": ["course_lib.reference.sinusoidal_positional_encoding"],
    "position_rotation": ["course_lib.reference.position_rotation"],
    "add_positions": [],
    "rotary": ["course_lib.reference.apply_rotary", "course_lib.reference.position_rotation"],
}


@points(1, task="positional_encoding")
def test_positions_0_and_1_in_four_columns(student):
    """At position 1 the columns are sin 1, cos 1, sin 0.01, cos 0.01."""
    expected = np.array([[0, 1, 0, 1], [np.sin(1), np.cos(1), np.sin(0.01), np.cos(0.01)]])
    expect(student.positional_encoding(2, 4, 0), expected)


@points(1, task="positional_encoding")
def test_seven_columns_from_position_11_on(student):
    """An odd width ends with a sine, and the first row belongs to position `start`."""
    expected = reference.sinusoidal_positional_encoding(3, 7, start=11)
    expect(student.positional_encoding(3, 7, 11), expected)


@points(1, task="positional_encoding")
@hidden
def test_positions_far_into_a_text(student, rng):
    """Any start, in a few columns and in many."""
    for d_model in (1, 10, 64):
        start = int(rng.integers(300, 500))
        expected = reference.sinusoidal_positional_encoding(5, d_model, start=start)
        expect(student.positional_encoding(5, d_model, start), expected, atol=1e-4)


@points(1, task="position_rotation")
def test_two_steps_in_four_columns(student):
    """The matrix takes every position two steps on."""
    expect(student.position_rotation(2, 4), reference.position_rotation(2, 4))


@points(1, task="position_rotation")
@hidden
def test_any_number_of_steps(student, rng):
    """Many steps forwards and back, in ten columns."""
    steps = int(rng.integers(200, 400))
    for delta in (steps, -steps):
        expect(student.position_rotation(delta, 10), reference.position_rotation(delta, 10))


def _with_positions(x, table, starts):
    """The sum, token by token."""
    expected = x.copy()
    for sentence, start in enumerate(starts):
        for t in range(x.shape[1]):
            expected[sentence, t] += table[start + t]
    return expected


@points(1, task="add_positions")
def test_three_sentences_of_three_words(student):
    """Words are 100, 200, 300 by sentence, row p of the table is p + 1, starts are 1, 0 and 4."""
    x = np.array([100, 200, 300])[:, None, None] * np.ones((3, 3, 2))
    table = np.arange(1, 9)[:, None] * np.array([1.0, 10.0])
    starts = np.array([1, 0, 4])
    expect(student.add_positions(x, table, starts), _with_positions(x, table, starts))


@points("1/2", task="add_positions")
def test_two_sentences_of_five_words(student, rng):
    """Words, positions and columns are of different numbers."""
    x, table, starts = rng.normal(size=(2, 5, 3)), rng.normal(size=(11, 3)), np.array([4, 1])
    expect(student.add_positions(x, table, starts), _with_positions(x, table, starts))


@points("1/2", task="add_positions")
@hidden
def test_sentences_that_end_where_the_table_ends(student, rng):
    """Any starts, one of them so late that the last word needs the last row."""
    x, table = rng.normal(size=(5, 3, 7)), rng.normal(size=(13, 7))
    starts = np.append(rng.integers(0, 11, size=4), 10)
    expect(student.add_positions(x, table, starts), _with_positions(x, table, starts))


@points(1, task="rotary")
def test_three_equal_rows_are_turned(student):
    """Of three rows (2, 1, 2, 1) the first stays; the others turn by one step and by two."""
    x = np.array([[2.0, 1.0, 2.0, 1.0]] * 3)
    expect(student.rotary(x, 0), reference.apply_rotary(x))


@points(1, task="rotary")
def test_the_heads_of_a_batch_are_turned(student, rng):
    """Two sentences, three heads, five tokens from position 11 on."""
    x = rng.normal(size=(2, 3, 5, 4))
    expect(student.rotary(x, 11), reference.apply_rotary(x, start=11))


@points(1, task="rotary")
@hidden
def test_any_rows_are_turned(student, rng):
    """Rows of other widths, from any position on."""
    for d_k in (2, 6, 10):
        x, start = rng.normal(size=(2, 7, d_k)), int(rng.integers(300, 500))
        expect(student.rotary(x, start), reference.apply_rotary(x, start=start), atol=1e-4)
