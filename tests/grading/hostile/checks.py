"""Checks of a small exercise, for submissions that want something else than to solve it."""

import numpy as np

from course_lib.grading import expect, hidden, points

LIMITS = {"double": 2, "total": 2, "centre": 2, "cells": 3}

NUMBERS = np.array([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])
UNSEEN = 271828.0  # stands in hidden inputs alone


@points(2, task="double")
def test_double_of_numbers(student):
    """Every number becomes twice as large."""
    expect(student.double(NUMBERS.copy()), 2 * NUMBERS)


@points(2, task="double")
@hidden
def test_double_of_other_numbers(student, rng):
    """The same for numbers that nobody has seen."""
    x = np.append(rng.normal(size=5), UNSEEN)
    expect(student.double(x), 2 * x)


@points(1, task="total")
def test_total_of_rows(student):
    """The sum of each row."""
    expect(student.total(NUMBERS.copy()), NUMBERS.sum(axis=-1))


@points(2, task="total")
@hidden
def test_total_of_any_axes(student, rng):
    """The same whatever axes stand before the last."""
    x = rng.normal(size=(2, 3, 5))
    expect(student.total(x), x.sum(axis=-1))


@points(1, task="centre")
def test_centre_of_rows(student):
    """Each row loses its mean."""
    expect(student.centre(NUMBERS.copy()), NUMBERS - NUMBERS.mean(axis=-1, keepdims=True))


@points(2, task="centre")
@hidden
def test_centre_of_any_axes(student, rng):
    """The same whatever axes stand before the last."""
    x = rng.normal(size=(2, 3, 5))
    expect(student.centre(x), x - x.mean(axis=-1, keepdims=True))
