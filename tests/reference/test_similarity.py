"""Dot product, cosine, angle and neighbours, zero vectors and rounding included."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.reference import angle, cosine_similarity, dot, nearest_neighbours
from tests.reference.helpers import close, vectors

FUNCTIONS = [dot, cosine_similarity, angle]


def test_dot_multiplies_entry_by_entry_and_adds():
    assert dot(np.array([1, 2, 3]), np.array([4, -5, 6])) == 12.0


def test_the_cosine_of_known_pairs():
    a = np.array([[3.0, 4.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]])
    b = np.array([[4.0, 3.0], [0.0, 5.0], [-7.0, 0.0], [1.0, 0.0]])
    close(cosine_similarity(a, b), [0.96, 0, -1, 0.5**0.5])
    close(angle(a, b)[1:], [np.pi / 2, np.pi, np.pi / 4])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_one_vector_is_compared_with_every_row(function):
    rng = np.random.default_rng(0)
    one, table = rng.normal(size=3), rng.normal(size=(5, 3))
    close(function(one, table), [function(one, row) for row in table])
    close(function(table[:, None], table), function(table, table[:, None]).T)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_the_cosine_of_a_vector_with_a_multiple_of_itself_never_passes_1(dtype):  # F01, F09
    rng = np.random.default_rng(1)
    v = rng.normal(size=(2000, 300)).astype(dtype)
    for w in (v, 3 * v):
        cosines = cosine_similarity(v, w)
        assert cosines.max() <= 1
        close(cosines, np.ones(2000), 1e-15 if dtype is np.float64 else 1e-6)
        angles = angle(v, w)
        assert np.isfinite(angles).all()
        assert angles.max() < (1e-7 if dtype is np.float64 else 1e-3)
        assert (angle(v, -w) > 3.14).all()


def test_a_zero_vector_has_cosine_0_with_everything(as_a_user):  # F02
    assert cosine_similarity([1, 2], [0, 0]) == 0.0
    assert cosine_similarity([0, 0], [0, 0]) == 0.0
    assert angle([0, 0], [1, 2]) == angle([0, 0], [0, 0]) == np.pi / 2
    assert dot([1, 2], [0, 0]) == 0.0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_vectors_of_other_widths_or_none_are_refused(function, refuses):  # F08
    with refuses("expected vectors of one width ≥ 1, got shapes (3,) and (4,)"):
        function(np.ones(3), np.ones(4))
    with refuses("expected vectors of one width ≥ 1, got shapes (0,) and (0,)"):
        function([], [])
    with refuses("expected vectors of one width ≥ 1, got shapes () and (2,)"):
        function(1.0, np.ones(2))
    with refuses("expected vectors of one width ≥ 1, got shapes (2,) and ()"):
        function(np.ones(2), 1.0)


@given(vectors(st.just((2, 5))), st.floats(1e-3, 1e3))
def test_the_cosine_forgets_the_norms_and_the_order(pair, factor):
    a, b = pair
    close(cosine_similarity(a, b), cosine_similarity(b, a))
    close(cosine_similarity(factor * a, b), cosine_similarity(a, b), 1e-9)
    close(cosine_similarity(-a, b), -cosine_similarity(a, b))
    assert -1 <= cosine_similarity(a, b) <= 1


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_tiny_and_huge_vectors_keep_their_direction(size):
    close(cosine_similarity(size * np.array([3.0, 4.0]), np.array([4.0, 3.0])), 0.96)


def test_neighbours_come_best_first_and_zero_rows_last():  # F03
    table = np.array([[0.0, 0], [0, 1], [-1, 0], [5, 5], [0, 0], [9, 0]])
    order = nearest_neighbours(np.array([1.0, 0.0]), table, 6)
    np.testing.assert_array_equal(order, [5, 3, 1, 2, 0, 4])
    np.testing.assert_array_equal(nearest_neighbours(np.array([1.0, 0.0]), table, 1), [5])
    # Even against the opposite direction a row of zeros never wins.
    assert nearest_neighbours(np.array([1.0, 0.0]), table[[0, 2]], 1)[0] == 1


def test_equal_cosines_keep_the_order_of_the_table():
    table = np.tile(np.eye(2), (50, 1))  # rows 0, 2, 4 … are alike, and rows 1, 3, 5 …
    order = nearest_neighbours(np.array([2.0, 1.0]), table, 100)
    np.testing.assert_array_equal(order, [*range(0, 100, 2), *range(1, 100, 2)])


def test_integer_tables_are_searched_too():
    table = np.array([[0, 1], [1, 1]])
    np.testing.assert_array_equal(nearest_neighbours(np.array([2, 2]), table, 2), [1, 0])


@pytest.mark.parametrize("k", [0, 4])
def test_more_neighbours_than_rows_are_refused(k, refuses):
    with refuses(f"k must lie between 1 and the table's 3 rows, got k = {k}"):
        nearest_neighbours(np.ones(2), np.ones((3, 2)), k)


def test_all_rows_may_be_asked_for():
    assert len(nearest_neighbours(np.ones(2), np.ones((3, 2)), 3)) == 3


def test_a_query_of_another_width_is_refused(refuses):
    with refuses("expected vectors of one width ≥ 1, got shapes (3,) and (5, 2)"):
        nearest_neighbours(np.ones(3), np.ones((5, 2)), 1)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_what_is_no_number_has_no_place_in_the_order(number, refuses):
    table = np.array([[0.0, 1.0], [number, 1.0], [0.0, 0.0]])
    with refuses(f"row 1 of the table has no direction: it holds {number}"):
        nearest_neighbours(np.ones(2), table, 1)
    with refuses(f"the query has no direction: it holds {number}"):
        nearest_neighbours(np.array([1.0, number]), table[:1], 1)


def test_several_queries_at_once_and_tables_of_other_axes_are_refused(refuses):
    # Rows of a square table would each be compared with the query of the same number.
    shapes = [((3, 3), (3, 3)), ((1, 3), (5, 3)), ((3,), (3,)), ((3,), (2, 5, 3))]
    for query, table in shapes:
        with refuses(f"expected one query (d,) and a table (n, d), got shapes {query} and {table}"):
            nearest_neighbours(np.ones(query), np.ones(table), 1)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_leading_axes_that_fit_no_broadcast_are_refused(function, refuses):
    with refuses("leading axes must be alike or 1, got shapes (4, 3) and (5, 3)"):
        function(np.ones((4, 3)), np.ones((5, 3)))
    assert function(np.ones((4, 1, 3)), np.ones((5, 3))).shape == (4, 5)


def test_no_vectors_give_no_numbers_but_vectors_of_no_entries_are_refused(refuses):
    assert cosine_similarity(np.ones(3), np.ones((0, 3))).shape == (0,)
    with refuses("expected vectors of one width ≥ 1, got shapes (3, 0) and (3, 0)"):
        dot(np.ones((3, 0)), np.ones((3, 0)))
