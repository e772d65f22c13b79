"""The documents' example of attention, to the last digit, and what follows from it."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from course_lib import words
from course_lib.reference import (
    attention_scores,
    attention_weights,
    cosine_similarity,
    scaled_dot_product_attention,
)

CAT, CAR, IT = words.embed("cat", "car", "it")
Q_IT, K_CAT, K_CAR = IT @ words.W_Q, CAT @ words.W_K, CAR @ words.W_K
NOUNS = words.embed("cat", "car")


def attend(X):
    """One layer of self-attention with the document's matrices."""
    return scaled_dot_product_attention(X @ words.W_Q, X @ words.W_K, X @ words.W_V)


def equal_when_rounded(actual, expected, decimals=3):
    np.testing.assert_array_equal(np.round(actual, decimals), np.array(expected), strict=True)


@pytest.mark.claim("A6")
def test_one_embedding_gives_three_different_vectors_through_three_matrices():
    rng = np.random.default_rng(0)
    x, W_Q, W_K, W_V = (rng.normal(size=shape) for shape in [(5,), (5, 3), (5, 3), (5, 7)])
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    assert q.shape == k.shape == (3,)
    assert v.shape == (7,)
    assert not np.allclose(q, k)
    assert not np.allclose(Q_IT, IT @ words.W_K)
    assert not np.allclose(Q_IT, IT @ words.W_V)


@pytest.mark.claim("A6")
def test_training_reaches_each_of_the_three_matrices():
    generator = torch.Generator().manual_seed(0)
    X = torch.randn(5, 3, generator=generator)
    W_Q, W_K, W_V = matrices = [
        torch.randn(3, width, generator=generator, requires_grad=True) for width in (2, 2, 7)
    ]
    F.scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V).square().sum().backward()
    for matrix in matrices:
        assert (matrix.grad != 0).all()


@pytest.mark.claim("A7")
def test_looking_for_the_cat_scores_1_584_and_being_looked_for_by_it_scores_1_728():
    equal_when_rounded(attention_scores(Q_IT[None], K_CAT[None], scale=1), [[1.584]])
    back = attention_scores((CAT @ words.W_Q)[None], (IT @ words.W_K)[None], scale=1)
    equal_when_rounded(back, [[1.728]])


@pytest.mark.claim("A7")
def test_scores_are_symmetric_exactly_when_the_product_of_the_matrices_is():
    rng = np.random.default_rng(0)
    X, W_Q, W_K = (rng.normal(size=shape) for shape in [(7, 5), (5, 3), (5, 3)])
    different = attention_scores(X @ W_Q, X @ W_K)
    shared = attention_scores(X @ W_Q, X @ W_Q)
    assert np.abs(different - different.T).max() > 0.1
    np.testing.assert_allclose(shared, shared.T, rtol=0, atol=1e-12, strict=True)
    weights = attention_weights(X @ W_Q, X @ W_Q)
    assert np.abs(weights - weights.T).max() > 0.1  # each row is divided by its own sum


@pytest.mark.claim("A8")
def test_the_first_layer_asks_the_same_in_both_sentences_and_the_second_does_not():
    hungry, red = np.array([0.90, 0.10]), np.array([0.20, 0.90])
    sentences = [np.stack([CAT, CAR, IT, row]) for row in (hungry, red)]
    one, other = ((X @ words.W_Q)[2] for X in sentences)
    np.testing.assert_array_equal(one, other, strict=True)
    one, other = ((attend(X) @ words.W_Q)[2] for X in sentences)
    assert np.abs(one - other).max() > 0.1


@pytest.mark.claim("A9")
def test_the_projections_are_the_documents():
    np.testing.assert_allclose(Q_IT, [1.20, -1.20], rtol=0, atol=1e-12, strict=True)
    np.testing.assert_allclose(K_CAT, [1.72, 0.40], rtol=0, atol=1e-12, strict=True)
    np.testing.assert_allclose(K_CAR, [0.685, 0.95], rtol=0, atol=1e-12, strict=True)


@pytest.mark.claim("A10", "A11")
def test_it_scores_the_cat_1_584_and_the_car_minus_0_318_and_then_divides_by_root_2():
    keys = np.stack([K_CAT, K_CAR])
    equal_when_rounded(attention_scores(Q_IT[None], keys, scale=1), [[1.584, -0.318]])
    equal_when_rounded(attention_scores(Q_IT[None], keys), [[1.120, -0.225]])


@pytest.mark.claim("A12")
def test_the_exponentials_sum_to_3_864_and_no_weight_is_zero():
    exponentials = np.exp(attention_scores(Q_IT[None], np.stack([K_CAT, K_CAR])))[0]
    equal_when_rounded(exponentials, [3.065, 0.799])
    assert exponentials.sum().round(3) == 3.864
    weights = attention_weights(Q_IT[None], np.stack([K_CAT, K_CAR]))[0]
    equal_when_rounded(weights, [0.793, 0.207])
    far_below = attention_weights(Q_IT[None], np.stack([K_CAT, -100 * K_CAT]))[0]
    assert (far_below > 0).all()


@pytest.mark.claim("A13")
def test_the_mix_adds_a_large_part_of_the_cat_and_a_small_part_of_the_car():
    weights = attention_weights(Q_IT[None], np.stack([K_CAT, K_CAR]))[0]
    equal_when_rounded(weights[:, None] * NOUNS, [[0.635, 0.317], [0.041, 0.196]])
    mixed = scaled_dot_product_attention(Q_IT[None], np.stack([K_CAT, K_CAR]), NOUNS @ words.W_V)
    equal_when_rounded(mixed, [[0.676, 0.514]])


