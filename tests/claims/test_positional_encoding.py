"""Order: what attention cannot know of it, and what sines, cosines and rotations bring in."""

import math
from collections import Counter

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.nn import (
    Encoder,
    LearnedPositions,
    MultiHeadAttention,
    SinusoidalPositions,
    TokenEmbedding,
    cross_entropy,
    initialise,
    train,
)
from course_lib.reference import (
    alibi_bias,
    apply_rotary,
    attention_weights,
    causal_mask,
    position_rotation,
    scaled_dot_product_attention,
    sinusoidal_positional_encoding,
)

DOG_BITES_MAN, MAN_BITES_DOG = [0, 1, 2], [2, 1, 0]


def encoder(generator: torch.Generator) -> Encoder:
    stack = Encoder(3, 14, 2, 11).double()
    initialise(stack, generator)
    return stack


@pytest.mark.claim("B3")
@torch.no_grad()
def test_a_stack_of_blocks_sees_a_set_until_positions_are_added():
    generator = torch.Generator().manual_seed(0)
    stack = encoder(generator)
    x = torch.randn(2, 7, 14, dtype=torch.float64, generator=generator)
    placed = SinusoidalPositions(7, 14)
    for _ in range(20):
        order = torch.randperm(7, generator=generator)
        torch.testing.assert_close(stack(x[:, order]), stack(x)[:, order])
        moved = (order != torch.arange(7)).nonzero()[:, 0]
        difference = stack(placed(x[:, order])) - stack(placed(x))[:, order]
        assert (difference.abs().amax(dim=(0, 2))[moved] > 0.01).all()


@pytest.mark.claim("B3")
@torch.no_grad()
def test_under_a_causal_mask_one_layer_is_blind_to_earlier_order_and_two_are_not():
    generator = torch.Generator().manual_seed(0)
    layers = [MultiHeadAttention(14, 2).double() for _ in range(2)]
    for layer in layers:
        initialise(layer, generator)
    x = torch.randn(2, 7, 14, dtype=torch.float64, generator=generator)
    swapped = x[:, [1, 0, 2, 3, 4, 5, 6]]
    one, two = (layers[0](z, is_causal=True) for z in (x, swapped))
    torch.testing.assert_close(one[:, 2:], two[:, 2:])
    one, two = (layers[1](z, is_causal=True) for z in (one, two))
    assert ((one - two)[:, 2:].abs().amax(dim=-1) > 1e-4).all()


@pytest.mark.claim("B12")
@torch.no_grad()
def test_dog_bites_man_is_man_bites_dog_at_any_depth_until_positions_are_added():
    generator = torch.Generator().manual_seed(0)
    stack, embedding = encoder(generator), TokenEmbedding(3, 14).double()
    initialise(embedding, generator)
    sentences = torch.tensor([DOG_BITES_MAN, MAN_BITES_DOG])
    learned = LearnedPositions(3, 14)
    nn.init.normal_(learned.table, generator=generator)
    for positions, alike in (
        (nn.Identity(), True),
        (SinusoidalPositions(3, 14), False),
        (learned, False),
    ):
        first, second = stack(positions(embedding(sentences)))
        for word in range(3):
            same = torch.allclose(first[word], second[2 - word], atol=1e-12)
            assert same == alike


@pytest.mark.claim("B12")
def test_a_price_for_distance_tells_the_two_apart_only_under_a_causal_mask():
    rows, bias = np.random.default_rng(0).normal(size=(3, 5)), alibi_bias(1, 3)[0]
    for mask, alike in ((None, True), (causal_mask(3), False)):
        first, second = (
            scaled_dot_product_attention(x, x, x, mask, bias=bias) for x in (rows, rows[::-1])
        )
        assert np.allclose(first, second[::-1], atol=1e-12) == alike


@pytest.mark.claim("B12")
@pytest.mark.parametrize(("positions", "least", "most"), [(False, 0.2, 0.4), (True, 0.95, 1)])
def test_the_word_before_is_learned_with_positions_and_guessed_without(positions, least, most):
    generator = torch.Generator().manual_seed(0)
    place = SinusoidalPositions(11, 64) if positions else nn.Identity()
    model = nn.Sequential(TokenEmbedding(7, 64), place, MultiHeadAttention(64, 4), nn.Linear(64, 7))
    initialise(model, generator)

    def loss_of(model, x):
        return cross_entropy(model(x)[:, 1:], x[:, :-1])

    batches = [torch.randint(7, (16, 11), generator=generator) for _ in range(200)]
    train(model, batches, loss_of, torch.optim.Adam(model.parameters(), lr=0.005))
    x = torch.randint(7, (300, 11), generator=generator)
    right = (model(x)[:, 1:].argmax(dim=-1) == x[:, :-1]).double().mean().item()
    assert least <= right <= most


