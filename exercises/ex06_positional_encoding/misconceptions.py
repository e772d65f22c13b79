"""What people write instead, and right ways that differ from the solution."""

import math

import numpy as np

from course_lib.grading import misconception, right_variant


def _positions(num_positions, start):
    return np.arange(start, start + num_positions)[:, None]


def _frequencies(d_model):
    """One for each pair of columns."""
    return 10000.0 ** -(np.arange(0, d_model, 2) / d_model)


def _interleaved(even, odd, width):
    table = np.empty((*even.shape[:-1], width))
    table[..., ::2], table[..., 1::2] = even, odd[..., : width // 2]
    return table


@misconception(
    "positional_encoding",
    caught_by="test_positions_0_and_1_in_four_columns",
    says="This looks like the number of the column in place of i, so that column j has the "
    "exponent 2j / d_model. In the formula i counts pairs: columns 2i and 2i + 1 share one "
    "frequency, with the exponent 2i / d_model.",
)
def table_with_the_column_in_place_of_the_pair(num_positions, d_model, start):
    column = np.arange(d_model)
    angle = _positions(num_positions, start) / 10000 ** (2 * column / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))


@misconception(
    "positional_encoding",
    caught_by="test_positions_0_and_1_in_four_columns",
    says="This looks like a loop over the even columns that doubles their number once more. "
    "There column 2i is called i, so its exponent is i / d_model; with 2 · i every frequency is "
    "squared.",
)
def table_with_squared_frequencies(num_positions, d_model, start):
    angle = _positions(num_positions, start) * _frequencies(d_model) ** 2
    return _interleaved(np.sin(angle), np.cos(angle), d_model)


@misconception(
    "positional_encoding",
    caught_by="test_positions_0_and_1_in_four_columns",
    says="This looks like a frequency of its own for each column. A sine and the cosine beside "
    "it belong to one clock and have the same frequency; otherwise moving on is no rotation.",
)
def table_with_a_frequency_for_each_column(num_positions, d_model, start):
    column = np.arange(d_model)
    angle = _positions(num_positions, start) / 10000 ** (column / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))


@misconception(
    "positional_encoding",
    caught_by="test_positions_0_and_1_in_four_columns",
    says="This looks like all sines first and then all cosines. The numbers are the same and the "
    "columns are not: here sine and cosine take turns, as in the paper's formula.",
)
def table_in_two_blocks(num_positions, d_model, start):
    angle = _positions(num_positions, start) * _frequencies(d_model)
    return np.hstack([np.sin(angle), np.cos(angle)])[:, :d_model]


@misconception(
    "positional_encoding",
    caught_by="test_positions_0_and_1_in_four_columns",
    says="This looks like the layout of the paper's own code: all sines, then all cosines, with "
    "exponents i / (d_model / 2 − 1). The formula in the paper, which is wanted here, has sine "
    "and cosine in turn and exponents 2i / d_model.",
)
def table_of_the_papers_code(num_positions, d_model, start):
    pairs = d_model // 2
    frequencies = 10000.0 ** -(np.arange(pairs) / max(pairs - 1, 1))
    angle = _positions(num_positions, start) * frequencies
    return np.hstack([np.sin(angle), np.cos(angle)])


@misconception(
    "positional_encoding",
    caught_by="test_positions_0_and_1_in_four_columns",
    says="This looks like the cosine before the sine. Even columns, from column 0 on, hold sines.",
)
def table_with_cosines_first(num_positions, d_model, start):
    angle = _positions(num_positions, start) * _frequencies(d_model)
    return _interleaved(np.cos(angle), np.sin(angle), d_model)


@misconception(
    "positional_encoding",
    caught_by="test_positions_0_and_1_in_four_columns",
    says="This looks like the position times 10000^(2i / d_model). It is divided by it: each "
    "clock is slower than the one before.",
)
def table_with_faster_and_faster_clocks(num_positions, d_model, start):
    angle = _positions(num_positions, start) / _frequencies(d_model)
    return _interleaved(np.sin(angle), np.cos(angle), d_model)


@misconception(
    "positional_encoding",
    caught_by="test_positions_0_and_1_in_four_columns",
    says="This looks like positions that are counted from 1. The first is 0, where every clock "
    "stands at sine 0 and cosine 1.",
)
def table_from_1_on(num_positions, d_model, start):
    angle = _positions(num_positions, start + 1) * _frequencies(d_model)
    return _interleaved(np.sin(angle), np.cos(angle), d_model)


@misconception(
    "positional_encoding",
    caught_by="test_seven_columns_from_position_11_on",
    says="This looks like a table that begins at position 0 whatever `start` says.",
)
def table_without_start(num_positions, d_model, start):
    angle = _positions(num_positions, 0) * _frequencies(d_model)
    return _interleaved(np.sin(angle), np.cos(angle), d_model)


