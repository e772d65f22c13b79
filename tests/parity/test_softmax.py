"""Softmax, its logarithm and its Jacobian against PyTorch's."""

import numpy as np
import pytest
import torch

from course_lib.reference import log_softmax, softmax, softmax_jacobian
from tests.parity.helpers import agree, tensor


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("size", [1, 1e4])
def test_softmax_and_its_logarithm(axis, size):
    x = size * np.random.default_rng(0).normal(size=(3, 5, 7))
    agree(softmax(x, axis), tensor(x).softmax(axis))
    agree(log_softmax(x, axis), tensor(x).log_softmax(axis))


def test_a_score_of_plus_infinity_makes_its_slice_nan_for_both():
    x = np.array([[np.inf, 0.0], [np.log(3), 0.0]])
    with pytest.warns(RuntimeWarning, match="invalid value"):
        ours = softmax(x)
    np.testing.assert_allclose(ours, [[np.nan, np.nan], [0.75, 0.25]])
    np.testing.assert_allclose(tensor(x).softmax(-1).detach(), ours)


def test_the_jacobian_is_autograd_s():
    x = np.random.default_rng(0).normal(size=(3, 5))
    ours = softmax_jacobian(softmax(x))
    for row in range(3):
        theirs = torch.autograd.functional.jacobian(lambda z: z.softmax(-1), tensor(x[row]))
        agree(ours[row], theirs)
