"""Entropy, cross-entropy and KL divergence of distributions, in nats."""

import numpy as np
from jaxtyping import Float, Real

from course_lib.reference.arrays import Array, as_float


def entropy(p: Real[Array, "*batch n"]) -> Float[Array, "*batch"] | np.floating:
    """H(p) = −Σ p log p; an outcome of probability 0 adds nothing."""
    return distribution_cross_entropy(p, p)


def distribution_cross_entropy(
    p: Real[Array, "*batch n"], q: Real[Array, "*batch n"]
) -> Float[Array, "*batch"] | np.floating:
    """−Σ p log q; +∞ where q rules out what p allows."""
    p, q = _distributions(p, q)
    with np.errstate(divide="ignore"):
        return expectation(p, -np.log(q))


def kl_divergence(
    p: Real[Array, "*batch n"], q: Real[Array, "*batch n"]
) -> Float[Array, "*batch"] | np.floating:
    """KL(p ‖ q) = Σ p log(p / q) ≥ 0; not symmetric.

    It is 0 only where p = q, and +∞ where q rules out what p allows.

    PyTorch turns the order round and wants a logarithm:
    `F.kl_div(q.log(), p, reduction="batchmean")` is the mean of this over the first axis, and the
    sum over any axes between the first and the last.
    """
    p, q = _distributions(p, q)
    with np.errstate(divide="ignore", invalid="ignore"):
        divergence = expectation(p, np.log(p) - np.log(q))
    return np.maximum(divergence, 0)  # rounding may carry 0 a little below


def expectation(
    p: Float[Array, "*batch n"], values: Float[Array, "*batch n"]
) -> Float[Array, "*batch"] | np.floating:
    """Σ p · values along the last axis; an outcome of probability 0 adds nothing, even at ±∞."""
    return np.multiply(p, values, out=np.zeros_like(values), where=p > 0).sum(axis=-1)


def _distributions(p, q) -> tuple[Array, Array]:
    """Both as floats, refused unless they are distributions of one shape."""
    p, q = as_float(p), as_float(q)
    if p.shape != q.shape or p.shape[-1:] in ((), (0,)):
        raise ValueError(
            f"expected two distributions over the same outcomes, got shapes {p.shape} and {q.shape}"
        )
    for name, x in (("p", p), ("q", q)):
        totals = x.sum(axis=-1)
        if (x < 0).any() or not np.allclose(totals, 1, atol=1e-4):
            raise ValueError(
                f"{name} must be a distribution: smallest entry {x.min():.6g}, "
                f"sums from {totals.min():.6g} to {totals.max():.6g}"
            )
    return p, q
