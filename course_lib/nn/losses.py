"""Cross-entropy with the next token, on logits of shape (*batch, V)."""

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor


def cross_entropy(
    logits: Float[Tensor, "*batch V"],
    targets: Int[Tensor, "*batch"],
    *,
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
) -> Float[Tensor, ""]:
    """Mean cross-entropy in nats over the targets that are not `ignore_index`.

    The classes lie on the last axis; `F.cross_entropy` wants them on axis 1. Where every target is
    ignored the loss is 0 with zero gradients; `F.cross_entropy` returns NaN.
    """
    if logits.shape[:-1] != targets.shape:
        raise ValueError(
            f"logits of shape {tuple(logits.shape)} need targets of shape "
            f"{tuple(logits.shape[:-1])}, got {tuple(targets.shape)}"
        )
    counted = targets.numel() if ignore_index is None else (targets != ignore_index).sum()
    total = F.cross_entropy(
        logits.flatten(0, -2),
        targets.flatten(),
        ignore_index=-100 if ignore_index is None else ignore_index,
        label_smoothing=label_smoothing,
        reduction="sum",
    )
    return total / max(counted, 1) if isinstance(counted, int) else total / counted.clamp(min=1)
