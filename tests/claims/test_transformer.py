"""Heads, residuals, the decoder's two attentions, and what training minimises."""

import numpy as np
import pytest

from course_lib.data import inputs_and_targets
from course_lib.reference import (
    attention_weights,
    causal_mask,
    cross_entropy,
    cross_entropy_gradient,
    distribution_cross_entropy,
    entropy,
    feed_forward,
    kl_divergence,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
)
from tests.reference.helpers import close, numerical_gradient, random_block, random_projections


@pytest.mark.claim("A22")
def test_a_token_of_high_weight_and_small_value_contributes_little():
    q, k = np.array([[2.0, 0.0]]), np.array([[2.0, 0.0], [0.0, 2.0]])
    v = np.array([[0.01, 0.0], [0.0, 1.0]])
    weights = attention_weights(q, k)[0]
    contributions = np.linalg.norm(weights[:, None] * v, axis=1)
    assert weights[0] > 0.9
    assert contributions[0] < 0.2 * contributions[1]


@pytest.mark.claim("A22")
def test_different_weights_can_give_the_same_output():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(1, 5)), rng.normal(size=(3, 5)), rng.normal(size=(3, 7))
    v[1] = v[0]
    swapped = k[[1, 0, 2]]
    assert np.abs(attention_weights(q, k) - attention_weights(q, swapped)).max() > 0.1
    close(scaled_dot_product_attention(q, k, v), scaled_dot_product_attention(q, swapped, v))


def network(rng, d=7):
    weights = random_block(rng, d_model=d, d_ff=13).feed_forward
    return lambda x: 0.3 * feed_forward(x, *weights)


def jacobian(f, x):
    """∂f_i / ∂x_j by central differences."""
    return np.stack([numerical_gradient(lambda z, i=i: f(z)[i], x) for i in range(len(x))])


@pytest.mark.claim("B17")
def test_the_jacobian_of_x_plus_f_is_the_identity_plus_that_of_f():
    rng = np.random.default_rng(0)
    f, x = network(rng), rng.normal(size=7)
    close(jacobian(lambda z: z + f(z), x), np.eye(7) + jacobian(f, x), 1e-7)


@pytest.mark.claim("B17")
def test_through_twenty_layers_a_gradient_arrives_only_along_the_residuals():
    rng = np.random.default_rng(0)
    layers, x = [network(rng) for _ in range(20)], rng.normal(size=7)

    def plain(z):
        for f in layers:
            z = f(z)
        return z

    def residual(z):
        for f in layers:
            z = z + f(z)
        return z

    assert np.linalg.norm(jacobian(plain, x)) < 1e-6
    assert np.linalg.norm(jacobian(residual, x)) > 1


@pytest.mark.claim("B20")
def test_the_decoder_looks_back_at_itself_and_everywhere_at_the_encoder():
    rng = np.random.default_rng(0)
    memory, x = rng.normal(0, 0.3, size=(5, 11)), rng.normal(0, 0.3, size=(7, 6))
    itself = random_projections(rng, num_heads=2, d_k=3, d_v=3, d_query=6)
    across = random_projections(
        rng, num_heads=2, d_k=3, d_v=3, d_query=6, d_key=11, d_value=11, d_model=6
    )

    def decoder(x, memory):
        h = x + multi_head_attention(x, x, x, itself, 2, causal_mask(7))
        return h + multi_head_attention(h, memory, memory, across, 2)

    before = decoder(x, memory)
    later = np.concatenate([x[:4], rng.normal(size=(3, 6))])
    np.testing.assert_array_equal(decoder(later, memory)[:4], before[:4])
    assert (decoder(later, memory)[4:] != before[4:]).all()
    last_word = np.concatenate([memory[:4], rng.normal(size=(1, 11))])
    assert (decoder(x, last_word) != before).all()


@pytest.mark.claim("B22", "B23")
def test_training_on_next_tokens_learns_how_often_each_follows():
    """A table of logits, one row a token, walked downhill along p − p̂."""
    text = np.array([0, 1, 0, 1, 0, 2, 0, 1, 2, 0])
    x, y = inputs_and_targets(text)
    logits = np.zeros((3, 3))
    losses = []
    for _ in range(2000):
        losses.append(cross_entropy(logits[x], y))
        gradient = cross_entropy_gradient(logits[x], y)
        np.subtract.at(logits, x, 5 * gradient)
    counts = np.zeros((3, 3))
    np.add.at(counts, (x, y), 1)
    frequencies = counts / counts.sum(axis=1, keepdims=True)
    close(losses[0], np.log(3))
    assert (np.diff(losses) <= 0).all()
    close(softmax(logits), frequencies, 1e-3)
    floor = (entropy(frequencies) * counts.sum(axis=1)).sum() / len(y)
    assert floor <= losses[-1] < floor + 1e-3


@pytest.mark.claim("B23", "E10")
def test_cross_entropy_and_divergence_have_the_same_gradient_and_minimum():
    rng = np.random.default_rng(0)
    p_hat, z = softmax(rng.normal(size=5)), rng.normal(size=5)
    for loss in (distribution_cross_entropy, kl_divergence):
        gradient = numerical_gradient(lambda z, loss=loss: loss(p_hat, softmax(z)), z)
        close(gradient, softmax(z) - p_hat, 1e-8)
    assert kl_divergence(p_hat, p_hat) == 0
    assert distribution_cross_entropy(p_hat, p_hat) == entropy(p_hat) > 1
    assert entropy(np.eye(5)[2]) == 0  # one-hot targets: the two are equal
