"""The recurrent network: step by step, and backwards through time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.reference import last_state_jacobians, rnn_gradients, rnn_states
from tests.reference.helpers import close, numerical_gradient, vectors


def inputs(T=5, d_in=2, d_state=3, seed=0):
    rng = np.random.default_rng(seed)
    shapes = (T, d_in), (d_in, d_state), (d_state, d_state), (d_state,)
    return [rng.normal(size=shape) for shape in shapes]


@pytest.mark.claim("B1", "B2")
def test_each_state_is_made_of_its_token_and_the_state_before():
    x, W_x, W_h, b = inputs()
    states = rnn_states(x, W_x, W_h, b)
    close(states[0], np.tanh(x[0] @ W_x + b))
    for t in range(1, 5):
        close(states[t], np.tanh(x[t] @ W_x + states[t - 1] @ W_h + b))


def test_a_later_token_changes_no_earlier_state():
    x, W_x, W_h, b = inputs()
    y = x.copy()
    y[3] += 1
    before, after = rnn_states(x, W_x, W_h, b), rnn_states(y, W_x, W_h, b)
    np.testing.assert_array_equal(after[:3], before[:3])
    assert (after[3:] != before[3:]).all()


@given(vectors(st.just((4, 2)), 2))
def test_gradients_through_time_agree_with_finite_differences(x):
    arguments = [x, *inputs()[1:]]
    weights_of_loss = np.random.default_rng(1).normal(size=(4, 3))
    states = rnn_states(*arguments)
    gradients = rnn_gradients(x, states, *arguments[1:3], weights_of_loss)
    for number, gradient in enumerate(gradients):

        def loss(value, number=number):
            changed = [value if n == number else a for n, a in enumerate(arguments)]
            return (weights_of_loss * rnn_states(*changed)).sum()

        close(gradient, numerical_gradient(loss, arguments[number]), 1e-7)


@pytest.mark.claim("B1")
def test_jacobians_of_the_last_state_agree_with_finite_differences():
    x, W_x, W_h, b = inputs()
    states = rnn_states(x, W_x, W_h, b)
    jacobians = last_state_jacobians(states, W_h)
    for t in range(5):
        for j in range(3):

            def last(h, t=t, j=j):
                for later in range(t + 1, 5):
                    h = np.tanh(x[later] @ W_x + h @ W_h + b)
                return h[j]

            close(jacobians[t, :, j], numerical_gradient(last, states[t]), 1e-8)


@pytest.mark.claim("B1")
def test_the_last_state_s_gradient_is_the_jacobian_times_the_first_step():
    x, W_x, W_h, b = inputs()
    states = rnn_states(x, W_x, W_h, b)
    jacobians = last_state_jacobians(states, W_h)
    for j in range(3):
        grad_states = np.zeros((5, 3))
        grad_states[-1, j] = 1
        grad_x = rnn_gradients(x, states, W_x, W_h, grad_states)[0]
        for t in range(5):
            close(grad_x[t], (W_x * (1 - states[t] ** 2)) @ jacobians[t, :, j])


@pytest.mark.parametrize("T", [0, 1])
def test_short_texts_pass(T):
    x, W_x, W_h, b = inputs(T=T)
    states = rnn_states(x, W_x, W_h, b)
    assert states.shape == (T, 3)
    np.testing.assert_array_equal(last_state_jacobians(states, W_h), np.tile(np.eye(3), (T, 1, 1)))
    gradients = rnn_gradients(x, states, W_x, W_h, np.ones((T, 3)))
    assert [g.shape for g in gradients] == [(T, 2), (2, 3), (3, 3), (3,)]
    assert (gradients[2] == 0).all()  # the state before the first is 0


def test_integers_and_lists_are_computed_with(as_a_user):
    states = rnn_states([[1], [0]], [[1]], [[2]], [0])
    close(states, np.tanh([[1], [2 * np.tanh(1)]]))


def test_misfits_are_refused_with_their_values(refuses):
    x, W_x, W_h, b = inputs()
    states = rnn_states(x, W_x, W_h, b)
    with refuses("x of shape (5, 2) can't be multiplied by W_x of shape (3, 2)"):
        rnn_states(x, W_x.T, W_h, b)
    with refuses("W_h must have shape (3, 3), got (2, 3)"):
        rnn_states(x, W_x, W_x, b)
    with refuses("b must have shape (3,), got (2,)"):
        rnn_states(x, W_x, W_h, b[:2])
    with refuses("W_h must have shape (3, 3), got (2, 3)"):
        last_state_jacobians(states, W_x)
    with refuses("states must have shape (4, 3), got (5, 3)"):
        rnn_gradients(x[:4], states, W_x, W_h, states)
    with refuses("grad_states must have shape (5, 3), got (3,)"):
        rnn_gradients(x, states, W_x, W_h, states[0])


@pytest.mark.parametrize("shape", [(2,), (4, 3, 2)])
def test_a_batch_is_refused_even_where_its_time_could_pass_for_the_width_of_the_state(
    shape, refuses
):
    _, W_x, W_h, b = inputs()  # d_state = 3
    with refuses(f"x must be one text, of shape (T, d_in), got {shape}"):
        rnn_states(np.ones(shape), W_x, W_h, b)
