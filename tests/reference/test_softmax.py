"""Softmax: right at the edges of the numbers, along the axis that is asked for, differentiable."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.reference import log_softmax, softmax, softmax_jacobian
from tests.reference.helpers import close, numerical_gradient, vectors

DTYPES = [np.float64, np.float32, np.float16, np.int64]


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_score_of_800_takes_all_without_overflow(dtype):  # A36
    weights = softmax(np.array([800, 1, 1], dtype=dtype))
    assert weights.dtype.kind == "f"
    np.testing.assert_array_equal(weights, [1, 0, 0])


def test_lists_are_read_as_arrays(as_a_user):  # A36
    np.testing.assert_array_equal(softmax([800, 1, 1]), [1.0, 0.0, 0.0], strict=True)
    np.testing.assert_array_equal(log_softmax([800, 1]), [0.0, -799.0], strict=True)


def test_single_precision_stays_and_half_precision_is_computed_in_single():
    assert softmax(np.ones(3, np.float32)).dtype == np.float32
    assert softmax(np.ones(3, np.float16)).dtype == np.float32
    # In float16 the sum of 70 000 ones would be infinite and every weight 0.
    close(softmax(np.zeros(70_000, np.float16))[:2], [1 / 70_000] * 2, 1e-6)
    close(softmax(np.array([100, 0], np.float32)), [1, np.exp(-100.0)], 1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_weights_of_0_1_2_are_the_known_ones(dtype):
    exact = np.exp([0, 1, 2]) / np.exp([0, 1, 2]).sum()
    close(softmax(np.array([0, 1, 2], dtype)), exact, 1e-6)


def test_text_and_complex_numbers_are_refused(refuses):
    with refuses("expected real numbers, got an array of dtype <U1"):
        softmax(np.array(["a"]))
    with refuses("expected real numbers, got an array of dtype complex128"):
        softmax(np.array([1j]))


def test_a_row_of_minus_infinity_gives_zeros_and_leaves_other_rows_alone():  # A51
    weights = softmax(np.array([[-np.inf, -np.inf], [0, -np.inf]]))
    np.testing.assert_array_equal(weights, [[0.0, 0.0], [1.0, 0.0]], strict=True)
    logs = log_softmax(np.array([[-np.inf, -np.inf], [0, -np.inf]]))
    np.testing.assert_array_equal(logs, [[-np.inf, -np.inf], [0.0, -np.inf]], strict=True)


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3)])
def test_no_scores_give_no_weights(shape):
    assert softmax(np.empty(shape)).shape == shape
    assert log_softmax(np.empty(shape)).shape == shape


@pytest.mark.parametrize("weigh", [softmax, log_softmax])
def test_a_number_alone_is_refused(weigh, refuses):
    with refuses("expected scores along an axis, got a single number: 3.0"):
        weigh(3.0)


def test_one_score_takes_all_the_weight():
    np.testing.assert_array_equal(softmax(np.array([[-1e4], [7.0]])), [[1.0], [1.0]], strict=True)


def test_rows_sum_to_1_along_the_last_axis_unless_told_otherwise():  # A32, A33
    scores = np.array([[0.0, 1, 2], [0, 0, 0], [5, 0, 0]])
    close(softmax(scores).sum(axis=1), np.ones(3))
    close(softmax(scores, axis=0).sum(axis=0), np.ones(3))
    close(softmax(scores, axis=0), softmax(scores.T).T)
    close(log_softmax(scores, axis=0), log_softmax(scores.T).T)
    # Over the first axis of a batch of one, every weight would be 1.
    close(softmax(np.array([[[1.0, 1.0]]])), np.array([[[0.5, 0.5]]]))


@pytest.mark.claim("B7")
@given(vectors(st.tuples(st.integers(1, 5), st.integers(1, 7))))
def test_weights_are_a_distribution(x):
    weights = softmax(x)
    assert (weights >= 0).all()
    close(weights.sum(axis=-1), np.ones(len(x)))


@given(vectors(st.integers(1, 7), 100), st.floats(-1e4, 1e4))
def test_adding_a_number_to_all_scores_changes_nothing(x, shift):
    close(softmax(x + shift), softmax(x), 1e-10)
    close(log_softmax(x + shift), log_softmax(x), 1e-10)


@given(vectors(st.integers(1, 7), 100), st.randoms(use_true_random=False))
def test_permuting_the_scores_permutes_the_weights(x, random):
    order = random.sample(range(len(x)), len(x))
    close(softmax(x[order]), softmax(x)[order])


@given(vectors(st.integers(1, 7), 300))
def test_log_softmax_is_the_logarithm_where_it_can_be_taken(x):
    close(log_softmax(x), np.log(softmax(x)), 1e-9)


def test_log_softmax_stays_finite_where_the_weight_is_0():
    np.testing.assert_array_equal(log_softmax(np.array([1e4, -1e4])), [0.0, -2e4], strict=True)


def test_the_weights_may_be_written_over_the_scores():
    x = np.array([[0.0, 1.0], [-np.inf, -np.inf]])
    expected = softmax(x)
    assert softmax(x, out=x) is x
    np.testing.assert_array_equal(x, expected, strict=True)


def test_softmax_leaves_its_argument_alone():
    x = np.array([1.0, 2.0])
    softmax(x)
    log_softmax(x)
    np.testing.assert_array_equal(x, [1.0, 2.0])


def test_the_jacobian_of_a_number_alone_is_refused(refuses):
    with refuses("expected weights along an axis, got a single number: 0.5"):
        softmax_jacobian(0.5)


@given(vectors(st.just((2, 5)), 3))
def test_the_jacobian_agrees_with_finite_differences(x):
    jacobian = softmax_jacobian(softmax(x))
    for row in range(2):
        for i in range(5):
            numerical = numerical_gradient(lambda z, i=i: softmax(z)[i], x[row])
            close(jacobian[row, i], numerical, 1e-8)


@given(vectors(st.integers(1, 7)))
def test_the_jacobian_moves_no_weight_in_total(x):
    jacobian = softmax_jacobian(softmax(x))
    close(jacobian.sum(axis=0), np.zeros(len(x)))
    close(jacobian, jacobian.T)
