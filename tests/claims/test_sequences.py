"""Order and distance: what a recurrent network, attention and positions do with them."""

from collections import Counter

import numpy as np
import pytest

from course_lib.reference import (
    attention_weights,
    causal_mask,
    last_state_jacobians,
    multi_head_attention,
    post_norm_block,
    pre_norm_block,
    rnn_states,
    scaled_dot_product_attention,
    sinusoidal_positional_encoding,
)
from tests.reference.helpers import close, random_block, random_projections

I_LIKE_YOU = ["나", "는", "너", "를", "좋아해"]
YOU_LIKE_ME = ["너", "는", "나", "를", "좋아해"]


@pytest.mark.claim("B1")
@pytest.mark.parametrize("radius", [0.5, 0.9])
def test_early_tokens_fade_in_a_recurrent_network_and_not_in_attention(radius):
    rng = np.random.default_rng(0)
    T, d = 41, 7
    W_h = rng.normal(size=(d, d))
    W_h *= radius / np.abs(np.linalg.eigvals(W_h)).max()
    states = rnn_states(rng.normal(size=(T, 3)), rng.normal(size=(3, d)), W_h, np.zeros(d))
    norms = np.linalg.norm(last_state_jacobians(states, W_h), axis=(1, 2))
    assert norms[0] < 1e-3 * norms[T - 11] < 1e-4 * norms[-1]
    # ∂y / ∂v_t is the weight of token t, and no distance enters it.
    weights = attention_weights(rng.normal(size=(1000, d)), rng.normal(size=(T, d))).mean(axis=0)
    assert weights[: T // 2].mean() > 0.5 * weights[T // 2 :].mean()


@pytest.mark.claim("B1")
def test_a_large_recurrent_matrix_explodes_instead():
    W_h = 2 * np.eye(3)
    norms = np.linalg.norm(last_state_jacobians(np.zeros((11, 3)), W_h), axis=(1, 2))
    close(norms / norms[-1], 2.0 ** np.arange(10, -1, -1))


@pytest.mark.claim("B2")
def test_a_state_waits_for_the_one_before_and_an_attention_row_for_no_other_row():
    rng = np.random.default_rng(0)
    x, W_x, W_h, b = (rng.normal(size=s) for s in ((7, 3), (3, 5), (5, 5), (5,)))
    states = rnn_states(x, W_x, W_h, b)
    for t in range(1, 7):
        assert np.abs(np.tanh(x[t] @ W_x + b) - states[t]).max() > 0.01
    whole = scaled_dot_product_attention(x, x, x, causal_mask(7))
    for t in rng.permutation(7):
        alone = scaled_dot_product_attention(x[t : t + 1], x, x, causal_mask(7)[t : t + 1])
        close(alone[0], whole[t])


@pytest.mark.claim("B3", "B12")
def test_permuting_the_tokens_permutes_the_outputs():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 7, 6))
    p = random_projections(rng, num_heads=2, d_k=3, d_v=5, d_query=6)
    weights = random_block(rng, d_model=6, d_ff=11)
    for _ in range(20):
        order = rng.permutation(7)
        y = x[:, order]
        whole = multi_head_attention(x, x, x, p, 2)
        close(multi_head_attention(y, y, y, p, 2), whole[:, order], 1e-10)
        for block in (pre_norm_block, post_norm_block):
            close(block(y, weights, 2), block(x, weights, 2)[:, order], 1e-10)


@pytest.mark.claim("B12", "E7")
def test_i_like_you_and_you_like_me_differ_only_once_positions_are_added():
    rng = np.random.default_rng(0)
    vocabulary = sorted(set(I_LIKE_YOU))
    table = rng.normal(size=(len(vocabulary), 6))
    p = random_projections(rng, num_heads=2, d_k=3, d_v=3, d_query=6)

    def outputs(sentence, positions):
        x = table[[vocabulary.index(token) for token in sentence]] + positions
        output = multi_head_attention(x, x, x, p, 2)
        return dict(zip(sentence, output, strict=True))

    first, second = outputs(I_LIKE_YOU, 0), outputs(YOU_LIKE_ME, 0)
    for token in vocabulary:
        close(first[token], second[token], 1e-10)
    positions = sinusoidal_positional_encoding(5, 6)
    first, second = outputs(I_LIKE_YOU, positions), outputs(YOU_LIKE_ME, positions)
    for token in vocabulary:
        assert np.abs(first[token] - second[token]).max() > 0.01


@pytest.mark.claim("E7")
def test_the_two_sentences_share_their_tokens_only_as_morphemes():
    assert Counter(I_LIKE_YOU) == Counter(YOU_LIKE_ME)
    by_spaces = [s.split() for s in ("나는 너를 좋아해", "너는 나를 좋아해")]
    assert Counter(by_spaces[0]) != Counter(by_spaces[1])
    assert ["".join(s).replace(" ", "") for s in by_spaces] == [
        "".join(I_LIKE_YOU),
        "".join(YOU_LIKE_ME),
    ]


@pytest.mark.claim("E5")
def test_in_a_causal_model_it_cannot_see_the_word_that_decides():
    rng = np.random.default_rng(0)
    weights = random_block(rng, d_model=6, d_ff=11)
    hungry = rng.normal(size=(8, 6))  # "it" is token 4, "hungry" or "red" the last
    red = np.concatenate([hungry[:7], rng.normal(size=(1, 6))])
    causal = [pre_norm_block(x, weights, 2, causal_mask(8)) for x in (hungry, red)]
    np.testing.assert_array_equal(causal[0][4], causal[1][4])
    assert (causal[0][7] != causal[1][7]).all()  # a later position may hold the answer
    both_ways = [pre_norm_block(x, weights, 2) for x in (hungry, red)]
    assert (both_ways[0][4] != both_ways[1][4]).all()
