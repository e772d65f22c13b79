"""Cross-entropy with the next token, and its gradient."""

import numpy as np
from jaxtyping import Bool, Float, Int, Real

from course_lib.reference.arrays import Array, as_array, as_float
from course_lib.reference.distributions import expectation
from course_lib.reference.softmax import log_softmax, softmax


def smoothed_targets(
    targets: Int[Array, "*batch"], V: int, label_smoothing: float = 0.0
) -> Float[Array, "*batch V"]:
    """p̂: 1 − ε on the target and ε spread evenly over all V entries, the target's included."""
    targets = as_array(targets)
    if not 0 <= label_smoothing <= 1:
        raise ValueError(f"label_smoothing must lie in [0, 1], got {label_smoothing}")
    if targets.dtype.kind not in "iu":
        raise ValueError(f"targets must be whole token numbers, got dtype {targets.dtype}")
    outside = (targets < 0) | (targets >= V)
    if outside.any():
        raise ValueError(f"target {targets[outside][0]} is not among the V = {V} tokens")
    one_hot = targets[..., None] == np.arange(V)
    return (1 - label_smoothing) * one_hot + label_smoothing / V


def cross_entropy(
    logits: Real[Array, "*batch V"],
    targets: Int[Array, "*batch"],
    *,
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
) -> float:
    """−Σ_k p̂_k log p_k in nats, averaged over the targets that are not `ignore_index`.

    `logits` are unnormalised scores, not probabilities; their last axis is the vocabulary.
    `ignore_index` is a value of targets, not a position. Where every target is ignored the loss
    is 0 (PyTorch returns NaN: a mean over nothing).
    """
    logits, p_hat, counted = _read(logits, targets, ignore_index, label_smoothing)
    losses = expectation(p_hat, -log_softmax(logits))
    return float(np.where(counted, losses, 0).sum() / max(counted.sum(), 1))


def cross_entropy_gradient(
    logits: Real[Array, "*batch V"],
    targets: Int[Array, "*batch"],
    *,
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
) -> Float[Array, "*batch V"]:
    """∂ cross_entropy / ∂ logits: (p − p̂) over the number of targets that count, else 0."""
    logits, p_hat, counted = _read(logits, targets, ignore_index, label_smoothing)
    difference = np.where(counted[..., None], softmax(logits) - p_hat, 0)
    return difference / max(counted.sum(), 1)


def perplexity(loss: float) -> float:
    """exp(loss): the number of equally likely tokens that would be as hard to guess."""
    if np.ndim(loss) != 0:
        raise ValueError(
            f"perplexity takes one loss, the mean over all targets, got shape {np.shape(loss)}: "
            "average the losses first, each by the number of its targets"
        )
    with np.errstate(over="ignore"):  # past a loss of 709 the number is +∞
        return float(np.exp(float(loss)))


def _read(
    logits, targets, ignore_index: int | None, label_smoothing: float
) -> tuple[Array, Array, Bool[Array, "*batch"]]:
    """The logits as floats, the target distributions p̂, and which targets count."""
    logits, targets = as_float(logits), as_array(targets)
    if logits.ndim == 0 or logits.shape[:-1] != targets.shape:
        raise ValueError(
            f"logits of shape {logits.shape} need targets of shape {logits.shape[:-1]}, "
            f"got {targets.shape}"
        )
    counted = np.ones(targets.shape, bool) if ignore_index is None else targets != ignore_index
    # An ignored target may be no token at all (−100): token 0 stands in for it.
    p_hat = smoothed_targets(targets * counted, logits.shape[-1], label_smoothing)
    return logits, p_hat, counted
