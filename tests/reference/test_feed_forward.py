"""The feed-forward network: two layers, one position at a time."""

import numpy as np
import pytest

from course_lib.reference import feed_forward, relu
from tests.reference.helpers import close


def weights(seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in ((3, 7), (7,), (7, 3), (3,))]


def test_relu_keeps_what_is_above_0():
    np.testing.assert_array_equal(relu(np.array([-2, 0, 3])), [0.0, 0.0, 3.0], strict=True)


@pytest.mark.claim("B18")
def test_two_linear_layers_with_a_non_linearity_between():
    W_1, b_1, W_2, b_2 = weights()
    x = np.random.default_rng(1).normal(size=3)
    hidden = [max(0.0, sum(x[i] * W_1[i, j] for i in range(3)) + b_1[j]) for j in range(7)]
    expected = [sum(hidden[j] * W_2[j, k] for j in range(7)) + b_2[k] for k in range(3)]
    close(feed_forward(x, W_1, b_1, W_2, b_2), expected)


@pytest.mark.claim("B18")
def test_the_same_network_runs_at_every_position():
    x = np.random.default_rng(1).normal(size=(2, 5, 3))
    output = feed_forward(x, *weights())
    for b, t in np.ndindex(2, 5):
        close(feed_forward(x[b, t], *weights()), output[b, t])


def test_integers_are_computed_with():
    eye, zeros = np.eye(2, dtype=int), np.zeros(2, int)
    output = feed_forward(np.array([[1, -1]]), eye, zeros, eye, np.array([0, 5]))
    np.testing.assert_array_equal(output, [[1.0, 5.0]], strict=True)


def test_misfits_are_refused_with_their_values(refuses):
    W_1, b_1, W_2, b_2 = weights()
    x = np.ones((5, 3))
    with refuses("W_1 of shape (7, 3): expected (…, d_in) and (d_in, d_out); nn.Linear stores"):
        feed_forward(x, W_1.T, b_1, W_2, b_2)
    with refuses("b_1 must have shape (7,), got (3,)"):
        feed_forward(x, W_1, b_2, W_2, b_2)
    with refuses("the hidden layer of shape (5, 7) can't be multiplied by W_2 of shape (3, 7)"):
        feed_forward(x, W_1, b_1, W_2.T, b_2)
    with refuses("b_2 must have shape (3,), got (5, 1)"):
        feed_forward(x, W_1, b_1, W_2, np.ones((5, 1)))
