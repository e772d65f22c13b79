"""The block in both orders: what is normalised, what the residual carries."""

import numpy as np
import pytest

from course_lib.reference import (
    causal_mask,
    feed_forward,
    layer_norm,
    multi_head_attention,
    post_norm_block,
    pre_norm_block,
)
from tests.reference.helpers import close, random_block

BLOCKS = [pre_norm_block, post_norm_block]


def inputs(seed=0):
    rng = np.random.default_rng(seed)
    weights = random_block(rng, d_model=6, d_ff=11)
    return rng.normal(size=(2, 5, 6)), weights


def without_norms(weights):
    """Gain 1 and bias 0 in both norms."""
    plain = type(weights.attention_norm)(np.ones(6), np.zeros(6))
    return weights._replace(attention_norm=plain, feed_forward_norm=plain)


def silent(weights):
    """The same weights with both sublayers returning zeros."""
    attention = weights.attention._replace(W_O=np.zeros((6, 6)))
    network = weights.feed_forward._replace(W_2=np.zeros((11, 6)), b_2=np.zeros(6))
    return weights._replace(attention=attention, feed_forward=network)


@pytest.mark.claim("B15")
def test_pre_norm_adds_to_x_what_the_sublayers_make_of_its_norm():
    x, w = inputs()
    mask = causal_mask(5)
    n = layer_norm(x, w.attention_norm.gain, w.attention_norm.bias)
    h = x + multi_head_attention(n, n, n, w.attention, 2, mask)
    n = layer_norm(h, w.feed_forward_norm.gain, w.feed_forward_norm.bias)
    close(pre_norm_block(x, w, 2, mask), h + feed_forward(n, *w.feed_forward))


@pytest.mark.claim("E8")
def test_post_norm_normalises_after_each_residual():
    x, w = inputs()
    mask = causal_mask(5)
    h = layer_norm(
        x + multi_head_attention(x, x, x, w.attention, 2, mask),
        w.attention_norm.gain,
        w.attention_norm.bias,
    )
    y = layer_norm(
        h + feed_forward(h, *w.feed_forward), w.feed_forward_norm.gain, w.feed_forward_norm.bias
    )
    close(post_norm_block(x, w, 2, mask), y)


def test_pre_norm_with_silent_sublayers_returns_x_itself():  # C04, C11
    x, w = inputs()
    np.testing.assert_array_equal(pre_norm_block(x + 100, silent(w), 2), x + 100, strict=True)


@pytest.mark.claim("E8", "B16")
def test_the_statistics_of_the_output_tell_the_order():  # C01, C06, C08
    x, w = inputs()
    x, w = 10 * x, without_norms(w)
    after = post_norm_block(x, w, 2)
    close(after.mean(axis=-1), np.zeros((2, 5)), 1e-9)
    close(after.var(axis=-1), np.ones((2, 5)), 1e-4)
    raw = pre_norm_block(x, w, 2)
    assert (raw.var(axis=-1) > 10).all()
    # A stack of pre-norm blocks needs one last norm (C06).
    close(layer_norm(raw).var(axis=-1), np.ones((2, 5)), 1e-4)


@pytest.mark.claim("B19")
@pytest.mark.parametrize("block", BLOCKS)
def test_a_causal_block_does_not_look_ahead(block):
    x, w = inputs()
    y = x.copy()
    y[:, 3:] = np.random.default_rng(1).normal(size=(2, 2, 6))
    before, after = block(x, w, 2, causal_mask(5)), block(y, w, 2, causal_mask(5))
    np.testing.assert_array_equal(after[:, :3], before[:, :3])
    assert (after[:, 3:] != before[:, 3:]).all()
    assert (block(y, w, 2)[:, :3] != block(x, w, 2)[:, :3]).all()


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("T", [0, 1])
def test_short_texts_and_integers_pass(block, T):
    _, w = inputs()
    x = np.arange(2 * T * 6).reshape(2, T, 6)
    output = block(x, w, 2, causal_mask(T))
    assert output.shape == (2, T, 6)
    assert np.isfinite(output).all()


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_leaves_its_input_alone(block):  # C04
    x, w = inputs()
    copy = x.copy()
    block(x, w, 2)
    np.testing.assert_array_equal(x, copy)
