"""Which device to compute on."""

import warnings

import torch
import torch.nn.functional as F
from torch import Tensor

# The largest difference from the CPU that rounding in float32 (TF32 included) explains.
TOLERANCE = 1e-2


def default_device() -> torch.device:
    """CUDA where there is one, else Apple's MPS, else the CPU.

    A GPU that cannot compute, or whose results differ from the CPU's by more than rounding, is
    passed over with a warning.
    """
    for name in available_accelerators():
        try:
            difference = difference_from_cpu(torch.device(name))
        except RuntimeError as error:  # a card too old or too new for this PyTorch, or a full one
            problem = "fails: " + str(error).partition("\n")[0]
        else:
            if difference <= TOLERANCE:
                return torch.device(name)
            problem = f"differs from the CPU by {difference:.2g}"
        warnings.warn(f"{name} {problem}; computing on the CPU", stacklevel=2)
    return torch.device("cpu")


def available_accelerators() -> list[str]:
    """The kinds of GPU that PyTorch can use here, the preferred first."""
    found = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    return [name for name, is_here in found.items() if is_here]


@torch.inference_mode(False)
@torch.enable_grad()
def difference_from_cpu(device: torch.device) -> float:
    """The largest absolute difference between causal attention there and on the CPU, or gradients.

    Training has gone wrong on GPUs whose outputs were right.
    """
    generator = torch.Generator("cpu").manual_seed(0)
    x = torch.randn(9, 67, generator=generator, dtype=torch.float32, device="cpu")
    W = torch.randn(67, 3 * 4 * 17, generator=generator, dtype=torch.float32, device="cpu")
    here, there = _attend(x, W), _attend(x.to(device), W.to(device))
    differences = [(a - b.cpu()).abs().flatten() for a, b in zip(here, there, strict=True)]
    return torch.cat(differences).max().item()  # NaN where there is one


def _attend(x: Tensor, W: Tensor) -> tuple[Tensor, Tensor]:
    """What nine tokens receive through four heads, and a gradient with respect to `W`."""
    W = W.clone().requires_grad_()
    q, k, v = (x @ W / 67**0.5).unflatten(-1, (3, 1, 4, 17)).permute(1, 2, 3, 0, 4)
    output = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    (gradient,) = torch.autograd.grad(output.square().sum() / 2, W)
    return output.detach(), gradient
