"""NumPy beside PyTorch, in float64, at sizes that are distinct primes."""

import numpy as np
import torch
from numpy import ndarray as Array
from torch import Tensor, nn


def tensor(x: Array, *, grad: bool = False) -> Tensor:
    return torch.tensor(x, dtype=torch.float64, requires_grad=grad)


def agree(ours: Array, theirs: Tensor, tolerance: float = 1e-10) -> None:
    """Equal shapes first, then values."""
    theirs = theirs.detach().numpy()
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


def seeded(module: nn.Module, seed: int = 0) -> nn.Module:
    """The module in float64 and evaluation, every parameter drawn anew, biases and gains too."""
    rng = np.random.default_rng(seed)
    with torch.no_grad():
        for parameter in module.double().parameters():
            fan_in = parameter.shape[-1] if parameter.ndim > 1 else 1
            parameter.copy_(tensor(rng.normal(size=parameter.shape) / fan_in**0.5))
    return module.eval()


def transposed(weight: Tensor) -> Array:
    """A weight of nn.Linear, stored as (d_out, d_in), as the course's (d_in, d_out)."""
    return weight.detach().numpy().T
