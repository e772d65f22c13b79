"""Checks of exercise 02: a recurrent layer, what reaches its last state, and what must wait."""

import numpy as np

from course_lib import reference, words
from course_lib.grading import expect, hidden, points

SHORTCUTS = {
    "rnn_step": ["course_lib.reference.rnn_states", "torch.nn.RNNCell", "torch.nn.RNN"],
    "rnn_states": ["course_lib.reference.rnn_states", "torch.nn.RNN", "torch.nn.RNNCell"],
    "last_state_jacobian": [
        "course_lib.reference.last_state_jacobians",
        "torch.autograd.functional.jacobian",
        "torch.func.jacrev",
        "torch.func.jacfwd",
    ],
    "gradient_of_W_h": [
        "course_lib.reference.rnn_gradients",
        "torch.autograd.grad",
        "torch.autograd.backward",
    ],
}


def layer(rng, d_in, d_state):
    """Weights of a recurrent layer, none of them symmetric, and its bias."""
    W_h = rng.normal(size=(d_state, d_state)) / np.sqrt(d_state)
    return 0.5 * rng.normal(size=(d_in, d_state)), W_h, 0.5 * rng.normal(size=d_state)


@points("1/2", task="rnn_step")
def test_one_step_with_a_bias(student):
    """A word of three numbers, a state of two: tanh(x W_x + h W_h + b)."""
    x, h = np.array([1.0, 0.0, -1.0]), np.array([0.5, -0.5])
    W_x = np.array([[0.2, 0.4], [0.7, 0.1], [0.5, -0.3]])
    W_h, b = np.array([[0.6, -0.2], [0.8, 0.4]]), np.array([0.3, 0.1])
    # x W_x = (−0.3, 0.7), h W_h = (−0.1, −0.3)
    expect(student.rnn_step(x, h, W_x, W_h, b), np.tanh([-0.1, 0.5]))


@points("1/2", task="rnn_step")
@hidden
def test_one_step_for_a_batch(student, rng):
    """Seven words, each with a state of its own."""
    W_x, W_h, b = layer(rng, 3, 5)
    x, h = rng.normal(size=(7, 3)), rng.uniform(-0.9, 0.9, size=(7, 5))
    expect(student.rnn_step(x, h, W_x, W_h, b), np.tanh(x @ W_x + h @ W_h + b))


@points("1/2", task="rnn_states")
def test_the_reader_of_the_chapter(student):
    """Cat, car, it: the old state is halved, the word is added, and tanh is taken."""
    x = words.embed("cat", "car", "it")
    identity, b = np.eye(2), np.zeros(2)
    expected = reference.rnn_states(x, identity, identity / 2, b)
    expect(student.rnn_states(x, identity, identity / 2, b), expected)


@points(1, task="rnn_states")
def test_states_with_all_sizes_different(student, rng):
    """Seven words of width 3, a state of 5 numbers, a bias."""
    x, weights = rng.normal(size=(7, 3)), layer(rng, 3, 5)
    expect(student.rnn_states(x, *weights), reference.rnn_states(x, *weights))


@points("1/2", task="rnn_states")
@hidden
def test_a_longer_text_and_a_single_word(student, rng):
    """Other lengths, one of them 1."""
    weights = layer(rng, 2, 3)
    for T in (1, 31):
        x = rng.normal(size=(T, 2))
        expect(student.rnn_states(x, *weights), reference.rnn_states(x, *weights))


def states_and_W_h(rng, T, d_state):
    """States that a recurrent layer really passes through, and its matrix."""
    W_x, W_h, b = layer(rng, 3, d_state)
    return reference.rnn_states(rng.normal(size=(T, 3)), W_x, W_h, b), W_h


@points("1/2", task="last_state_jacobian")
def test_the_last_state_by_itself(student, rng):
    """For the last t no step is taken: the derivatives of a state by itself."""
    states, W_h = states_and_W_h(rng, 5, 3)
    expect(student.last_state_jacobian(states, W_h, 4), np.eye(3))


@points("1/2", task="last_state_jacobian")
def test_one_step_back(student):
    """Two states of two numbers: one factor."""
    states = np.array([[0.1, 0.8], [0.5, 0.0]])
    W_h = np.array([[2.0, 3.0], [5.0, 7.0]])
    expect(student.last_state_jacobian(states, W_h, 0), np.array([[1.5, 3.0], [3.75, 7.0]]))


@points(1, task="last_state_jacobian")
def test_three_steps_back(student, rng):
    """Three factors, in the right order, with a W_h that is not symmetric."""
    states, W_h = states_and_W_h(rng, 7, 2)
    expected = reference.last_state_jacobians(states, W_h)[3]
    expect(student.last_state_jacobian(states, W_h, 3), expected)


@points(1, task="last_state_jacobian")
@hidden
def test_any_number_of_steps_back(student, rng):
    """Other lengths and places, the first one too."""
    states, W_h = states_and_W_h(rng, 11, 5)
    expected = reference.last_state_jacobians(states, W_h)
    for t in (0, 6, 10):
        expect(student.last_state_jacobian(states, W_h, t), expected[t])


def gradient(states, W_h, grad_last):
    """The gradient of W_h if the loss depends on the last state alone."""
    grad_states = np.zeros(states.shape)
    grad_states[-1] = grad_last
    x, W_x = np.zeros((len(states), 1)), np.zeros((1, len(W_h)))
    return reference.rnn_gradients(x, states, W_x, W_h, grad_states)[2]


@points("1/2", task="gradient_of_W_h")
def test_the_gradient_over_two_words(student):
    """W_h was used once with a state that is not zero: one outer product."""
    states, grad_last = np.array([[0.2, -0.4], [0.5, 0.0]]), np.array([4.0, 1.0])
    W_h = np.array([[2.0, 3.0], [5.0, 7.0]])
    expect(student.gradient_of_W_h(states, W_h, grad_last), np.array([[0.6, 0.2], [-1.2, -0.4]]))


@points(1, task="gradient_of_W_h")
def test_the_gradient_over_three_words(student):
    """W_h was used twice, and both uses count."""
    states = np.array([[0.2, -0.4], [0.6, 0.8], [0.5, 0.0]])
    W_h, grad_last = np.array([[2.0, 3.0], [5.0, 7.0]]), np.array([4.0, 1.0])
    expect(student.gradient_of_W_h(states, W_h, grad_last), gradient(states, W_h, grad_last))


@points("3/2", task="gradient_of_W_h")
@hidden
def test_the_gradient_over_any_text(student, rng):
    """A longer text and a wider state."""
    states, W_h = states_and_W_h(rng, 7, 5)
    grad_last = rng.normal(size=5)
    expect(student.gradient_of_W_h(states, W_h, grad_last), gradient(states, W_h, grad_last))


@points("1/2", task="costs")
def test_the_costs_of_seven_words(student):
    """Seven words of width 5."""
    expect(student.costs(7, 5), np.array([7, 1, 350, 1015]))


@points("1/2", task="costs")
@hidden
def test_the_costs_of_other_sizes(student):
    """Other lengths and widths."""
    for n, d in ((1, 1), (3, 2), (11, 64)):
        expected = np.array([n, 1, 2 * n * d * d, 3 * n * d * d + 2 * n * n * d])
        expect(student.costs(n, d), expected)
