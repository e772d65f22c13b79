"""A plain training loop."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import torch
from torch import Tensor, nn
from tqdm import tqdm

from course_lib.nn.arguments import require_generator
from course_lib.nn.positions import LearnedPositions, SinusoidalPositions

Batch = TypeVar("Batch")


def train(
    model: nn.Module,
    batches: Iterable[Batch],
    loss_of: Callable[[nn.Module, Batch], Tensor],
    optimiser: torch.optim.Optimizer,
    scheduler: torch.optim.lr_scheduler.LRScheduler | None = None,
) -> list[float]:
    """One step of `optimiser`, and of `scheduler`, for each batch; returns the losses in order.

    loss_of: from the model and a batch, the loss as a scalar tensor.
    """
    model.train()
    losses = []
    progress = tqdm(batches)
    for batch in progress:
        optimiser.zero_grad()
        loss = loss_of(model, batch)
        loss.backward()
        optimiser.step()
        if scheduler is not None:
            scheduler.step()
        losses.append(loss.item())
        progress.set_postfix(loss=f"{losses[-1]:.3f}", refresh=False)
    model.eval()
    return losses


def initialise(model: nn.Module, generator: torch.Generator) -> None:
    """Draw all weights of `model` again from `generator`, so that a run can be repeated.

    Linear layers: Xavier uniform with zero biases. Embeddings and learned positions: as they start.
    A matrix that is an embedding's and a linear layer's at once is drawn as the embedding's.
    An embedding's row of padding is zero again, since learning would leave it as it was drawn.
    Norms: gain 1 and bias 0. Sinusoidal positions are computed again. Other modules with weights of
    their own are refused.

    The numbers are drawn where the generator lives: with one of the CPU they are the same on every
    device. Dropout draws from PyTorch's global generator, which `torch.manual_seed` sets.
    """
    require_generator(generator)
    tables = {module.weight for module in model.modules() if isinstance(module, nn.Embedding)}
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear):
            if module.weight not in tables:
                _draw(module.weight, nn.init.xavier_uniform_, generator)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            _draw(module.weight, nn.init.normal_, generator, std=module.embedding_dim**-0.5)
            if module.padding_idx is not None:
                nn.init.zeros_(module.weight[module.padding_idx])
        elif isinstance(module, LearnedPositions):
            _draw(module.table, nn.init.normal_, generator, std=module.START)
        elif isinstance(module, nn.LayerNorm | nn.RMSNorm | SinusoidalPositions):
            module.reset_parameters()
        elif own := [key for key, _ in module.named_parameters(recurse=False)]:
            raise ValueError(
                f"no rule to draw {', '.join(own)} of {name or 'the model'} "
                f"({type(module).__name__})"
            )


@torch.no_grad()
def _draw(
    parameter: Tensor, fill: Callable[..., Tensor], generator: torch.Generator, **options
) -> None:
    """Let `fill` fill the parameter with numbers that are drawn on the generator's device."""
    drawn = torch.empty_like(parameter, device=generator.device)
    parameter.copy_(fill(drawn, generator=generator, **options))
