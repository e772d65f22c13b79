"""A recurrent network and its gradients through time. Source: Elman, 1990."""

import numpy as np
from jaxtyping import Float, Real

from course_lib.reference.arrays import Array


def rnn_states(
    x: Real[Array, "T d_in"],
    W_x: Real[Array, "d_in d_state"],
    W_h: Real[Array, "d_state d_state"],
    b: Real[Array, "d_state"],
) -> Float[Array, "T d_state"]:
    """h_t = tanh(x_t W_x + h_{t−1} W_h + b) for t = 0 … T−1, starting from zeros."""
    states = np.empty((len(x), len(b)))
    previous = np.zeros(len(b))
    for t, x_t in enumerate(x):
        previous = states[t] = np.tanh(x_t @ W_x + previous @ W_h + b)
    return states


def last_state_jacobians(
    states: Float[Array, "T d_state"], W_h: Real[Array, "d_state d_state"]
) -> Float[Array, "T d_state d_state"]:
    """∂h_{T−1} / ∂h_t for every t: rows follow the entries of h_t, columns those of h_{T−1}.

    Each step back multiplies by W_h and by the slope of tanh, 1 − h²; this product of T − 1 − t
    factors is what fades or explodes.
    """
    T, d_state = states.shape
    jacobians = np.empty((T, d_state, d_state))
    jacobians[T - 1] = np.eye(d_state)
    for t in range(T - 2, -1, -1):
        jacobians[t] = (W_h * (1 - states[t + 1] ** 2)) @ jacobians[t + 1]
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
    """Gradients of a loss with respect to x, W_x, W_h and b, from those for the states."""
    grad_inside = np.empty_like(states)  # with respect to the argument of tanh
    from_later = np.zeros(states.shape[1])
    for t in range(len(x) - 1, -1, -1):
        grad_inside[t] = (grad_states[t] + from_later) * (1 - states[t] ** 2)
        from_later = grad_inside[t] @ W_h.T
    before = np.vstack([np.zeros(states.shape[1]), states[:-1]])  # h_{t−1}
    return grad_inside @ W_x.T, x.T @ grad_inside, before.T @ grad_inside, grad_inside.sum(axis=0)
