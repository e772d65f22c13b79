"""What the tests of the reference share."""

from collections.abc import Callable

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy import ndarray as Array

from course_lib.reference import BlockWeights, FeedForwardWeights, NormWeights, Projections


def close(actual, expected, tolerance: float = 1e-12) -> None:
    """Equal shapes first, then values: a comparison that broadcasts could hide a wrong axis."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


def vectors(size, largest: float = 1e4) -> st.SearchStrategy[Array]:
    """Float64 arrays of a shape, or of a size drawn from a strategy, within ±largest."""
    return arrays(np.float64, size, elements=st.floats(-largest, largest))


def numerical_gradient(f: Callable[[Array], float], x: Array, step: float = 1e-6) -> Array:
    """∂f / ∂x by central differences, each entry of `x` moved both ways in turn."""
    gradient = np.empty_like(x)
    for index in np.ndindex(x.shape):
        nudge = np.zeros_like(x)
        nudge[index] = step
        gradient[index] = (f(x + nudge) - f(x - nudge)) / (2 * step)
    return gradient


def random_projections(
    rng: np.random.Generator,
    *,
    num_heads: int,
    d_k: int,
    d_v: int,
    d_query: int,
    d_key: int | None = None,
    d_value: int | None = None,
    d_model: int | None = None,
    num_kv_heads: int | None = None,
) -> Projections:
    """Normal matrices; widths that are not given are `d_query`."""
    H_kv = num_heads if num_kv_heads is None else num_kv_heads
    return Projections(
        rng.normal(size=(d_query, num_heads * d_k)),
        rng.normal(size=(d_key or d_query, H_kv * d_k)),
        rng.normal(size=(d_value or d_query, H_kv * d_v)),
        rng.normal(size=(num_heads * d_v, d_model or d_query)),
    )


def random_block(rng: np.random.Generator, *, d_model: int, d_ff: int) -> BlockWeights:
    """Weights of a block, gains and biases included, small enough to keep numbers near 1."""
    W_Q, W_K, W_V, W_O = (rng.normal(size=(d_model, d_model)) / d_model**0.5 for _ in range(4))
    return BlockWeights(
        Projections(W_Q, W_K, W_V, W_O),
        NormWeights(rng.normal(1, 0.1, d_model), rng.normal(0, 0.1, d_model)),
        FeedForwardWeights(
            rng.normal(size=(d_model, d_ff)) / d_model**0.5,
            rng.normal(size=d_ff),
            rng.normal(size=(d_ff, d_model)) / d_ff**0.5,
            rng.normal(size=d_model),
        ),
        NormWeights(rng.normal(1, 0.1, d_model), rng.normal(0, 0.1, d_model)),
    )