@pytest.mark.claim("A14")
def test_it_is_0_983_like_the_cat_after_attention_and_was_0_949_before():
    mixed = scaled_dot_product_attention(Q_IT[None], np.stack([K_CAT, K_CAR]), NOUNS)[0]
    assert cosine_similarity(IT, CAT).round(3) == 0.949
    assert cosine_similarity(mixed, CAT).round(3) == 0.983
    assert cosine_similarity(mixed, CAR) < cosine_similarity(IT, CAR)


@pytest.mark.claim("A24")
def test_attention_is_the_sum_of_values_weighted_by_a_compatibility_of_query_and_key():
    rng = np.random.default_rng(0)
    query, keys, values = (rng.normal(size=shape) for shape in [(3,), (5, 3), (5, 7)])
    fits = [np.exp(query @ key / np.sqrt(3)) for key in keys]
    expected = sum(fit / sum(fits) * value for fit, value in zip(fits, values, strict=True))
    output = scaled_dot_product_attention(query[None], keys, values)
    np.testing.assert_allclose(output[0], expected, rtol=1e-12, strict=True)


@pytest.mark.claim("A24")
def test_the_pairs_are_a_set_and_the_value_stays_with_its_key():
    rng = np.random.default_rng(0)
    query, keys, values = (rng.normal(size=shape) for shape in [(2, 3), (5, 3), (5, 7)])
    output = scaled_dot_product_attention(query, keys, values)
    order = np.array([3, 0, 4, 1, 2])
    moved = scaled_dot_product_attention(query, keys[order], values[order])
    np.testing.assert_allclose(moved, output, rtol=1e-12, strict=True)
    only_keys = scaled_dot_product_attention(query, keys[order], values)
    assert np.abs(only_keys - output).max() > 0.1


@pytest.mark.claim("B4")
@pytest.mark.parametrize("sense", [0, 1])
def test_bank_moves_to_the_sense_that_its_neighbour_names(sense):
    water, money = np.array([0.90, 0.10]), np.array([0.10, 0.90])
    named, other = (water, money) if sense == 0 else (money, water)
    bank = np.array([0.60, 0.60])
    X = np.stack([np.array([0.05, 0.05]), named, bank])
    moved = scaled_dot_product_attention(X, X, X)[2]
    assert cosine_similarity(moved, named) > cosine_similarity(bank, named) + 0.1
    assert cosine_similarity(moved, other) < cosine_similarity(bank, other) - 0.1


@pytest.mark.claim("B5")
def test_the_formula_has_the_documents_shapes_and_is_pytorchs_own():
    rng = np.random.default_rng(0)
    n, d_model, d_k, d_v = 7, 5, 3, 11
    X = rng.normal(size=(2, n, d_model))
    W_Q, W_K, W_V = (rng.normal(size=(d_model, width)) for width in (d_k, d_k, d_v))
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    ours = scaled_dot_product_attention(Q, K, V)
    theirs = F.scaled_dot_product_attention(*map(torch.from_numpy, (Q, K, V))).numpy()
    assert attention_weights(Q, K).shape == (2, n, n)
    assert ours.shape == (2, n, d_v)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12, strict=True)


@pytest.mark.claim("E1")
def test_the_printed_matrix_used_the_other_way_gives_the_cat_the_key_1_60_0_64():
    np.testing.assert_allclose(CAT @ words.PRINTED_W_K, [1.60, 0.64], rtol=0, atol=1e-12)
    np.testing.assert_allclose(words.PRINTED_W_K @ CAT, K_CAT, rtol=0, atol=1e-12, strict=True)
    np.testing.assert_array_equal(words.PRINTED_W_Q, words.W_Q)  # diagonal: it hides the mistake


@pytest.mark.claim("E1")
def test_nn_linear_stores_the_matrix_as_the_document_prints_it():
    layer = nn.Linear(2, 2, bias=False, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(words.PRINTED_W_K))
        keys = layer(torch.from_numpy(NOUNS)).numpy()
    np.testing.assert_allclose(keys, NOUNS @ words.W_K, rtol=0, atol=1e-12, strict=True)


@pytest.mark.claim("E2")
def test_a_key_rounded_on_the_way_gives_minus_0_312_instead_of_minus_0_318():
    assert round(Q_IT @ K_CAR, 3) == -0.318
    assert round(Q_IT @ np.array([0.69, 0.95]), 3) == -0.312


@pytest.mark.claim("E4")
def test_other_words_never_change_how_it_divides_its_attention_between_cat_and_car():
    rng = np.random.default_rng(0)
    for n in (1, 3, 7):
        X = np.vstack([CAT, CAR, IT, 3 * rng.normal(size=(n, 2))])
        weights = attention_weights(X[2:3] @ words.W_Q, X @ words.W_K)[0]
        np.testing.assert_allclose(weights[0] / weights[1], 0.793 / 0.207, rtol=0.002)
        assert weights[:2].sum() < 0.99  # the company does take weight


@pytest.mark.claim("E6")
def test_with_itself_among_the_keys_it_weighs_0_528_0_138_0_334():
    keys = words.embed("cat", "car", "it") @ words.W_K
    equal_when_rounded(attention_weights(Q_IT[None], keys), [[0.528, 0.138, 0.334]])
