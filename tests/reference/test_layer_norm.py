"""Layer normalisation: variance over d_model, eps inside the root, one token at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.reference import layer_norm
from tests.reference.helpers import close, vectors


def test_one_and_three_zeros():  # C02: the unbiased deviation would give 1.5
    row = layer_norm(np.array([1, 0, 0, 0]))
    np.testing.assert_array_equal(row.round(3), [1.732, -0.577, -0.577, -0.577])
    close(row, np.array([3, -1, -1, -1]) / 4 / np.sqrt(3 / 16 + 1e-5))


def test_tiny_rows_meet_eps_inside_the_root():  # C03
    row = layer_norm(np.array([1, 2, 3, 4]) * 1e-4)
    np.testing.assert_array_equal(row.round(4), [-0.0474, -0.0158, 0.0158, 0.0474])
    close(layer_norm(np.array([1.0, -1.0]), eps=3.0), [0.5, -0.5])


@pytest.mark.parametrize("row", [[7.0, 7.0, 7.0], [0.0, 0.0], [3.0]])
def test_a_constant_row_becomes_zeros(row):  # C03
    np.testing.assert_array_equal(layer_norm(np.array(row)), np.zeros(len(row)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("number", [0.1, 12345.678, 1e6 + 0.1, -3e30])
def test_a_constant_row_becomes_zeros_however_large_it_is_and_wherever_it_is_rounded(number, dtype):
    # C03: in float32 the mean of 777 numbers 1000000.1 is off by 0.5, a hundred times √eps.
    for width in (7, 777):
        row = np.full((2, width), number, dtype)
        np.testing.assert_array_equal(layer_norm(row), np.zeros_like(row), strict=True)


def test_a_shift_of_all_entries_changes_nothing():
    x = np.arange(14, dtype=np.float32).reshape(2, 7)
    np.testing.assert_array_equal(layer_norm(x + 2**20), layer_norm(x), strict=True)


@pytest.mark.claim("B16")
@given(vectors(st.tuples(st.integers(1, 3), st.integers(2, 7)), 1e3))
def test_every_token_gets_mean_0_and_variance_1(x):
    variance = x.var(axis=-1)
    normalised = layer_norm(x)
    close(normalised.mean(axis=-1), np.zeros(len(x)), 1e-9)
    close(normalised.var(axis=-1), variance / (variance + 1e-5), 1e-9)


@pytest.mark.claim("B16")
def test_gain_multiplies_and_bias_is_added_column_by_column():
    rng = np.random.default_rng(0)
    x, gain, bias = rng.normal(size=(2, 3, 5)), rng.normal(size=5), rng.normal(size=5)
    close(layer_norm(x, gain, bias), layer_norm(x) * gain + bias)
    close(layer_norm(x, gain), layer_norm(x) * gain)
    close(layer_norm(x, bias=bias), layer_norm(x) + bias)
    assert np.abs(layer_norm(x, gain, bias) - layer_norm(x)).max() > 0.1


def test_tokens_do_not_depend_on_each_other():
    x = np.random.default_rng(0).normal(3, 5, size=(2, 3, 7))
    normalised = layer_norm(x)
    for b, t in np.ndindex(2, 3):
        close(layer_norm(x[b, t]), normalised[b, t])


def test_half_precision_integers_and_the_argument_are_safe():
    half = np.array([400, -400, 400, -400], np.float16)  # squares pass 65504
    close(layer_norm(half), [1, -1, 1, -1], 1e-6)
    x = np.array([1, -1])
    close(layer_norm(x), [1, -1], 1e-5)
    np.testing.assert_array_equal(x, [1, -1], strict=True)
    assert layer_norm(np.ones(3, np.float32)).dtype == np.float32


def test_numbers_whose_squares_pass_the_largest_float32_are_normalised_like_others():
    x = np.array([[1, 2, 3, 4]], np.float32)
    for large in (np.float32(1e20), np.float32(5e37)):
        close(layer_norm(x * large), layer_norm(x, eps=0), 1e-6)


def test_no_tokens_give_no_rows():
    assert layer_norm(np.ones((2, 0, 3))).shape == (2, 0, 3)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0)])
def test_tokens_without_numbers_are_refused(shape, refuses):
    with refuses(f"expected tokens of at least one number, (…, d_model), got {shape}"):
        layer_norm(np.ones(shape))


def test_gains_and_biases_of_another_width_are_refused(refuses):
    with refuses("gain must have shape (3,), got (2,)"):
        layer_norm(np.ones((2, 3)), np.ones(2))
    with refuses("bias must have shape (3,), got (2, 1)"):
        layer_norm(np.ones((2, 3)), bias=np.ones((2, 1)))
