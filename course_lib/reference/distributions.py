"""Entropy, cross-entropy and KL divergence of distributions, in nats."""

import numpy as np
from jaxtyping import Float, Real

from course_lib.reference.arrays import Array, as_float


def entropy(p: Real[Array, "*batch n"]) -> Float[Array, "*batch"]:
    """H(p) = −Σ p log p; an outcome of probability 0 adds nothing."""
    return distribution_cross_entropy(p, p)


def distribution_cross_entropy(
    p: Real[Array, "*batch n"], q: Real[Array, "*batch n"]
) -> Float[Array, "*batch"]:
    """−Σ p log q; +∞ where q rules out what p allows."""
    p, q = _distribution("p", p), _distribution("q", q)
    if p.shape != q.shape:
        raise ValueError(f"p has shape {p.shape} but q has shape {q.shape}")
    with np.errstate(divide="ignore"):
        log_q = np.log(q)
    return -np.multiply(p, log_q, out=np.zeros_like(log_q), where=p > 0).sum(axis=-1)


def kl_divergence(p: Real[Array, "*batch n"], q: Real[Array, "*batch n"]) -> Float[Array, "*batch"]:
    """KL(p ‖ q) = Σ p log(p / q) ≥ 0; not symmetric. `F.kl_div(log q, p)` is the same, summed."""
    return np.maximum(distribution_cross_entropy(p, q) - entropy(p), 0)


def _distribution(name: str, p) -> Array:
    p = as_float(p)
    totals = p.sum(axis=-1)
    if (p < 0).any() or not np.allclose(totals, 1, atol=1e-4):
        raise ValueError(
            f"{name} must be a distribution: smallest entry {p.min():.6g}, "
            f"sums from {totals.min():.6g} to {totals.max():.6g}"
        )
    return p