@misconception(
    "positional_encoding",
    caught_by="test_seven_columns_from_position_11_on",
    says="This looks like the table for one column more, cut off at the end. Its frequencies are "
    "those of the wider table: the exponents divide by d_model itself, odd or not.",
)
def table_of_the_next_even_width(num_positions, d_model, start):
    angle = _positions(num_positions, start) * _frequencies(d_model + d_model % 2)
    return _interleaved(np.sin(angle), np.cos(angle), d_model)


@right_variant("positional_encoding")
def table_by_exponentials(num_positions, d_model, start):
    frequencies = np.exp(-math.log(10000) * np.arange(0, d_model, 2) / d_model)
    table = np.zeros((num_positions, d_model))
    angle = _positions(num_positions, start) * frequencies
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)[:, : d_model // 2]
    return table


@right_variant("positional_encoding")
def table_by_loops(num_positions, d_model, start):
    def entry(t, j):
        angle = t / 10000 ** ((j - j % 2) / d_model)
        return math.cos(angle) if j % 2 else math.sin(angle)

    return [[entry(start + t, j) for j in range(d_model)] for t in range(num_positions)]


@right_variant("positional_encoding")
def table_in_float32(num_positions, d_model, start):
    column = np.arange(d_model)
    slowness = np.float32(10000) ** ((column - column % 2) / d_model).astype(np.float32)
    angle = _positions(num_positions, start).astype(np.float32) / slowness
    return np.where(column % 2, np.cos(angle), np.sin(angle))


def _blocks(angles, sign=1):
    """One 2 × 2 block for each angle along the diagonal."""
    rotation = np.zeros((2 * len(angles), 2 * len(angles)))
    for i, angle in enumerate(angles):
        c, s = math.cos(angle), sign * math.sin(angle)
        rotation[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
    return rotation


@misconception(
    "position_rotation",
    caught_by="test_two_steps_in_four_columns",
    says="This looks like the transpose, which goes back instead of on. Positions are rows here, "
    "PE(t) @ R; many books write the same rotation for columns, R @ PE(t).",
)
def rotation_backwards(delta, d_model):
    return _blocks(delta * _frequencies(d_model), sign=-1)


@misconception(
    "position_rotation",
    caught_by="test_two_steps_in_four_columns",
    says="This looks like one angle for all pairs. Each clock turns at its own speed: the angle "
    "of pair i is delta times its frequency.",
)
def rotation_at_one_speed(delta, d_model):
    return _blocks([delta] * (d_model // 2))


@misconception(
    "position_rotation",
    caught_by="test_two_steps_in_four_columns",
    says="This looks like a matrix for the layout with all sines first and then all cosines. "
    "Here the sine and the cosine of a clock are neighbours, and so are their rows and columns.",
)
def rotation_in_two_blocks(delta, d_model):
    c, s = (np.diag(f(delta * _frequencies(d_model))) for f in (np.cos, np.sin))
    return np.block([[c, -s], [s, c]])


@misconception(
    "position_rotation",
    caught_by="test_two_steps_in_four_columns",
    says="This looks like the matrix for a single step. The angles grow with delta.",
)
def rotation_by_one_step(delta, d_model):
    return _blocks(_frequencies(d_model))


@misconception(
    "position_rotation",
    caught_by="test_two_steps_in_four_columns",
    says="This looks like delta times the matrix of one step. Two steps are that matrix twice in "
    "a row, or once with twice the angle: a rotation changes no lengths.",
)
def rotation_multiplied(delta, d_model):
    return delta * _blocks(_frequencies(d_model))


@misconception(
    "position_rotation",
    caught_by="test_two_steps_in_four_columns",
    says="This looks like blocks with a sine of the same sign on both sides. From sin(a + b) = "
    "sin a cos b + cos a sin b and cos(a + b) = cos a cos b − sin a sin b, one of them is "
    "negative.",
)
def rotation_with_two_plusses(delta, d_model):
    rotation = _blocks(delta * _frequencies(d_model))
    return np.tril(rotation) + np.tril(rotation, -1).T


@misconception(
    "position_rotation",
    caught_by="test_two_steps_in_four_columns",
    says="This looks like exponents i / d_model for pair i. They are 2i / d_model, the same as "
    "in the table.",
)
def rotation_with_half_the_exponents(delta, d_model):
    return _blocks(delta * 10000.0 ** -(np.arange(d_model // 2) / d_model))


@misconception(
    "position_rotation",
    caught_by="test_two_steps_in_four_columns",
    says="This looks like a loop over the even columns that doubles their number once more. "
    "There column 2i is called i, so its exponent is i / d_model.",
)
def rotation_with_squared_frequencies(delta, d_model):
    return _blocks(delta * _frequencies(d_model) ** 2)


@right_variant("position_rotation")
def rotation_by_places(delta, d_model):
    angles = delta * _frequencies(d_model)
    rotation = np.diag(np.repeat(np.cos(angles), 2))
    sines = np.arange(0, d_model, 2)
    rotation[sines + 1, sines] = np.sin(angles)
    return rotation - np.triu(rotation.T, 1)


@right_variant("position_rotation")
def rotation_by_least_squares(delta, d_model):
    """The matrix that takes a table of positions to the table moved on."""
    now, then = (table_by_loops(2000, d_model, start) for start in (0, delta))
    return np.linalg.lstsq(np.array(now), np.array(then), rcond=None)[0]


@misconception(
    "add_positions",
    caught_by="test_three_sentences_of_three_words",
    says="This looks like positions that run along the batch. With as many sentences as words "
    "the shapes fit, and yet each word gets the position that belongs to a word of another "
    "sentence.",
)
def positions_along_the_batch(x, table, starts):
    return x + table[starts + np.arange(x.shape[0])[:, None]]


@misconception(
    "add_positions",
    caught_by="test_three_sentences_of_three_words",
    says="This looks like positions from 0 on for every sentence. Sentence b begins at starts[b].",
)
def positions_without_starts(x, table, starts):
    return x + table[: x.shape[1]]


@misconception(
    "add_positions",
    caught_by="test_three_sentences_of_three_words",
    says="This looks like one position for all words of a sentence, that of its first. The words "
    "after it stand one further each.",
)
def one_position_for_all_words(x, table, starts):
    return x + table[starts][:, None]


@misconception(
    "add_positions",
    caught_by="test_three_sentences_of_three_words",
    says="This looks like positions that were added twice. It happens where one line adds to x "
    "what another has already added.",
)
def positions_added_twice(x, table, starts):
    return x + 2 * table[starts[:, None] + np.arange(x.shape[1])]


@misconception(
    "add_positions",
    caught_by="test_three_sentences_of_three_words",
    says="These look like the positions alone. Without the words there is nothing for them to "
    "order.",
)
def positions_alone(x, table, starts):
    return table[starts[:, None] + np.arange(x.shape[1])]


@misconception(
    "add_positions",
    caught_by="test_three_sentences_of_three_words",
    says="This looks like words that were added twice, as by x = x + f(x) where f has added x "
    "already.",
)
def words_added_twice(x, table, starts):
    return 2 * x + table[starts[:, None] + np.arange(x.shape[1])]


@misconception(
    "add_positions",
    caught_by="test_three_sentences_of_three_words",
    says="This looks like positions that are one too far: the first word of sentence b stands at "
    "starts[b] itself.",
)
def positions_one_too_far(x, table, starts):
    return x + table[starts[:, None] + np.arange(1, x.shape[1] + 1)]


@misconception(
    "add_positions",
    caught_by="test_three_sentences_of_three_words",
    says="This looks like the start of the first sentence for all. Each has its own.",
)
def positions_of_the_first_sentence(x, table, starts):
    return x + table[starts[0] : starts[0] + x.shape[1]]


@misconception(
    "add_positions",
    caught_by="test_three_sentences_of_three_words",
    says="This looks like starts + np.arange(T) without a new axis. With as many sentences as "
    "words NumPy adds the two number by number, so that word t of every sentence gets the"
    " same position: starts has to stand as a column.",
)
def positions_number_by_number(x, table, starts):
    return x + table[starts + np.arange(x.shape[1])]


@right_variant("add_positions")
def positions_by_slices(x, table, starts):
    pairs = zip(x, starts, strict=True)
    return [sentence + table[start : start + len(sentence)] for sentence, start in pairs]


@right_variant("add_positions")
def positions_by_take(x, table, starts):
    places = np.add.outer(starts, np.arange(x.shape[1]))
    return np.take(table.astype(np.float32), places, axis=0) + x


def _turned(x, angle):
    """Neighbouring columns turned by `angle`."""
    even, odd, c, s = x[..., ::2], x[..., 1::2], np.cos(angle), np.sin(angle)
    return _interleaved(even * c - odd * s, even * s + odd * c, x.shape[-1])


@misconception(
    "rotary",
    caught_by="test_three_equal_rows_are_turned",
    says="This looks like a turn in the other direction. The scores would be the same, since "
    "queries and keys are both turned; but keys from one program don't fit queries from another. "
    "The paper turns (x, y) to (x cos − y sin, x sin + y cos).",
)
def turned_the_other_way(x, start):
    return _turned(x, -_positions(x.shape[-2], start) * _frequencies(x.shape[-1]))


@misconception(
    "rotary",
    caught_by="test_three_equal_rows_are_turned",
    says="This looks like column i paired with column i + d_k / 2, as in GPT-NeoX and many open "
    "models. Here neighbours form a pair: columns 0 and 1, 2 and 3.",
)
def turned_in_halves(x, start):
    angle = _positions(x.shape[-2], start) * _frequencies(x.shape[-1])
    (a, b), c, s = np.split(x, 2, axis=-1), np.cos(angle), np.sin(angle)
    return np.concatenate([a * c - b * s, a * s + b * c], axis=-1)


@misconception(
    "rotary",
    caught_by="test_three_equal_rows_are_turned",
    says="This looks like adding the sinusoidal encoding. Rotary positions add nothing: they "
    "turn the pairs that are there, and leave the length of each row as it is.",
)
def added_instead_of_turned(x, start):
    return x + table_by_exponentials(x.shape[-2], x.shape[-1], start)


@misconception(
    "rotary",
    caught_by="test_three_equal_rows_are_turned",
    says="This looks like one speed for all pairs. Pair i turns by its own frequency, 1 / "
    "10000^(2i / d_k), at each step.",
)
def turned_at_one_speed(x, start):
    return _turned(x, _positions(x.shape[-2], start))


@misconception(
    "rotary",
    caught_by="test_three_equal_rows_are_turned",
    says="This looks like a plus in both lines, (x cos + y sin, x sin + y cos). That is no "
    "rotation: it changes the length of the row.",
)
def turned_with_two_plusses(x, start):
    angle = _positions(x.shape[-2], start) * _frequencies(x.shape[-1])
    even, odd, c, s = x[..., ::2], x[..., 1::2], np.cos(angle), np.sin(angle)
    return _interleaved(even * c + odd * s, even * s + odd * c, x.shape[-1])


@misconception(
    "rotary",
    caught_by="test_the_heads_of_a_batch_are_turned",
    says="This looks like rows that are turned from position 0 on, whatever `start` says.",
)
def turned_without_start(x, start):
    return _turned(x, _positions(x.shape[-2], 0) * _frequencies(x.shape[-1]))


@misconception(
    "rotary",
    caught_by="test_the_heads_of_a_batch_are_turned",
    says="This looks like positions that run along the heads. The tokens are the axis before the "
    "last, whatever comes before them.",
)
def turned_along_the_heads(x, start):
    positions = np.arange(start, start + x.shape[1])
    return _turned(x, positions[:, None, None] * _frequencies(x.shape[-1]))


@misconception(
    "rotary",
    caught_by="test_three_equal_rows_are_turned",
    says="This looks like the second line computed from what the first has already "
    "overwritten. Both new coordinates need the old x and the old y: keep them until both"
    " are done.",
)
def turned_one_after_the_other(x, start):
    angle = _positions(x.shape[-2], start) * _frequencies(x.shape[-1])
    even, odd, c, s = x[..., ::2], x[..., 1::2], np.cos(angle), np.sin(angle)
    even = even * c - odd * s
    return _interleaved(even, even * s + odd * c, x.shape[-1])


@misconception(
    "rotary",
    caught_by="test_three_equal_rows_are_turned",
    says="This looks like the right coordinates in the wrong columns: all x first and then all"
    " y. They belong where they came from, in even and odd columns in turn.",
)
def turned_and_left_in_halves(x, start):
    turned = _turned(x, _positions(x.shape[-2], start) * _frequencies(x.shape[-1]))
    return np.concatenate([turned[..., ::2], turned[..., 1::2]], axis=-1)


@misconception(
    "rotary",
    caught_by="test_three_equal_rows_are_turned",
    says="This looks like neighbours turned by angles that were laid out for halves, as by "
    "np.concatenate([angle, angle]). The two columns of a pair share one angle: use np.repeat.",
)
def turned_by_angles_of_halves(x, start):
    angle = np.tile(_positions(x.shape[-2], start) * _frequencies(x.shape[-1]), 2)
    across = _interleaved(-x[..., 1::2], x[..., ::2], x.shape[-1])
    return x * np.cos(angle) + across * np.sin(angle)


@misconception(
    "rotary",
    caught_by="test_three_equal_rows_are_turned",
    says="This looks like exponents that were doubled once too often: np.arange(0, d_k, 2) is "
    "2i already.",
)
def turned_by_squared_frequencies(x, start):
    return _turned(x, _positions(x.shape[-2], start) * _frequencies(x.shape[-1]) ** 2)


@right_variant("rotary")
def turned_as_complex_numbers(x, start):
    turn = np.exp(1j * _positions(x.shape[-2], start) * _frequencies(x.shape[-1]))
    turned = (x[..., ::2] + 1j * x[..., 1::2]) * turn
    return _interleaved(turned.real, turned.imag, x.shape[-1])


@right_variant("rotary")
def turned_by_matrices(x, start):
    rotations = [rotation_by_places(-t, x.shape[-1]) for t in range(start, start + x.shape[-2])]
    return np.einsum("...ti,tij->...tj", x, np.array(rotations))
