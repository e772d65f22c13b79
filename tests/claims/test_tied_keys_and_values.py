"""Key and value could be one vector: what that costs, and when it costs nothing.

A token is a label and a message, both of them signs. A store is asked with a label for its message.
"""

import numpy as np
import pytest

from course_lib.reference import scaled_dot_product_attention

SIGNS = 5
CODES = 1.0 - 2.0 * ((np.arange(2**SIGNS)[:, None] >> np.arange(SIGNS)) % 2)  # all labels, (32, 5)
HERE, ELSEWHERE = np.eye(SIGNS), np.zeros((SIGNS, SIGNS))


def answer(labels, messages, W_Q, W_K, W_V, W_O):
    """What is read off when a store of label–message pairs is asked for its first label."""
    tokens = np.hstack([labels, messages])
    mix = scaled_dot_product_attention(labels[:1] @ W_Q, tokens @ W_K, tokens @ W_V)
    return (mix @ W_O)[0]


def random_stores(rng, pairs, count=50):
    for _ in range(count):
        labels = rng.permutation(CODES)[:pairs]  # all different
        yield labels, rng.choice([-1.0, 1.0], size=(pairs, SIGNS))


@pytest.mark.claim("A21")
@pytest.mark.parametrize("pairs", [2, 7, 23])
def test_separate_keys_and_values_look_up_any_message_by_its_label(pairs):
    W_Q, W_K, W_V = 20 * HERE, np.vstack([HERE, ELSEWHERE]), np.vstack([ELSEWHERE, HERE])
    for labels, messages in random_stores(np.random.default_rng(0), pairs):
        output = answer(labels, messages, W_Q, W_K, W_V, HERE)
        np.testing.assert_array_equal(np.sign(output), messages[0], strict=True)


@pytest.mark.claim("A21")
@pytest.mark.parametrize("pairs", [2, 7, 23])
def test_one_vector_for_key_and_value_is_enough_where_it_has_room_for_both(pairs):
    W_Q, W_KV = np.hstack([20 * HERE, ELSEWHERE]), np.eye(2 * SIGNS)
    W_O = np.vstack([ELSEWHERE, HERE])
    for labels, messages in random_stores(np.random.default_rng(0), pairs):
        output = answer(labels, messages, W_Q, W_KV, W_KV, W_O)
        np.testing.assert_array_equal(np.sign(output), messages[0], strict=True)


@pytest.mark.claim("A21")
@pytest.mark.parametrize("seed", range(20))
def test_one_vector_as_wide_as_a_message_that_reads_it_right_fails_on_two_opposite_pairs(seed):
    rng = np.random.default_rng(seed)
    # The message's signs decide the answer's: each diagonal entry outweighs all that pulls against.
    from_message = rng.uniform(-0.1, 0.1, size=(SIGNS, SIGNS)) + np.eye(SIGNS)
    from_label = rng.uniform(-0.1, 0.1, size=(SIGNS, SIGNS))
    W_Q, W_O = rng.normal(size=(2, SIGNS, SIGNS))
    W_KV = np.vstack([from_label, from_message]) @ np.linalg.inv(W_O)

    label = CODES[rng.integers(len(CODES))]
    for message in CODES:  # alone in its store, every message is read right
        alone = answer(label[None], message[None], W_Q, W_KV, W_KV, W_O)
        np.testing.assert_array_equal(np.sign(alone), message, strict=True)

    message = -np.sign(np.linalg.solve(W_O, label @ W_Q))  # the score is c · u with these c
    opposites = np.stack([label, -label]), np.stack([message, -message])
    output = answer(*opposites, W_Q, W_KV, W_KV, W_O)
    np.testing.assert_array_equal(np.sign(output), -message, strict=True)
