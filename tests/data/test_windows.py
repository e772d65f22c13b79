"""Inputs and targets: the shift by one happens once, and no window is lost."""

import numpy as np
import pytest

from course_lib.data import inputs_and_targets, windows


def test_the_target_of_each_token_is_the_next():  # D14
    for tokens in ([5, 6, 7, 8], np.array([5, 6, 7, 8])):
        x, y = inputs_and_targets(tokens)
        np.testing.assert_array_equal(x, [5, 6, 7])
        np.testing.assert_array_equal(y, [6, 7, 8])


def test_every_text_of_a_batch_is_shifted_along_its_tokens():  # D22
    tokens = np.arange(12).reshape(3, 4)  # no text continues the one before
    x, y = inputs_and_targets(tokens)
    np.testing.assert_array_equal(x, tokens[:, :3])
    np.testing.assert_array_equal(y, x + 1)


def test_hiding_targets_leaves_inputs_and_text_alone():
    tokens = np.array([5, 6, 7, 8])
    x, y = inputs_and_targets(tokens)
    y[:] = -100
    x[0] = 0
    np.testing.assert_array_equal(x, [0, 6, 7])
    np.testing.assert_array_equal(tokens, [5, 6, 7, 8])


@pytest.mark.parametrize("tokens", [[], [5], np.ones((3, 1), int)])
def test_a_text_without_a_next_token_is_refused(tokens, refuses):
    with refuses("a token and its next take at least 2 tokens, got shape"):
        inputs_and_targets(tokens)


@pytest.mark.parametrize(("n", "block_size", "count"), [(8, 4, 4), (5, 4, 1), (8, 7, 1), (8, 1, 7)])
def test_no_window_is_lost(n, block_size, count):  # D20
    x, y = windows(list(range(n)), block_size)
    assert x.shape == y.shape == (count, block_size)
    np.testing.assert_array_equal(x, np.arange(count)[:, None] + np.arange(block_size))
    np.testing.assert_array_equal(y, x + 1)  # D22: y[i] is x[i + 1], also inside the window


@pytest.mark.parametrize(("n", "block_size"), [(20, 64), (4, 4), (0, 1)])
def test_a_text_shorter_than_a_window_is_refused_and_not_padded(n, block_size, refuses):  # D20, D23
    with refuses(
        f"a text of {n} tokens is too short for block_size = {block_size}: "
        f"it takes at least {block_size + 1}"
    ):
        windows(np.zeros(n, int), block_size)


def test_impossible_windows_are_refused(refuses):
    with refuses("block_size must be at least 1, got 0"):
        windows(np.arange(8), 0)
    with refuses("expected one text, a row of tokens, got shape (2, 8)"):
        windows(np.ones((2, 8), int), 3)
