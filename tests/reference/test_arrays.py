"""Inputs: which are read, which are refused, and in what words."""

import numpy as np
import pytest

from course_lib.reference import attention_weights, cross_entropy, padding_mask
from course_lib.reference.arrays import as_float, project, require_shape


@pytest.mark.parametrize(
    ("given", "computed"),
    [
        (np.float64, np.float64),
        (np.float32, np.float32),
        (np.float16, np.float32),
        (np.int64, np.float64),
        (np.int8, np.float64),
        (np.uint8, np.float64),
        (bool, np.float64),
    ],
)
def test_types_to_compute_with(given, computed):
    read = as_float(np.array([0, 1], dtype=given))
    assert read.dtype == computed
    np.testing.assert_array_equal(read, [0, 1])


def test_a_masked_array_is_refused_since_its_mask_would_be_lost(refuses):
    with refuses("expected a plain array, got a MaskedArray, whose mask would be lost"):
        as_float(np.ma.array([1.0, 2.0], mask=[False, True]))


def test_so_is_a_masked_array_of_targets_lengths_or_visible_keys(refuses):
    def masked(numbers):
        return np.ma.array(numbers, mask=[False, True])

    message = "expected a plain array, got a MaskedArray, whose mask would be lost"
    with refuses(message):
        cross_entropy(np.zeros((2, 3)), masked([0, 1]))
    with refuses(message):
        padding_mask(masked([1, 2]), 3)
    with refuses(message):
        attention_weights(np.ones((1, 2)), np.ones((2, 2)), masked([True, True])[None])


def test_a_transposed_matrix_is_refused_with_the_way_out(refuses):  # A43
    with refuses(
        "query of shape (7, 2, 3) can't be multiplied by W_Q of shape (5, 3): expected (…, d_in) "
        "and (d_in, d_out); nn.Linear stores (d_out, d_in), its transpose W_Q.T fits"
    ):
        project("query", np.ones((7, 2, 3)), "W_Q", np.ones((5, 3)))


def test_a_matrix_that_fits_neither_way_is_refused_without_that_hint(refuses):
    with refuses("x of shape (2, 3) can't be multiplied by W of shape (5, 7)") as refusal:
        project("x", np.ones((2, 3)), "W", np.ones((5, 7)))
    assert "nn.Linear" not in str(refusal.value)
    with refuses("x of shape () can't be multiplied by W of shape (3, 2)"):
        project("x", np.array(1.0), "W", np.ones((3, 2)))
    with refuses("x of shape (3,) can't be multiplied by W of shape (3,)"):
        project("x", np.ones(3), "W", np.ones(3))


def test_rows_go_through_the_matrix_from_the_left():  # A43: a square matrix hides a transpose
    matrix = np.array([[0.0, 1.0], [0.0, 0.0]])
    np.testing.assert_array_equal(project("x", np.array([[2.0, 3.0]]), "W", matrix), [[0.0, 2.0]])


def test_a_wrong_shape_is_refused_with_both_shapes(refuses):
    with refuses("gain must have shape (3,), got (3, 1)"):
        require_shape("gain", np.ones((3, 1)), (3,))
