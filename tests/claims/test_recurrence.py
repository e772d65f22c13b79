"""B1 and B2: what a recurrent network loses with distance and waits for, and attention doesn't."""

import math
from collections import Counter

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from course_lib import words
from course_lib.reference import last_state_jacobians, rnn_gradients, rnn_states

WIDTH, LENGTH = 31, 47


def rnn_of_radius(radius, seed):
    """An nn.RNN whose recurrent matrix has this spectral radius, in float64."""
    rng = np.random.default_rng(seed)
    W_x, W_h = rng.normal(size=(2, WIDTH, WIDTH)) / math.sqrt(WIDTH)
    W_h *= radius / np.abs(np.linalg.eigvals(W_h)).max()
    rnn = nn.RNN(WIDTH, WIDTH, dtype=torch.float64)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(torch.from_numpy(W_x.T / 2))
        rnn.weight_hh_l0.copy_(torch.from_numpy(W_h.T))
        rnn.bias_ih_l0.zero_()
        rnn.bias_hh_l0.zero_()
    return rnn


def influence(last_output, x):
    """Root mean square of the last output's derivatives by each word, the nearest word first."""
    jacobian = torch.autograd.functional.jacobian(last_output, x)  # output, word, entry
    return jacobian.square().mean(dim=(0, 2)).sqrt().flip(0).numpy()


