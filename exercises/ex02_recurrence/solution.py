"""A solution of exercise 02."""

import numpy as np


def rnn_step(x, h, W_x, W_h, b):
    return np.tanh(x @ W_x + h @ W_h + b)


def rnn_states(x, W_x, W_h, b):
    states = []
    h = np.zeros(len(b))
    for x_t in x:
        h = rnn_step(x_t, h, W_x, W_h, b)
        states.append(h)
    return np.array(states)


def last_state_jacobian(states, W_h, t):
    jacobian = np.eye(len(W_h))
    for h in states[t + 1 :]:
        jacobian = jacobian @ (W_h * (1 - h**2))
    return jacobian


def gradient_of_W_h(states, W_h, grad_last):
    gradient = np.zeros(W_h.shape)
    grad_state = grad_last
    for before, h in zip(states[-2::-1], states[:0:-1], strict=True):
        grad_inside = grad_state * (1 - h**2)
        gradient += np.outer(before, grad_inside)
        grad_state = W_h @ grad_inside
    return gradient


def costs(n, d):
    return n, 1, 2 * n * d**2, 3 * n * d**2 + 2 * n**2 * d
