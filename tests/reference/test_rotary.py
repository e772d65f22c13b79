"""Rotary positions: scores that know the distance of two tokens and nothing else of their place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.reference import (
    angular_frequencies,
    apply_rotary,
    attention_scores,
    position_rotation,
)
from tests.reference.helpers import close

positions = st.integers(0, 2000)


def test_the_first_token_stays_and_the_second_turns_by_one_radian():
    turned = apply_rotary(np.array([[1.0, 0.0], [1.0, 0.0]]))
    close(turned, [[1, 0], [np.cos(1), np.sin(1)]])


def test_each_pair_of_columns_turns_by_its_own_frequency():
    x = np.random.default_rng(0).normal(size=(11, 6))
    pairs = x[:, 0::2] + 1j * x[:, 1::2]
    pairs = pairs * np.exp(1j * np.arange(11)[:, None] * angular_frequencies(6))
    turned = apply_rotary(x)
    close(turned[:, 0::2], pairs.real)
    close(turned[:, 1::2], pairs.imag)


@given(positions, positions, st.integers(0, 3000), st.integers(1, 8))
def test_a_score_depends_on_the_distance_alone(t, s, shift, pairs):
    q, k = np.random.default_rng(0).normal(size=(2, 1, 2 * pairs))

    def score(t, s):
        return (apply_rotary(q, start=t) @ apply_rotary(k, start=s).T).item()

    close(score(t, s), score(t + shift, s + shift), 1e-9)


def test_a_score_depends_on_the_distance_and_on_its_sign():
    q, k = np.random.default_rng(0).normal(size=(2, 1, 6))
    scores = attention_scores(apply_rotary(q.repeat(7, 0)), apply_rotary(k.repeat(7, 0)))
    by_distance = {d: np.diag(scores, d) for d in range(-6, 7)}
    for scores_there in by_distance.values():
        close(scores_there, np.full(len(scores_there), scores_there[0]))
    firsts = np.array([there[0] for there in by_distance.values()])
    assert np.abs(np.subtract.outer(firsts, firsts))[~np.eye(13, dtype=bool)].min() > 1e-4


@pytest.mark.claim("B14")
@given(positions, st.integers(1, 8))
def test_row_t_is_turned_back_by_the_rotation_of_the_sinusoidal_table(t, pairs):
    x = np.random.default_rng(0).normal(size=(1, 2 * pairs))
    close(apply_rotary(x, start=t), x @ position_rotation(-t, 2 * pairs), 1e-10)


def test_lengths_are_kept():
    x = np.random.default_rng(0).normal(size=(2, 3, 11, 6))
    close(np.linalg.norm(apply_rotary(x), axis=-1), np.linalg.norm(x, axis=-1))


def test_positions_run_along_the_tokens_and_are_alike_for_every_batch_and_head():
    x = np.random.default_rng(0).normal(size=(5, 6))
    turned = apply_rotary(np.broadcast_to(x, (5, 5, 5, 6)))
    close(turned, np.broadcast_to(apply_rotary(x), (5, 5, 5, 6)))


def test_with_tokens_before_heads_every_score_is_what_it_was_without_positions():
    q, k = np.random.default_rng(0).normal(size=(2, 11, 3, 6))  # (T, H, d_k): heads taken for time
    scores = q.swapaxes(0, 1) @ k.swapaxes(0, 1).mT
    wrong = apply_rotary(q).swapaxes(0, 1) @ apply_rotary(k).swapaxes(0, 1).mT
    close(wrong, scores)
    right = apply_rotary(q.swapaxes(0, 1)) @ apply_rotary(k.swapaxes(0, 1)).mT
    assert np.abs(right - scores).max() > 1


@given(st.integers(0, 6), st.integers(0, 50))
def test_a_later_start_continues_the_sequence(T, start):
    x = np.random.default_rng(0).normal(size=(start + T, 4))
    np.testing.assert_array_equal(apply_rotary(x[start:], start=start), apply_rotary(x)[start:])


def test_pairing_the_halves_is_a_reordering_of_columns():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 11, 6))
    angles = np.arange(11)[:, None] * angular_frequencies(6)

    def turn_halves(x):
        left, right = x[:, :3], x[:, 3:]
        cos, sin = np.cos(angles), np.sin(angles)
        return np.concatenate([left * cos - right * sin, left * sin + right * cos], axis=1)

    halves = [0, 2, 4, 1, 3, 5]  # where the columns of the interleaved layout go
    here = apply_rotary(q) @ apply_rotary(k).T
    close(turn_halves(q[:, halves]) @ turn_halves(k[:, halves]).T, here)
    assert np.abs(turn_halves(q) @ turn_halves(k).T - here).max() > 0.1


def test_single_precision_stays_and_its_angles_are_exact_far_out():  # B08
    x = np.random.default_rng(0).normal(size=(3, 8))
    turned = apply_rotary(x.astype(np.float32), start=100_000)
    assert turned.dtype == np.float32
    np.testing.assert_allclose(turned, apply_rotary(x, start=100_000), atol=1e-5)


def test_the_input_is_left_alone():
    x = np.ones((3, 4))
    apply_rotary(x)
    np.testing.assert_array_equal(x, np.ones((3, 4)))


@pytest.mark.parametrize("shape", [(3, 5), (6,), (2, 3, 1)])
def test_widths_without_pairs_are_refused(shape, refuses):
    with refuses(f"expected rows of even width, (…, T, d_k), got shape {shape}"):
        apply_rotary(np.ones(shape))
