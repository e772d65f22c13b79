"""Checks of exercise 07: the parts of a block, its two orders, and the path through many layers."""

import numpy as np

from course_lib import reference
from course_lib.grading import expect, hidden, points

SHORTCUTS = {
    "layer_norm": [
        "course_lib.reference.layer_norm",
        "torch.nn.LayerNorm",
        "torch.nn.functional.layer_norm",
        "torch.layer_norm",
        "torch.native_layer_norm",
        "torch.group_norm",
    ],
    "feed_forward": ["course_lib.reference.feed_forward"],
    "pre_norm_block": [
        "course_lib.reference.pre_norm_block",
        "torch.nn.TransformerEncoderLayer",
    ],
    "post_norm_block": [
        "course_lib.reference.post_norm_block",
        "torch.nn.TransformerEncoderLayer",
    ],
    "stack_jacobian": [
        "torch.autograd.functional.jacobian",
        "torch.func.jacrev",
        "torch.func.jacfwd",
        "torch.autograd.grad",
        "torch.autograd.backward",
    ],
}
EPS = 1e-5


@points(1, task="layer_norm")
def test_two_tokens(student):
    """The chapter's token (1, 0, 0, 0), and one with mean 4, each by itself."""
    x = np.array([[1.0, 0.0, 0.0, 0.0], [2.0, 7.0, 4.0, 3.0]])
    gain, bias = np.ones(4), np.zeros(4)
    expect(student.layer_norm(x, gain, bias, EPS), reference.layer_norm(x, gain, bias))


@points("1/2", task="layer_norm")
def test_a_tiny_and_a_constant_token(student):
    """For entries near 1e-4 it matters where ε stands, and a constant token gives zeros."""
    x = np.array([[1e-4, 2e-4, 3e-4, 4e-4], [7.0, 7.0, 7.0, 7.0]])
    gain, bias = np.ones(4), np.zeros(4)
    expect(student.layer_norm(x, gain, bias, EPS), reference.layer_norm(x, gain, bias))


@points("1/2", task="layer_norm")
def test_gain_and_bias(student):
    """Three tokens of three columns, each column with its own gain and bias."""
    x = np.array([[1.0, 2.0, 6.0], [0.0, 5.0, 1.0], [9.0, 3.0, 3.0]])
    gain, bias = np.array([2.0, 3.0, 5.0]), np.array([10.0, 20.0, -30.0])
    expect(student.layer_norm(x, gain, bias, EPS), reference.layer_norm(x, gain, bias))


@points(1, task="layer_norm")
@hidden
def test_a_batch_is_normalised(student, rng):
    """A batch of texts, another ε."""
    x, gain, bias = 3 + rng.normal(size=(2, 7, 5)), rng.normal(size=5), rng.normal(size=5)
    expected = reference.layer_norm(x, gain, bias, eps=0.1)
    expect(student.layer_norm(x, gain, bias, 0.1), expected)


@points(1, task="feed_forward")
def test_two_tokens_think(student):
    """Two tokens of width 3, five hidden numbers, all of them whole."""
    x = np.array([[1.0, -2.0, 3.0], [-1.0, 4.0, -1.0]])
    W_1 = np.array([[1.0, 0, 2, -1, 3], [0, 1, -1, 2, 1], [1, 1, 0, -2, -1]])
    W_2 = np.array([[1.0, 2, -3], [0, 1, 1], [2, -1, 0], [1, 0, 5], [-4, 1, 1]])
    b_1, b_2 = np.array([1.0, -3.0, -2.0, 4.0, 0.0]), np.array([7.0, -11.0, 13.0])
    expected = reference.feed_forward(x, W_1, b_1, W_2, b_2)
    expect(student.feed_forward(x, W_1, b_1, W_2, b_2), expected)


def _feed_forward_weights(rng, d_model, d_ff):
    shapes = (d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)
    return tuple(rng.normal(size=shape) / 2 for shape in shapes)


