"""Inputs that the tests of the modules share."""

import torch
from torch import Tensor, nn


def normal(*shape: int, seed: int = 0) -> Tensor:
    """Standard normal numbers in float64 that require gradients."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()


def seeded(module: nn.Module, seed: int = 0) -> nn.Module:
    """The module in float64 with every parameter drawn anew, biases and gains included."""
    generator = torch.Generator().manual_seed(seed)
    module = module.double()
    for parameter in module.parameters():
        noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
        parameter.data = noise / parameter.shape[-1] ** 0.5
    return module


def assert_same(actual: Tensor, expected: Tensor, tolerance: float = 1e-10) -> None:
    """Equal shapes first, then values."""
    assert actual.shape == expected.shape
    torch.testing.assert_close(actual, expected, rtol=tolerance, atol=tolerance)


def assert_same_gradients(actual: Tensor, expected: Tensor, *inputs: Tensor) -> None:
    """One random direction's gradients of both with respect to each of `inputs`."""
    direction = normal(*actual.shape, seed=9).detach()
    found = torch.autograd.grad((actual * direction).sum(), inputs, retain_graph=True)
    wanted = torch.autograd.grad((expected * direction).sum(), inputs, retain_graph=True)
    for one, other in zip(found, wanted, strict=True):
        assert_same(one, other)


def assert_finite_gradients(loss: Tensor, module: nn.Module) -> None:
    """Backpropagate, and look at every parameter, not at the output alone."""
    module.zero_grad()
    loss.backward()
    for name, parameter in module.named_parameters():
        assert parameter.grad is not None, name
        assert torch.isfinite(parameter.grad).all(), name
