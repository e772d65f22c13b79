"""Cross-entropy and KL divergence against F.cross_entropy and F.kl_div, gradients included."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from course_lib.reference import (
    cross_entropy,
    cross_entropy_gradient,
    kl_divergence,
    log_softmax,
    softmax,
)
from tests.parity.helpers import agree, tensor


@pytest.mark.claim("B22", "B24")
@pytest.mark.parametrize("label_smoothing", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("ignored", [-100, 3])
@pytest.mark.parametrize("size", [1, 1e4])
def test_loss_and_gradient(label_smoothing, ignored, size):  # D03, D12
    rng = np.random.default_rng(0)
    logits, targets = size * rng.normal(size=(3, 5, 7)), rng.integers(7, size=(3, 5))
    targets[:, -2:] = ignored
    options = {"ignore_index": ignored, "label_smoothing": label_smoothing}
    z = tensor(logits, grad=True)
    theirs = F.cross_entropy(z.flatten(0, 1), torch.tensor(targets).flatten(), **options)
    theirs.backward()
    np.testing.assert_allclose(cross_entropy(logits, targets, **options), theirs.item(), 1e-12)
    agree(cross_entropy_gradient(logits, targets, **options), z.grad)


def test_pytorch_wants_the_classes_in_the_second_axis():  # D17, D18, D24: all sizes alike
    rng = np.random.default_rng(0)
    logits, targets = rng.normal(size=(5, 5, 5)), rng.integers(5, size=(5, 5))
    z, y = tensor(logits), torch.tensor(targets)
    ours = cross_entropy(logits, targets)
    np.testing.assert_allclose(ours, F.cross_entropy(z.mT, y).item(), 1e-12)
    assert abs(ours - F.cross_entropy(z, y).item()) > 0.01


def test_when_all_is_ignored_pytorch_returns_nan_and_we_return_0():  # D01
    logits, targets = np.ones((1, 3)), np.array([-100])
    assert torch.isnan(F.cross_entropy(tensor(logits), torch.tensor(targets)))
    assert cross_entropy(logits, targets, ignore_index=-100) == 0


@pytest.mark.claim("B23")
def test_kl_div_takes_q_first_and_as_a_logarithm():  # D07, D08, D09
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 3, 10))
    p, q = softmax(a), softmax(b)
    ours = kl_divergence(p, q)
    log_q = tensor(log_softmax(b))
    agree(ours, F.kl_div(log_q, tensor(p), reduction="none").sum(-1))
    mean = F.kl_div(log_q, tensor(p), reduction="batchmean").item()
    np.testing.assert_allclose(ours.mean(), mean, 1e-12)
    with pytest.warns(UserWarning, match="batchmean"):
        over_all = F.kl_div(log_q, tensor(p), reduction="mean").item()
    np.testing.assert_allclose(over_all * 10, mean, 1e-12)
    assert abs(F.kl_div(tensor(q), tensor(p), reduction="batchmean").item() - mean) > 0.1


def test_batchmean_divides_by_the_first_axis_alone():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 3, 5, 7))
    ours = kl_divergence(softmax(a), softmax(b))
    theirs = F.kl_div(tensor(log_softmax(b)), tensor(softmax(a)), reduction="batchmean").item()
    np.testing.assert_allclose(ours.sum(axis=1).mean(), theirs, 1e-12)
    np.testing.assert_allclose(5 * ours.mean(), theirs, 1e-12)
