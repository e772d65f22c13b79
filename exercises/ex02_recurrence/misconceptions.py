"""What people write instead, and right ways that differ from the solution."""

import math

import numpy as np

from course_lib.grading import misconception, right_variant


@misconception(
    "rnn_step",
    caught_by="test_one_step_with_a_bias",
    says="This looks like the sum without tanh. A state that is only added up is not kept within "
    "−1 and 1, and many steps are then no more than one matrix product.",
)
def step_without_tanh(x, h, W_x, W_h, b):
    return x @ W_x + h @ W_h + b


@misconception(
    "rnn_step",
    caught_by="test_one_step_with_a_bias",
    says="This looks like a step without the bias b.",
)
def step_without_bias(x, h, W_x, W_h, b):
    return np.tanh(x @ W_x + h @ W_h)


@misconception(
    "rnn_step",
    caught_by="test_one_step_with_a_bias",
    says="This looks like W_h from the left, or its transpose. States are rows in this course: a "
    "row stands to the left of its matrix. (nn.RNN stores the transposes.)",
)
def step_with_the_transpose(x, h, W_x, W_h, b):
    return np.tanh(x @ W_x + h @ W_h.T + b)


@misconception(
    "rnn_step",
    caught_by="test_one_step_with_a_bias",
    says="This looks like adding the bias after tanh. It belongs to the sum that tanh is taken of.",
)
def step_with_the_bias_outside(x, h, W_x, W_h, b):
    return np.tanh(x @ W_x + h @ W_h) + b


@misconception(
    "rnn_step",
    caught_by="test_one_step_with_a_bias",
    says="This looks like a step that forgets the old state: nothing of the earlier words is left.",
)
def step_without_memory(x, h, W_x, W_h, b):
    return np.tanh(x @ W_x + b)


@misconception(
    "rnn_step",
    caught_by="test_one_step_with_a_bias",
    says="This looks like the old state added to the new one. A plain recurrent layer replaces its "
    "state; what stays of the old one comes through W_h.",
)
def step_added_to_the_state(x, h, W_x, W_h, b):
    return h + np.tanh(x @ W_x + h @ W_h + b)


@misconception(
    "rnn_step",
    caught_by="test_one_step_with_a_bias",
    says="This looks like a tanh of the word and another of the state. They are added first, and "
    "tanh is taken once.",
)
def step_with_two_tanh(x, h, W_x, W_h, b):
    return np.tanh(x @ W_x + b) + np.tanh(h @ W_h)


@misconception(
    "rnn_step",
    caught_by="test_one_step_with_a_bias",
    says="This looks like the logistic function in place of tanh. Its slope is at most a quarter, "
    "so that gradients fade much faster still.",
)
def step_with_a_logistic_function(x, h, W_x, W_h, b):
    return 1 / (1 + np.exp(-(x @ W_x + h @ W_h + b)))


@right_variant("rnn_step")
def step_by_one_matrix(x, h, W_x, W_h, b):
    return np.tanh(np.concatenate([x, h], axis=-1) @ np.concatenate([W_x, W_h]) + b)


@right_variant("rnn_step")
def step_by_exponentials(x, h, W_x, W_h, b):
    power = np.exp(2 * (b + np.einsum("...i,ij->...j", h, W_h) + np.einsum("...i,ij", x, W_x)))
    return (power - 1) / (power + 1)


def _states(x, W_x, W_h, b, h=None):
    states = []
    h = np.zeros(len(b)) if h is None else h
    for x_t in x:
        h = np.tanh(x_t @ W_x + h @ W_h + b)
        states.append(h)
    return np.array(states)


@misconception(
    "rnn_states",
    caught_by="test_the_reader_of_the_chapter",
    says="This looks like the last state alone. All of them are wanted, one row for each word.",
)
def states_last_alone(x, W_x, W_h, b):
    return _states(x, W_x, W_h, b)[-1]


@misconception(
    "rnn_states",
    caught_by="test_the_reader_of_the_chapter",
    says="This looks like the states with the zeros from before the first word. Row t belongs to "
    "word t: the zeros are where reading starts, and no state after a word.",
)
def states_with_the_start(x, W_x, W_h, b):
    return np.vstack([np.zeros(len(b)), _states(x, W_x, W_h, b)])


@misconception(
    "rnn_states",
    caught_by="test_the_reader_of_the_chapter",
    says="This looks like the states before each word, zeros first. The state is written down one "
    "word too early: row t has read word t.",
)
def states_before_each_word(x, W_x, W_h, b):
    return np.vstack([np.zeros(len(b)), _states(x, W_x, W_h, b)[:-1]])