def sentence(seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(LENGTH, WIDTH, dtype=torch.float64, generator=generator)


def rnn_influence(radius, seed):
    rnn = rnn_of_radius(radius, seed)
    return influence(lambda x: rnn(x)[0][-1], sentence(seed))


def attention_influence(seed):
    generator = torch.Generator().manual_seed(100 + seed)
    W = torch.randn(3, WIDTH, WIDTH, dtype=torch.float64, generator=generator) / math.sqrt(WIDTH)

    def last_output(x):
        return F.scaled_dot_product_attention(x[-1:] @ W[0], x @ W[1], x @ W[2])[0]

    return influence(last_output, sentence(seed))


def typical(one_draw):
    """The geometric mean over draws."""
    return np.exp(np.mean([np.log(one_draw(seed)) for seed in range(12)], axis=0))


@pytest.mark.claim("B1")
def test_the_cats_influence_falls_from_word_to_word_as_the_chapter_prints():
    x = words.embed("cat", "car", "it")
    states = rnn_states(x, np.eye(2), 0.5 * np.eye(2), np.zeros(2))
    entering = np.eye(2) * (1 - states**2)[:, None, :]
    first_entries = (entering @ last_state_jacobians(states, 0.5 * np.eye(2)))[:, 0, 0]
    np.testing.assert_array_equal(first_entries.round(3), [0.056, 0.201, 0.527], strict=True)


@pytest.mark.claim("B1")
@pytest.mark.parametrize("radius", [0.5, 0.9, 1.0, 1.1])
def test_an_rnns_influence_falls_exponentially_with_distance(radius):
    fading = np.log(typical(lambda seed: rnn_influence(radius, seed)))[1:]
    distance = np.arange(1, LENGTH)
    slope, start = np.polyfit(distance, fading, 1)
    assert slope < -0.1
    residual = fading - (start + slope * distance)
    assert residual.var() < 0.02 * fading.var(), "a straight line on a logarithmic scale"


@pytest.mark.claim("B1")
def test_without_the_slopes_of_tanh_radius_1_1_explodes_and_with_them_it_fades():
    def bare(seed):
        W_h = rnn_of_radius(1.1, seed).weight_hh_l0.detach().numpy().T
        jacobians = last_state_jacobians(np.zeros((LENGTH, WIDTH)), W_h)
        return np.sqrt(np.square(jacobians).mean(axis=(1, 2)))[::-1]

    without, with_slopes = typical(bare), typical(lambda seed: rnn_influence(1.1, seed))
    assert without[-1] > 3 * without[1]
    assert with_slopes[-1] < 1e-3 * with_slopes[1]


@pytest.mark.claim("B1")
def test_attentions_influence_does_not_fall_with_distance():
    level = typical(attention_influence)[1:]
    assert level.shape == (LENGTH - 1,)
    near, far = level[:15].mean(), level[-15:].mean()
    assert 0.7 < far / near < 1.4


@pytest.mark.claim("B1")
def test_an_rnn_cannot_recall_what_attention_can():
    assert recall(RecurrentReader) < 0.3
    assert recall(AttendingReader) > 0.9


@pytest.mark.claim("B1")
def test_the_references_backpropagation_through_time_is_autograds():
    rnn, x = rnn_of_radius(0.9, 0), sentence(0).requires_grad_()
    wanted = sentence(1)
    states, _ = rnn(x)
    states.backward(wanted)
    W_x, W_h = (W.detach().numpy().T for W in (rnn.weight_ih_l0, rnn.weight_hh_l0))
    inputs = x.detach().numpy()
    ours = rnn_states(inputs, W_x, W_h, np.zeros(WIDTH))
    np.testing.assert_allclose(ours, states.detach().numpy(), rtol=0, atol=1e-12, strict=True)
    theirs = (x, rnn.weight_ih_l0, rnn.weight_hh_l0, rnn.bias_ih_l0)
    gradients = rnn_gradients(inputs, ours, W_x, W_h, wanted.numpy())
    for our, their, transposed in zip(gradients, theirs, (False, True, True, False), strict=True):
        expected = their.grad.T if transposed else their.grad
        np.testing.assert_allclose(our, expected.numpy(), rtol=0, atol=1e-11, strict=True)


@pytest.mark.claim("B2")
@pytest.mark.parametrize("n", [3, 7, 13])
def test_n_words_are_n_steps_in_a_row_for_an_rnn_or_lstm_and_one_for_attention(n):
    x = torch.randn(n, 5, generator=torch.Generator().manual_seed(n)).requires_grad_()
    assert longest_chain(nn.RNN(5, 7)(x)[0], "Tanh") == n
    assert longest_chain(lstm_output(x), "Sigmoid") == n
    assert longest_chain(torch.softmax(x @ x.T / math.sqrt(5), dim=-1) @ x, "Softmax") == 1


@pytest.mark.claim("B2")
def test_calls_grow_with_the_length_for_an_rnn_and_not_for_attention():
    rnn = nn.RNN(5, 7)

    def attend(x):
        return F.scaled_dot_product_attention(x, x, x)

    with torch.no_grad():
        short, double, longer = (torch.zeros(n, 1, 5) for n in (11, 22, 33))
        per_step = (calls(rnn, double) - calls(rnn, short)) / 11
        assert per_step >= 1
        assert calls(rnn, longer) - calls(rnn, double) == 11 * per_step
        by_words = [calls(attend, x.transpose(0, 1)) for x in (short, double, longer)]
    assert by_words[0] > 0
    assert len(set(by_words)) == 1


def longest_chain(output, kind):
    """The most operations of a kind on one path back from `output` in autograd's record."""
    longest = {}

    def back_from(node):
        if node not in longest:
            earlier = [back_from(before) for before, _ in node.next_functions if before]
            longest[node] = (kind in node.name()) + max(earlier, default=0)
        return longest[node]

    return back_from(output.grad_fn)


def lstm_output(x):
    cell, memory = nn.LSTMCell(5, 7), None
    for x_t in x:
        memory = cell(x_t, memory)
    return memory[0]


class CountCalls(TorchDispatchMode):
    """Counts the operations that PyTorch starts."""

    def __init__(self):
        super().__init__()
        self.count = Counter()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.count[func] += 1
        return func(*args, **(kwargs or {}))


def calls(layer, x):
    with CountCalls() as counter:
        layer(x)
    return counter.count.total()


NUM_LETTERS, D_MODEL, DISTANCE = 5, 16, 29


class RecurrentReader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(NUM_LETTERS, D_MODEL)
        self.cell = nn.RNN(D_MODEL, D_MODEL, batch_first=True)
        self.readout = nn.Linear(D_MODEL, NUM_LETTERS)

    def forward(self, letters):
        return self.readout(self.cell(self.embed(letters))[0][:, -1])


class AttendingReader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(NUM_LETTERS, D_MODEL)
        self.place = nn.Parameter(torch.randn(DISTANCE + 1, D_MODEL))
        self.query, self.key, self.value = (nn.Linear(D_MODEL, D_MODEL) for _ in range(3))
        self.readout = nn.Linear(D_MODEL, NUM_LETTERS)

    def forward(self, letters):
        x = self.embed(letters) + self.place
        mix = F.scaled_dot_product_attention(self.query(x[:, -1:]), self.key(x), self.value(x))
        return self.readout(mix[:, 0])


def recall(reader):
    """Share of strings whose first letter the reader tells at the end, after a short training."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = reader()
    rng = np.random.default_rng(0)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(250):
        letters = torch.from_numpy(rng.integers(NUM_LETTERS, size=(32, DISTANCE + 1)))
        loss = F.cross_entropy(model(letters), letters[:, 0])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    letters = torch.from_numpy(rng.integers(NUM_LETTERS, size=(500, DISTANCE + 1)))
    with torch.no_grad():
        return (model(letters).argmax(-1) == letters[:, 0]).double().mean().item()
