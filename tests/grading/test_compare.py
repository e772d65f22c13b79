"""Shapes before values; what is accepted, and what is told apart."""

import numpy as np
import pytest

from course_lib.grading.compare import difference, expect
from course_lib.grading.failures import Mismatch

ROW = np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    "got", [ROW.tolist(), ROW.astype(np.float32), ROW + 1e-7, ROW * (1 + 5e-5)]
)
def test_containers_precision_and_rounding_are_no_difference(got):  # I27, I37
    assert difference(got, ROW) is None


@pytest.mark.parametrize(
    ("got", "reason"),
    [
        (ROW[:, None], "Expected the shape (3,), got (3, 1)."),
        (ROW[None], "Expected the shape (3,), got (1, 3)."),
        (2.0, "Expected the shape (3,), got ()."),
        (np.array([1.0]), "Expected the shape (3,), got (1,)."),
        ([1, np.nan, 3], "The result contains NaN (not a number)."),
        (ROW * 1.001, "The values differ."),
        ("three", "Expected numbers, got str."),
        ([[1], [2, 3]], "Expected an array of numbers, got lists of different lengths."),
        (np.array([1j, 2, 3]), "Expected numbers, got an array of complex."),
        (["one", "two"], "Expected numbers, got an array of str."),
        ([1, None, [2]], "Expected an array of numbers, got lists of different lengths."),
        ([1.0, None, 3], "Expected numbers, got an array of NoneType, float, int."),
        (np.array([], dtype=object), "Expected numbers, got an array of object."),
        (None, "Expected numbers, got NoneType."),
    ],
)
def test_a_difference_is_said_in_a_sentence(got, reason):  # I33
    assert difference(got, ROW) == reason
    with pytest.raises(Mismatch, match=reason[:10]):
        expect(got, ROW)


def test_tuples_are_compared_entry_by_entry():
    assert difference((ROW, 1.0), (ROW, 1)) is None
    assert difference((ROW, 2.0), (ROW, 1)) == "Result 2: The values differ."
    assert difference(ROW, (ROW, 1)) == "Expected 2 results, got 1."
    assert difference((ROW,), (ROW, 1)) == "Expected 2 results, got 1."


def test_a_list_of_results_is_as_good_as_a_tuple():
    wide = np.ones((3, 2))
    assert difference([ROW, wide], (ROW, wide)) is None
    assert difference(np.stack([ROW, 2 * ROW]), (ROW, 2 * ROW)) is None
    assert difference([ROW, ROW], (ROW, 2 * ROW)) == "Result 2: The values differ."
    assert difference([ROW, wide, wide], (ROW, wide)) == "Expected 2 results, got 3."


def test_results_too_many_are_counted():
    assert difference((ROW, np.ones((3, 2))), ROW) == "Expected one result, got 2."
    assert difference((ROW, ROW), ROW) == "Expected one result, got 2."
    assert difference((ROW,), ROW) == "Expected the shape (3,), got (1, 3)."
    assert difference((1.0, 2.0), ROW) == "Expected the shape (3,), got (2,)."


def test_one_result_in_place_of_several_is_counted_as_one():
    assert difference(np.ones((2, 5)), (np.ones((2, 5)), 1)) == "Expected 2 results, got 1."
    for got in ("to", None, 3.0):
        assert difference(got, (ROW, 1)) == "Expected 2 results, got 1."


def test_the_root_of_the_wrong_width_is_a_difference():  # I27
    scores = np.linspace(-1, 1, 7)
    assert difference(scores / np.sqrt(11), scores / np.sqrt(12)) == "The values differ."


def test_infinities_are_values():
    assert difference([np.inf, 1.0], [np.inf, 1.0]) is None
    assert difference([-np.inf, 1.0], [np.inf, 1.0]) == "The values differ."