@misconception(
    "rnn_states",
    caught_by="test_the_reader_of_the_chapter",
    says="This looks like starting again from zeros at each word. Carry the new state on to the "
    "next step.",
)
def states_not_carried_on(x, W_x, W_h, b):
    return np.tanh(x @ W_x + b)


@misconception(
    "rnn_states",
    caught_by="test_the_reader_of_the_chapter",
    says="This looks like reading backwards, last word first.",
)
def states_backwards(x, W_x, W_h, b):
    return _states(x[::-1], W_x, W_h, b)[::-1]


@misconception(
    "rnn_states",
    caught_by="test_the_reader_of_the_chapter",
    says="This looks like the same states without tanh.",
)
def states_without_tanh(x, W_x, W_h, b):
    states = np.zeros((len(x), len(b)))
    for t in range(len(x)):
        states[t] = x[t] @ W_x + b + (states[t - 1] @ W_h if t else 0)
    return states


@misconception(
    "rnn_states",
    caught_by="test_states_with_all_sizes_different",
    says="This looks like W_h from the left, or its transpose. The chapter's reader can't tell, "
    "since half of the identity is its own mirror image; here W_h is not.",
)
def states_with_the_transpose(x, W_x, W_h, b):
    return _states(x, W_x, W_h.T, b)


@misconception(
    "rnn_states",
    caught_by="test_states_with_all_sizes_different",
    says="This looks like a first step without the bias. Only the state before it is zero.",
)
def states_with_a_first_step_of_its_own(x, W_x, W_h, b):
    first = np.tanh(x[0] @ W_x)
    return np.vstack([first, _states(x[1:], W_x, W_h, b, first).reshape(-1, len(b))])


@misconception(
    "rnn_states",
    caught_by="test_the_reader_of_the_chapter",
    says="This looks like one array written into the list again and again: every row shows the"
    " last state, since h[:] = … changes the array that the list already holds. Make a "
    "new array at each step.",
)
def states_in_one_array(x, W_x, W_h, b):
    return np.tile(_states(x, W_x, W_h, b)[-1], (len(x), 1))


@misconception(
    "rnn_states",
    caught_by="test_the_reader_of_the_chapter",
    says="This looks like two results, the states and the last of them, as nn.RNN returns them. "
    "The states alone are wanted; the last one is their last row.",
)
def states_and_the_last_again(x, W_x, W_h, b):
    states = _states(x, W_x, W_h, b)
    return states, states[-1]


@right_variant("rnn_states")
def states_filled_in(x, W_x, W_h, b):
    states = np.zeros((len(x) + 1, len(b)))
    for t, x_t in enumerate(x):
        states[t + 1] = np.tanh(b + states[t] @ W_h + x_t @ W_x)
    return states[1:]


@right_variant("rnn_states")
def states_as_lists(x, W_x, W_h, b):
    states, h = [], [0.0] * len(b)
    for from_word in (x @ W_x + b).tolist():
        from_state = [sum(h[i] * W_h[i, j] for i in range(len(h))) for j in range(len(h))]
        h = [math.tanh(one + other) for one, other in zip(from_word, from_state, strict=True)]
        states.append(h)
    return states


def _factors(states, W_h, t):
    return [W_h * (1 - h**2) for h in states[t + 1 :]]


def _product(factors, size):
    result = np.eye(size)
    for factor in factors:
        result = result @ factor
    return result


@misconception(
    "last_state_jacobian",
    caught_by="test_one_step_back",
    says="This looks like the transpose: rows for the last state, columns for the earlier one, as "
    "PyTorch's jacobian gives it. Here rows follow the state that is moved.",
)
def jacobian_transposed(states, W_h, t):
    return _product(_factors(states, W_h, t), len(W_h)).T


@misconception(
    "last_state_jacobian",
    caught_by="test_one_step_back",
    says="This looks like a power of W_h alone. Each step also passes through tanh, whose slope "
    "1 − h² is at most 1.",
)
def jacobian_without_slopes(states, W_h, t):
    return np.linalg.matrix_power(W_h, len(states) - 1 - t)


@misconception(
    "last_state_jacobian",
    caught_by="test_one_step_back",
    says="This looks like slopes of the state that a step starts from. The tanh of a step is the "
    "one that made its *new* state, so its slope is 1 − h² of that.",
)
def jacobian_with_the_slope_before(states, W_h, t):
    return _product([W_h * (1 - h**2) for h in states[t:-1]], len(W_h))


