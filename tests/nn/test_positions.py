"""Positions and embeddings: what is added, where, and how often."""

import math

import numpy as np
import pytest
import torch

from course_lib.nn import LanguageModel, LearnedPositions, SinusoidalPositions, TokenEmbedding
from course_lib.reference import sinusoidal_positional_encoding
from tests.nn.helpers import assert_same

KINDS = [SinusoidalPositions, LearnedPositions]


@pytest.mark.claim("B13")
def test_the_table_is_the_reference_in_float32():  # B08
    positions = SinusoidalPositions(5000, 32)
    exact = sinusoidal_positional_encoding(5000, 32)
    np.testing.assert_allclose(positions.table.numpy(), exact, atol=1e-6, strict=False)
    half = positions.half()(torch.zeros(1, 2048, 32, dtype=torch.float16))[0]
    np.testing.assert_allclose(half.numpy(), exact[:2048], atol=1e-3, strict=False)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("B", "T"), [(2, 7), (3, 3), (1, 1)])
def test_each_time_step_gets_its_own_row_and_each_sequence_the_same(kind, B, T):  # B05, B06, B07
    positions = kind(11, 8)
    output = positions(torch.zeros(B, T, 8))
    assert_same(output, positions.table[:T].expand(B, T, 8))
    if T > 1:
        assert not torch.equal(output[0, 0], output[0, 1])


@pytest.mark.parametrize("kind", KINDS)
def test_it_returns_x_plus_the_table_and_leaves_x_alone(kind):  # B15, B16
    positions, x = kind(11, 8), torch.ones(2, 5, 8)
    assert_same(positions(x), 1 + positions.table[:5].expand(2, 5, 8))
    assert (x == 1).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_start_moves_all_sequences_and_a_start_for_each_moves_its_own(kind):  # E05, B19
    positions, x = kind(11, 8), torch.zeros(3, 4, 8)
    assert_same(positions(x, 5)[1], positions.table[5:9])
    moved = positions(x, torch.tensor([0, 7, -2]))
    assert_same(moved[0], positions.table[:4])
    assert_same(moved[1], positions.table[7:11])
    assert_same(moved[2, 2:], positions.table[:2])


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_position_works_and_the_next_is_refused(kind, refuses):  # B13
    positions = kind(100, 8)
    assert positions(torch.zeros(1, 100, 8)).shape == (1, 100, 8)
    with refuses("positions up to 101 are asked for, max_tokens is 100"):
        positions(torch.zeros(1, 101, 8))
    with refuses("positions up to 101 are asked for, max_tokens is 100"):
        positions(torch.zeros(1, 1, 8), 100)


@pytest.mark.parametrize("kind", KINDS)
def test_positions_that_the_table_lacks_are_refused(kind, refuses):
    positions, x = kind(8, 6), torch.zeros(2, 5, 6)
    with refuses("positions up to 9 are asked for, max_tokens is 8"):
        positions(x, torch.tensor([0, 4]))  # on a GPU this would stop the process
    with refuses("positions from -6 on are asked for, the first is 0"):
        positions(x, -6)  # this would be read from the end of the table
    with refuses("start has shape (3,) for 2 sequences"):
        positions(x, torch.tensor([0, 1, 2]))
    assert positions(x, torch.tensor([3, -2])).shape == x.shape  # left padding reads row 0
    with refuses("x has d_model = 1 but the positions have d_model = 6"):
        positions(x[..., :1])


def test_a_start_may_come_from_numpy(as_a_user):
    positions, x = SinusoidalPositions(8, 6), torch.zeros(2, 5, 6)
    assert torch.equal(positions(x, np.int64(3)), positions(x, 3))


def test_embeddings_leave_with_variance_one():  # B10
    with torch.random.fork_rng():
        torch.manual_seed(0)
        embedding = TokenEmbedding(997, 512)
    vectors = embedding(torch.arange(997))
    assert vectors.std().item() == pytest.approx(1, abs=0.02)
    assert_same(vectors, embedding.table.weight * math.sqrt(512))


def test_embeddings_are_as_large_without_positions():  # B12
    model, tokens, seen = LanguageModel(7, 8, 2, 16, 1, 11), torch.tensor([[3, 5, 2]]), []
    model.decoder.register_forward_pre_hook(lambda module, arguments: seen.append(arguments[0]))
    model.positions.table.zero_()
    model(tokens)
    assert_same(seen[0], model.embedding.table.weight[tokens] * math.sqrt(8))


def test_tokens_that_the_table_lacks_are_refused(refuses):
    embedding = TokenEmbedding(7, 4)
    for token in (7, -1):
        with refuses(f"token {token} is not among the V = 7 tokens"):
            embedding(torch.tensor([[0, token]]))


@pytest.mark.parametrize("dtype", [torch.uint8, torch.uint16, torch.int16, torch.int32])
def test_tokens_may_be_stored_in_few_bits(as_a_user, dtype):
    V, text = 256, torch.tensor([[0, 200, 255]])  # the bytes themselves, as tokens
    embedding, model = TokenEmbedding(V, 8), LanguageModel(V, 8, 2, 16, 1, 11).eval()
    assert torch.equal(embedding(text.to(dtype)), embedding(text))
    assert torch.equal(model(text.to(dtype)), model(text))
    assert torch.equal(model.generate(text.to(dtype), 2), model.generate(text, 2))
    with pytest.raises(ValueError, match="token 255 is not among the V = 255 tokens"):
        TokenEmbedding(255, 8)(text.to(dtype))


def test_tokens_that_are_not_whole_numbers_are_refused(refuses):
    embedding, model = TokenEmbedding(7, 4), LanguageModel(7, 8, 2, 16, 1, 11)
    for dtype in (torch.float32, torch.bool):
        with refuses(f"tokens must be whole token numbers, got dtype {dtype}"):
            embedding(torch.ones(1, 3, dtype=dtype))
    with refuses("tokens must be a tensor, got list"):
        model([[1, 2]])
    with refuses("prompt must be a tensor, got ndarray"):
        model.generate(np.array([[1, 2]]), 3)


@pytest.mark.parametrize("kind", KINDS)
def test_token_numbers_in_place_of_embeddings_and_fractional_positions_are_refused(kind, refuses):
    positions, x = kind(8, 6), torch.zeros(2, 5, 6)
    with refuses("x must hold floating-point numbers, got dtype torch.int64"):
        positions(x.long())  # the waves would be rounded to −1, 0 and 1
    with refuses("start must be whole numbers, got dtype torch.float32"):
        positions(x, torch.tensor([0.0, 1.0]))
