"""Sines and cosines of the positions, column by column, and the rotation that moves them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.reference import (
    angular_frequencies,
    position_rotation,
    sinusoidal_positional_encoding,
)
from tests.reference.helpers import close

even = st.integers(1, 16).map(lambda pairs: 2 * pairs)


@pytest.mark.claim("B13")
def test_the_four_columns_of_position_1():  # B02
    table = sinusoidal_positional_encoding(2, 4)
    expected = [np.sin(1), np.cos(1), np.sin(0.01), np.cos(0.01)]
    close(table, [[0, 1, 0, 1], expected])


@pytest.mark.claim("B13")
def test_both_columns_of_a_pair_share_the_exponent():  # B22: 0, 0, 2, 2, 4, 4 over 6
    row = sinusoidal_positional_encoding(6, 6)[5]
    for column, exponent in enumerate([0, 0, 2, 2, 4, 4]):
        wave = np.cos if column % 2 else np.sin
        close(row[column], wave(5 / 10000 ** (exponent / 6)))


def test_sines_and_cosines_alternate_and_do_not_stand_in_two_blocks():  # B03
    table = sinusoidal_positional_encoding(2, 8)
    pairs = 1 / 10000.0 ** (np.arange(0, 8, 2) / 8)
    close(table[1, 0::2], np.sin(pairs))
    close(table[1, 1::2], np.cos(pairs))
    assert np.abs(table[1] - np.concatenate([np.sin(pairs), np.cos(pairs)])).max() > 0.4


def test_every_pair_lies_on_the_unit_circle():  # B02
    table = sinusoidal_positional_encoding(29, 14)
    close(table[:, 0::2] ** 2 + table[:, 1::2] ** 2, np.ones((29, 7)))


@pytest.mark.parametrize("d_model", [1, 2, 5, 29])
def test_odd_widths_leave_out_the_last_cosine(d_model):  # B01
    table = sinusoidal_positional_encoding(10, d_model)
    assert table.shape == (10, d_model)
    t = np.arange(10)
    for column in range(d_model):
        angle = t / 10000 ** ((column - column % 2) / d_model)
        close(table[:, column], np.cos(angle) if column % 2 else np.sin(angle))


def test_dividing_and_the_exponential_of_a_logarithm_are_the_same():  # B21
    exponents = np.arange(0, 32, 2) / 32
    close(angular_frequencies(32), np.exp(-np.log(10000) * exponents))
    close(angular_frequencies(32), 1 / 10000**exponents)
    assert angular_frequencies(32)[-1] < angular_frequencies(32)[0] == 1


def test_the_table_is_exact_far_out_where_half_precision_is_lost():  # B08
    table = sinusoidal_positional_encoding(2048, 32)
    t, frequencies = np.arange(2048)[:, None], angular_frequencies(32)
    half = np.cos(t.astype(np.float16) * frequencies.astype(np.float16))
    assert np.abs(half - table[:, 1::2]).max() > 0.7
    single = np.cos(t.astype(np.float32) * frequencies.astype(np.float32))
    close(single, table[:, 1::2], 1e-3)
    assert table.dtype == np.float64


@given(st.integers(0, 7), st.integers(0, 5000), st.integers(1, 9))
def test_a_later_start_continues_the_same_table(num_positions, start, d_model):  # E05
    whole = sinusoidal_positional_encoding(start + num_positions, d_model)
    later = sinusoidal_positional_encoding(num_positions, d_model, start=start)
    np.testing.assert_array_equal(later, whole[start:], strict=True)


def test_rows_of_a_batch_get_the_encoding_of_their_position():  # B05, B06: B = T
    x = np.zeros((3, 3, 4))
    encoded = x + sinusoidal_positional_encoding(3, 4)
    assert (encoded[0, 0] != encoded[0, 1]).any()
    np.testing.assert_array_equal(encoded[0], encoded[2])


@pytest.mark.parametrize(("num_positions", "d_model"), [(-1, 4), (3, 0), (3, -2)])
def test_impossible_sizes_are_refused(num_positions, d_model, refuses):
    with refuses(f"expected num_positions ≥ 0 and d_model ≥ 1, got {num_positions} and {d_model}"):
        sinusoidal_positional_encoding(num_positions, d_model)


@pytest.mark.claim("B14")
@given(st.integers(0, 5000), st.integers(-5000, 5000), even)
def test_a_rotation_by_delta_moves_every_position_by_delta(t, delta, d_model):  # B17
    here = sinusoidal_positional_encoding(1, d_model, start=t)
    there = sinusoidal_positional_encoding(1, d_model, start=t + delta)
    close(here @ position_rotation(delta, d_model), there, 1e-9)


@pytest.mark.claim("B14")
@given(st.floats(-100, 100), st.floats(-100, 100), even)
def test_rotations_add_up_and_keep_lengths(a, b, d_model):
    rotation = position_rotation(a, d_model)
    close(rotation @ position_rotation(b, d_model), position_rotation(a + b, d_model), 1e-10)
    close(rotation @ rotation.T, np.eye(d_model))


@pytest.mark.claim("B14")
def test_each_pair_turns_by_its_own_angle():  # B17: the opposite sign turns back in time
    frequencies = angular_frequencies(8)
    expected = np.zeros((8, 8))
    for i, angle in enumerate(3 * frequencies):
        c, s = np.cos(angle), np.sin(angle)
        expected[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
    close(position_rotation(3, 8), expected)
    table = sinusoidal_positional_encoding(9, 8)
    assert np.abs(table[5] @ position_rotation(-3, 8) - table[8]).max() > 0.1


@pytest.mark.parametrize("d_model", [5, 0, -2])
def test_a_width_without_pairs_has_no_rotation(d_model, refuses):
    with refuses(
        f"d_model must be even and at least 2, so that each sine has a cosine, got {d_model}"
    ):
        position_rotation(1, d_model)