@misconception(
    "last_state_jacobian",
    caught_by="test_one_step_back",
    says="This looks like slopes on the rows of W_h. With row vectors a change passes W_h first "
    "and the slopes after it: W_h D, the slopes on the columns.",
)
def jacobian_with_slopes_on_the_rows(states, W_h, t):
    return _product([(1 - h**2)[:, None] * W_h for h in states[t + 1 :]], len(W_h))


@misconception(
    "last_state_jacobian",
    caught_by="test_the_last_state_by_itself",
    says="This looks like one factor too many. From state t to the last there are T − 1 − t steps, "
    "and for the last state itself none: the identity.",
)
def jacobian_with_one_factor_too_many(states, W_h, t):
    return _product([W_h * (1 - h**2) for h in states[t:]], len(W_h))


@misconception(
    "last_state_jacobian",
    caught_by="test_one_step_back",
    says="This looks like the slope 1 − h. The slope of tanh, where it gives h, is 1 − h².",
)
def jacobian_without_the_square(states, W_h, t):
    return _product([W_h * (1 - h) for h in states[t + 1 :]], len(W_h))


@misconception(
    "last_state_jacobian",
    caught_by="test_three_steps_back",
    says="This looks like the factors in the opposite order. With rows for the earlier state, the "
    "first step stands furthest to the left; matrices can't trade places.",
)
def jacobian_in_the_opposite_order(states, W_h, t):
    return _product(_factors(states, W_h, t)[::-1], len(W_h))


@misconception(
    "last_state_jacobian",
    caught_by="test_one_step_back",
    says="This looks like products entry by entry, with * in place of @. Every entry of a state "
    "reaches every entry of the next: the chain rule is a matrix product.",
)
def jacobian_entry_by_entry(states, W_h, t):
    return np.eye(len(W_h)) * np.prod([np.ones_like(W_h), *_factors(states, W_h, t)], axis=0)


@misconception(
    "last_state_jacobian",
    caught_by="test_three_steps_back",
    says="This looks like a sum over the steps. Steps that follow one another multiply.",
)
def jacobian_as_a_sum(states, W_h, t):
    factors = _factors(states, W_h, t)
    return np.sum(factors, axis=0) if factors else np.eye(len(W_h))


@misconception(
    "last_state_jacobian",
    caught_by="test_three_steps_back",
    says="This looks like one step alone, from state t to the next. The change has to travel on to "
    "the last state.",
)
def jacobian_of_one_step(states, W_h, t):
    return _product(_factors(states, W_h, t)[:1], len(W_h))


@misconception(
    "last_state_jacobian",
    caught_by="test_one_step_back",
    says="This looks like tanh taken of the state once more, 1 − tanh²(h). The state is what "
    "tanh gave: its slope there is 1 − h².",
)
def jacobian_with_tanh_twice(states, W_h, t):
    return _product(_factors(np.tanh(states), W_h, t), len(W_h))


@misconception(
    "last_state_jacobian",
    caught_by="test_one_step_back",
    says="This looks like one factor too few: the step that made the last state, number T − 1,"
    " is missing. (A range leaves out its end.)",
)
def jacobian_with_one_factor_too_few(states, W_h, t):
    return _product(_factors(states[:-1], W_h, t), len(W_h))


@right_variant("last_state_jacobian")
def jacobian_from_the_end(states, W_h, t):
    jacobian = np.eye(len(W_h))
    for s in range(len(states) - 1, t, -1):
        jacobian = W_h @ np.diag(1 - states[s] ** 2) @ jacobian
    return jacobian


@right_variant("last_state_jacobian")
def jacobian_by_multi_dot(states, W_h, t):
    identity = np.eye(len(W_h))
    slopes = [np.diag((1 - h) * (1 + h)) for h in states[t + 1 :]]
    return np.linalg.multi_dot([identity, identity, *(x for D in slopes for x in (W_h, D))])


def _backwards(states, W_h, grad_last, back, slope):
    """For each use of W_h, from the last: the state that met it, and the gradient inside tanh."""
    uses = []
    for t in range(len(states) - 1, 0, -1):
        inside = grad_last * slope(states[t])
        uses.append((states[t - 1], inside))
        grad_last = inside @ back
    return uses


def _slope(h):
    return 1 - h**2


