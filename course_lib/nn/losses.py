"""Cross-entropy with the next token, on logits of shape (*batch, V)."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from course_lib.nn.arguments import read_tokens, require_among, require_tensor


def cross_entropy(
    logits: Float[Tensor, "*batch V"],
    targets: Int[Tensor, "*batch"],
    *,
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
) -> Float[Tensor, ""]:
    """Mean cross-entropy in nats over the targets that are not `ignore_index`.

    The classes lie on the last axis; `F.cross_entropy` wants them on axis 1. Where every target is
    ignored the loss is 0 with zero gradients; `F.cross_entropy` returns NaN. Without an
    `ignore_index` every target counts, where `F.cross_entropy` leaves out −100.

    float16 and bfloat16 are summed in float32: the largest number of float16 is 65504, which the
    sum over some ten thousand tokens passes.
    """
    require_tensor("logits", logits)
    targets = read_tokens("targets", targets)
    if logits.ndim == 0 or logits.shape[:-1] != targets.shape:
        raise ValueError(
            f"logits of shape {tuple(logits.shape)} need targets of shape "
            f"{tuple(logits.shape[:-1])}, got {tuple(targets.shape)}"
        )
    if not 0 <= label_smoothing <= 1:
        raise ValueError(f"label_smoothing must lie in [0, 1], got {label_smoothing}")
    V = logits.shape[-1]
    counted = torch.ones_like(targets, dtype=torch.bool)
    if ignore_index is not None:
        counted = targets != ignore_index
        # Whatever an ignored position predicts, even NaN, its gradient is 0.
        logits = logits.masked_fill(~counted[..., None], 0)
    require_among("target", targets, V, counted)
    total = F.cross_entropy(
        logits.reshape(-1, V).to(torch.promote_types(logits.dtype, torch.float32)),
        targets.reshape(-1).where(counted.reshape(-1), -100),
        label_smoothing=label_smoothing,
        reduction="sum",
    )
    return total / counted.sum().clamp(min=1)
