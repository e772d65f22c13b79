"""Claims B22 to B24 and erratum E10: what one next word teaches."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from course_lib.data import inputs_and_targets
from course_lib.reference import (
    cross_entropy,
    cross_entropy_gradient,
    distribution_cross_entropy,
    entropy,
    kl_divergence,
    softmax,
)

RNG = np.random.default_rng(0)
LOGITS = RNG.normal(size=(3, 5, 7))
TARGETS = RNG.integers(7, size=(3, 5))
SOFT = softmax(RNG.normal(size=(3, 5, 7)))


@pytest.mark.claim("B22")
def test_following_the_gradient_makes_the_next_token_likely():
    x, y = inputs_and_targets([2, 5, 0, 3, 3])
    logits = np.zeros((len(x), 7))
    assert cross_entropy(logits, y) == pytest.approx(math.log(7))
    for _ in range(200):
        logits -= 5 * cross_entropy_gradient(logits, y)
    assert (softmax(logits).argmax(-1) == [5, 0, 3, 3]).all()
    assert cross_entropy(logits, y) < 0.02


@pytest.mark.claim("B23", "E10")
def test_cross_entropy_is_kl_divergence_plus_the_targets_entropy():
    p = softmax(LOGITS)
    for p_hat in (np.eye(7)[TARGETS], SOFT):
        total = distribution_cross_entropy(p_hat, p)
        np.testing.assert_allclose(total, entropy(p_hat) + kl_divergence(p_hat, p), strict=True)
    assert (entropy(np.eye(7)[TARGETS]) == 0).all()
    assert (entropy(SOFT) > 0.5).all()


@pytest.mark.claim("B23", "E10")
def test_both_have_their_minimum_at_the_targets_and_one_gradient():
    def losses(logits):
        p = logits.softmax(-1)
        target = torch.from_numpy(SOFT)
        cross = -(target * p.log()).sum()
        return cross, (target * (target.log() - p.log())).sum()

    z = torch.from_numpy(LOGITS).requires_grad_()
    of_cross, of_kl = (torch.autograd.grad(loss, z, retain_graph=True)[0] for loss in losses(z))
    torch.testing.assert_close(of_cross, of_kl)
    at_targets = torch.from_numpy(np.log(SOFT)).requires_grad_()
    for loss in losses(at_targets):
        gradient = torch.autograd.grad(loss, at_targets, retain_graph=True)[0]
        assert gradient.abs().max() < 1e-12


@pytest.mark.claim("B24")
def test_the_gradient_is_p_minus_p_hat_by_formula_by_steps_and_by_autograd():
    formula = (softmax(LOGITS) - np.eye(7)[TARGETS]) / TARGETS.size
    np.testing.assert_allclose(cross_entropy_gradient(LOGITS, TARGETS), formula, atol=1e-15)
    z = torch.from_numpy(LOGITS).requires_grad_()
    F.cross_entropy(z.flatten(0, 1), torch.from_numpy(TARGETS).flatten()).backward()
    np.testing.assert_allclose(z.grad.numpy(), formula, atol=1e-12, strict=True)
    for place in [(0, 0, 0), (2, 4, 6), (1, 3, 2)]:
        step = np.zeros_like(LOGITS)
        step[place] = 1e-6
        difference = cross_entropy(LOGITS + step, TARGETS) - cross_entropy(LOGITS - step, TARGETS)
        assert difference / 2e-6 == pytest.approx(formula[place], abs=1e-8)