@misconception(
    "gradient_of_W_h",
    caught_by="test_the_gradient_over_three_words",
    says="This looks like the last step alone. The same W_h served at every step, and each use "
    "adds its part; what stops after one step can't learn from an earlier word.",
)
def gradient_of_the_last_use(states, W_h, grad_last):
    return np.outer(states[-2], grad_last * (1 - states[-1] ** 2))


@misconception(
    "gradient_of_W_h",
    caught_by="test_the_gradient_over_two_words",
    says="This looks like the transpose. A gradient has the shape of its matrix: rows for the old "
    "state, columns for the new.",
)
def gradient_transposed(states, W_h, grad_last):
    uses = _backwards(states, W_h, grad_last, W_h.T, _slope)
    return sum(np.outer(inside, before) for before, inside in uses)


@misconception(
    "gradient_of_W_h",
    caught_by="test_the_gradient_over_two_words",
    says="This looks like a gradient without the slopes of tanh, 1 − h².",
)
def gradient_without_slopes(states, W_h, grad_last):
    uses = _backwards(states, W_h, grad_last, W_h.T, lambda h: 1)
    return sum(np.outer(before, inside) for before, inside in uses)


@misconception(
    "gradient_of_W_h",
    caught_by="test_the_gradient_over_two_words",
    says="This looks like each step's new state where its old one is meant: W_h is multiplied by "
    "the state from before the step.",
)
def gradient_with_the_new_state(states, W_h, grad_last):
    total = np.zeros(W_h.shape)
    for h in states[:0:-1]:
        inside = grad_last * (1 - h**2)
        total, grad_last = total + np.outer(h, inside), W_h @ inside
    return total


@misconception(
    "gradient_of_W_h",
    caught_by="test_the_gradient_over_two_words",
    says="This looks like the slope 1 − h. The slope of tanh, where it gives h, is 1 − h².",
)
def gradient_without_the_square(states, W_h, grad_last):
    uses = _backwards(states, W_h, grad_last, W_h.T, lambda h: 1 - h)
    return sum(np.outer(before, inside) for before, inside in uses)


@misconception(
    "gradient_of_W_h",
    caught_by="test_the_gradient_over_three_words",
    says="This looks like going back through W_h as one goes forward. A gradient goes back through "
    "the transpose: as a row, grad @ W_h.T.",
)
def gradient_back_without_the_transpose(states, W_h, grad_last):
    uses = _backwards(states, W_h, grad_last, W_h, _slope)
    return sum(np.outer(before, inside) for before, inside in uses)


@misconception(
    "gradient_of_W_h",
    caught_by="test_the_gradient_over_three_words",
    says="This looks like the average over the uses of W_h. The parts of the gradient add up.",
)
def gradient_averaged(states, W_h, grad_last):
    uses = _backwards(states, W_h, grad_last, W_h.T, _slope)
    return np.mean([np.outer(before, inside) for before, inside in uses], axis=0)


@misconception(
    "gradient_of_W_h",
    caught_by="test_the_gradient_over_three_words",
    says="This looks like the earliest use alone. Add the parts up instead of replacing one by the "
    "next.",
)
def gradient_of_the_first_use(states, W_h, grad_last):
    before, inside = _backwards(states, W_h, grad_last, W_h.T, _slope)[-1]
    return np.outer(before, inside)


@misconception(
    "gradient_of_W_h",
    caught_by="test_the_gradient_over_three_words",
    says="This looks like the gradient of the last state given to every step. On its way back it "
    "passes through a slope and W_h at each step.",
)
def gradient_not_carried_back(states, W_h, grad_last):
    inside = grad_last * (1 - states[1:] ** 2)
    return states[:-1].T @ inside


@misconception(
    "gradient_of_W_h",
    caught_by="test_the_gradient_over_two_words",
    says="This looks like tanh taken of the states once more, 1 − tanh²(h). A state is what "
    "tanh gave: its slope there is 1 − h².",
)
def gradient_with_tanh_twice(states, W_h, grad_last):
    uses = _backwards(states, W_h, grad_last, W_h.T, lambda h: 1 - np.tanh(h) ** 2)
    return sum(np.outer(before, inside) for before, inside in uses)


@misconception(
    "gradient_of_W_h",
    caught_by="test_the_gradient_over_two_words",
    says="This looks like one step too many: for t = 0 Python reads states[−1], the last state, "
    "as the one before the first word. That one is zero, and its step adds nothing.",
)
def gradient_with_a_turn_too_many(states, W_h, grad_last):
    around = np.concatenate([states[-1:], states])
    uses = _backwards(around, W_h, grad_last, W_h.T, _slope)
    return sum(np.outer(before, inside) for before, inside in uses)