@pytest.mark.claim("B13")
@pytest.mark.parametrize("d_model", [4, 14])
def test_the_table_is_the_formula_entry_by_entry(d_model):
    table = sinusoidal_positional_encoding(23, d_model)
    assert table.shape == (23, d_model)
    for t in range(23):
        for i in range(d_model // 2):
            angle = t / 10000 ** (2 * i / d_model)
            assert table[t, 2 * i] == pytest.approx(math.sin(angle), abs=1e-12)
            assert table[t, 2 * i + 1] == pytest.approx(math.cos(angle), abs=1e-12)


@pytest.mark.claim("B14")
@pytest.mark.parametrize("delta", [1, 5, 37])
def test_a_matrix_found_at_some_positions_moves_all_others_by_the_same_distance(delta):
    """Found by least squares, without our formula: there is one matrix for all t."""
    table = sinusoidal_positional_encoding(3000, 6)
    found, *_ = np.linalg.lstsq(table[:2000], table[delta : 2000 + delta], rcond=None)
    late = slice(2500, 2900), slice(2500 + delta, 2900 + delta)
    np.testing.assert_allclose(table[late[0]] @ found, table[late[1]], atol=1e-6)
    np.testing.assert_allclose(found, position_rotation(delta, 6), atol=1e-6)


@pytest.mark.claim("B14")
def test_the_dot_product_of_two_positions_depends_on_their_distance_alone():
    table = sinusoidal_positional_encoding(400, 64)
    products = table @ table.T
    frequencies = 10000.0 ** -(np.arange(0, 64, 2) / 64)
    for delta in (0, 1, 50, 100):
        along = np.diag(products, delta)
        np.testing.assert_allclose(along, np.cos(delta * frequencies).sum(), rtol=1e-10)
    assert products[0, 100] > products[0, 50]  # it does not fall steadily


@pytest.mark.claim("B14")
@pytest.mark.parametrize("start", [0, 1_000_000])
def test_one_fixed_matrix_looks_one_word_back_wherever_the_text_begins(start):
    table = sinusoidal_positional_encoding(200, 64, start=start)
    weights = attention_weights(60 * table @ position_rotation(-1, 64), table)
    assert np.diag(weights, -1).min() > 0.99


@pytest.mark.claim("B14")
def test_turned_queries_and_keys_meet_with_their_distance_alone():
    q, k = np.random.default_rng(0).normal(size=(2, 1, 6))
    for t, s in ((5, 2), (105, 102), (2, 5)):
        turned = (q @ position_rotation(t, 6)) @ (k @ position_rotation(s, 6)).T
        np.testing.assert_allclose(turned, q @ position_rotation(t - s, 6) @ k.T, atol=1e-10)
        # apply_rotary turns the other way, as the paper does, which swaps t and s.
        ours = apply_rotary(q, start=s) @ apply_rotary(k, start=t).T
        np.testing.assert_allclose(ours, turned, atol=1e-10)


@pytest.mark.claim("E7", "B12")
def test_cut_at_spaces_the_korean_pair_needs_no_positions_and_in_morphemes_it_does():
    def likes(sentence: str, rows: dict[str, np.ndarray], positions) -> np.ndarray:
        x = np.stack([rows[token] for token in sentence.split()]) + positions
        return scaled_dot_product_attention(x, x, x)[-1]

    for pair, one_bag in (
        (("나는 너를 좋아해", "너는 나를 좋아해"), False),
        (("나 는 너 를 좋아해", "너 는 나 를 좋아해"), True),
    ):
        bags = [Counter(sentence.split()) for sentence in pair]
        assert (bags[0] == bags[1]) == one_bag
        rng = np.random.default_rng(0)
        rows = {token: rng.normal(size=6) for token in sorted(bags[0] | bags[1])}
        for positions, alike in (
            (0, one_bag),
            (sinusoidal_positional_encoding(len(pair[0].split()), 6), False),
        ):
            first, second = (likes(sentence, rows, positions) for sentence in pair)
            assert np.allclose(first, second, atol=1e-12) == alike