@points("1/2", task="feed_forward")
@hidden
def test_a_batch_thinks(student, rng):
    """A batch of texts, other widths."""
    x, weights = rng.normal(size=(2, 3, 5)), _feed_forward_weights(rng, 5, 11)
    expect(student.feed_forward(x, *weights), reference.feed_forward(x, *weights))


def _block(rng, *, d_model, d_ff, num_heads):
    """A batch whose tokens are not centred, and the weights of a block in plain tuples."""
    x = 2 + 3 * rng.normal(size=(2, 5, d_model))
    width = num_heads * 3
    shapes = [(d_model, width)] * 3 + [(width, d_model)]
    attention = tuple(rng.normal(size=shape) / 2 for shape in shapes)
    norm_1, norm_2 = (
        (rng.uniform(0.5, 2, size=d_model), rng.normal(size=d_model)) for _ in range(2)
    )
    return x, attention, norm_1, _feed_forward_weights(rng, d_model, d_ff), norm_2


def _check_block(check, reference_block, rng, **sizes):
    x, attention, norm_1, ffn, norm_2 = _block(rng, **sizes)
    weights = reference.BlockWeights(
        reference.Projections(*attention),
        reference.NormWeights(*norm_1),
        reference.FeedForwardWeights(*ffn),
        reference.NormWeights(*norm_2),
    )
    expected = reference_block(x, weights, sizes["num_heads"])
    expect(check(x, attention, norm_1, ffn, norm_2, sizes["num_heads"]), expected)


@points(1, task="pre_norm_block")
def test_a_pre_norm_block(student, rng):
    """Two heads, width 7, on two texts of five tokens; the two norms have different weights."""
    block = reference.pre_norm_block
    _check_block(student.pre_norm_block, block, rng, d_model=7, d_ff=11, num_heads=2)


@points(1, task="pre_norm_block")
@hidden
def test_another_pre_norm_block(student, rng):
    """Three heads, width 9."""
    block = reference.pre_norm_block
    _check_block(student.pre_norm_block, block, rng, d_model=9, d_ff=13, num_heads=3)


@points(1, task="post_norm_block")
def test_a_post_norm_block(student, rng):
    """Two heads, width 7, on two texts of five tokens; the two norms have different weights."""
    block = reference.post_norm_block
    _check_block(student.post_norm_block, block, rng, d_model=7, d_ff=11, num_heads=2)


@points("1/2", task="post_norm_block")
@hidden
def test_another_post_norm_block(student, rng):
    """Three heads, width 9."""
    block = reference.post_norm_block
    _check_block(student.post_norm_block, block, rng, d_model=9, d_ff=13, num_heads=3)


def _jacobian(x, weights):
    """By a step into the imaginary, which leaves no rounding error."""
    step = 1e-30
    columns = x + 1j * step * np.eye(len(x))  # row j: x with its entry j moved
    for W in weights:
        columns = columns + np.tanh(columns @ W)
    return columns.imag.T / step


@points("1/2", task="stack_jacobian")
def test_one_layer_at_zero(student):
    """At x = 0 the slope of the tanh is 1."""
    x, weights = np.zeros(3), np.array([[[0.0, 2, 3], [5, 0, 7], [11, 13, 0]]])
    expect(student.stack_jacobian(x, weights), np.array([[1.0, 5, 11], [2, 1, 13], [3, 7, 1]]))


@points("1/2", task="stack_jacobian")
def test_two_layers(student):
    """Each layer's slopes are taken where the stream has got to."""
    x, weights = np.array([0.5, -1.0]), np.array([[[0.4, 1.0], [0.2, -0.6]], [[1, 0.5], [-2, 0]]])
    expect(student.stack_jacobian(x, weights), _jacobian(x, weights))


@points(1, task="stack_jacobian")
@hidden
def test_many_layers(student, rng):
    """A deeper stack of another width."""
    x, weights = rng.normal(size=5), rng.normal(size=(7, 5, 5)) / 3
    expect(student.stack_jacobian(x, weights), _jacobian(x, weights))