@right_variant("gradient_of_W_h")
def gradient_by_jacobians(states, W_h, grad_last):
    total = np.zeros(W_h.shape)
    for t in range(1, len(states)):
        grad_state = grad_last @ jacobian_from_the_end(states, W_h, t).T
        total += states[t - 1][:, None] * (grad_state * (1 - states[t] ** 2))
    return total


@right_variant("gradient_of_W_h")
def gradient_as_one_product(states, W_h, grad_last):
    inside = np.zeros(states.shape)
    for t in reversed(range(len(states))):
        later = inside[t + 1] @ W_h.T if t + 1 < len(states) else grad_last
        inside[t] = later * (1 - states[t] ** 2)
    before = np.vstack([np.zeros(len(W_h)), states[:-1]])
    return before.T @ inside


@misconception(
    "costs",
    caught_by="test_the_costs_of_seven_words",
    says="This looks like counting n steps for attention too. No output of attention needs another "
    "output: all of them can be computed at once.",
)
def costs_with_attention_in_turn(n, d):
    return n, n, 2 * n * d**2, 3 * n * d**2 + 2 * n**2 * d


@misconception(
    "costs",
    caught_by="test_the_costs_of_seven_words",
    says="This looks like n − 1 steps for the recurrent layer. The first word is a step as well.",
)
def costs_without_the_first_step(n, d):
    return n - 1, 1, 2 * n * d**2, 3 * n * d**2 + 2 * n**2 * d


@misconception(
    "costs",
    caught_by="test_the_costs_of_seven_words",
    says="This looks like attention without its three projections: 3 n d² operations come before "
    "the first score.",
)
def costs_without_projections(n, d):
    return n, 1, 2 * n * d**2, 2 * n**2 * d


@misconception(
    "costs",
    caught_by="test_the_costs_of_seven_words",
    says="This looks like the scores of attention without the mixing. Both are matrix products of "
    "n² d operations.",
)
def costs_without_the_mix(n, d):
    return n, 1, 2 * n * d**2, 3 * n * d**2 + n**2 * d


@misconception(
    "costs",
    caught_by="test_the_costs_of_seven_words",
    says="This looks like one matrix for each recurrent step. There are two: the word passes "
    "through W_x and the state through W_h.",
)
def costs_with_one_matrix(n, d):
    return n, 1, n * d**2, 3 * n * d**2 + 2 * n**2 * d


@misconception(
    "costs",
    caught_by="test_the_costs_of_seven_words",
    says="This looks like the operations for one word. All n words are to be counted.",
)
def costs_for_one_word(n, d):
    return n, 1, 2 * d**2, 3 * d**2 + 2 * n * d


@misconception(
    "costs",
    caught_by="test_the_costs_of_seven_words",
    says="This looks like multiplications and additions counted apart. Here a multiplication with "
    "its addition is one operation.",
)
def costs_counted_apart(n, d):
    return n, 1, 4 * n * d**2, 6 * n * d**2 + 4 * n**2 * d


@misconception(
    "costs",
    caught_by="test_the_costs_of_seven_words",
    says="This looks like the two layers in the other order: the recurrent layer is the one that "
    "waits.",
)
def costs_exchanged(n, d):
    return 1, n, 3 * n * d**2 + 2 * n**2 * d, 2 * n * d**2


@misconception(
    "costs",
    caught_by="test_the_costs_of_seven_words",
    says="This looks like a fourth projection of attention, W_O. The layer that is counted "
    "here has three, W_Q, W_K and W_V.",
)
def costs_with_a_fourth_projection(n, d):
    return n, 1, 2 * n * d**2, 4 * n * d**2 + 2 * n**2 * d


@misconception(
    "costs",
    caught_by="test_the_costs_of_seven_words",
    says="This looks like three steps for attention: projections, scores, mixing. Their number"
    " doesn't grow with the text, and here the whole layer counts as one.",
)
def costs_with_three_steps(n, d):
    return n, 3, 2 * n * d**2, 3 * n * d**2 + 2 * n**2 * d


@right_variant("costs")
def costs_as_an_array(n, d):
    return np.array([n, 1, n * (d * d + d * d), n * d * (3 * d + 2 * n)])


@right_variant("costs")
def costs_counted_in_loops(n, d):
    recurrent = attention = 0
    for _ in range(n):
        recurrent += d * d + d * d
        attention += 3 * d * d + sum(d + d for _ in range(n))
    return [n, 1, recurrent, attention]
