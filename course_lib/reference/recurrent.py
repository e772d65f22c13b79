"""A recurrent network and its gradients through time. Source: Elman, 1990."""

import numpy as np
from jaxtyping import Float, Real

from course_lib.reference.arrays import Array, as_float, project, require_shape


def rnn_states(
    x: Real[Array, "T d_in"],
    W_x: Real[Array, "d_in d_state"],
    W_h: Real[Array, "d_state d_state"],
    b: Real[Array, "d_state"],
) -> Float[Array, "T d_state"]:
    """h_t = tanh(x_t W_x + h_{t−1} W_h + b) for t = 0 … T−1, starting from zeros."""
    from_input = project("x", x, "W_x", W_x)
    if from_input.ndim != 2:
        raise ValueError(f"x must be one text, of shape (T, d_in), got {np.shape(x)}")
    d_state = from_input.shape[1]
    W_h, b = require_shape("W_h", W_h, (d_state, d_state)), require_shape("b", b, (d_state,))
    states = np.empty_like(from_input)
    previous = np.zeros(d_state)
    for t in range(len(states)):
        previous = states[t] = np.tanh(from_input[t] + previous @ W_h + b)
    return states


def last_state_jacobians(
    states: Float[Array, "T d_state"], W_h: Real[Array, "d_state d_state"]
) -> Float[Array, "T d_state d_state"]:
    """∂h_{T−1} / ∂h_t for every t: rows follow the entries of h_t, columns those of h_{T−1}.

    Each step back multiplies by W_h and by the slope of tanh, 1 − h²; this product of T − 1 − t
    factors is what fades or explodes.
    """
    T, d_state = states.shape
    W_h = require_shape("W_h", W_h, (d_state, d_state))
    jacobians = np.empty((T, d_state, d_state))
    jacobian = np.eye(d_state)
    for t in reversed(range(T)):
        jacobians[t] = jacobian
        jacobian = (W_h * (1 - states[t] ** 2)) @ jacobian
    return jacobians


def rnn_gradients(
    x: Real[Array, "T d_in"],
    states: Float[Array, "T d_state"],
    W_x: Real[Array, "d_in d_state"],
    W_h: Real[Array, "d_state d_state"],
    grad_states: Real[Array, "T d_state"],
) -> tuple[
    Float[Array, "T d_in"],
    Float[Array, "d_in d_state"],
    Float[Array, "d_state d_state"],
    Float[Array, "d_state"],
]:
    """Gradients of a loss with respect to x, W_x, W_h and b, from those for the states.

    x, states, W_x, W_h: as `rnn_states` took and gave them.
    """
    x, W_x, W_h = as_float(x), as_float(W_x), as_float(W_h)
    states = require_shape("states", states, (len(x), len(W_h)))
    grad_states = require_shape("grad_states", grad_states, states.shape)
    grad_inside = np.empty_like(states)  # with respect to the argument of tanh
    from_later = np.zeros(states.shape[1])
    for t in reversed(range(len(states))):
        grad_inside[t] = (grad_states[t] + from_later) * (1 - states[t] ** 2)
        from_later = grad_inside[t] @ W_h.T
    before = np.vstack([np.zeros(states.shape[1]), states])[:-1]  # h_{t−1}
    return grad_inside @ W_x.T, x.T @ grad_inside, before.T @ grad_inside, grad_inside.sum(axis=0)
