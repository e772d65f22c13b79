"""The position-wise feed-forward network. Source: Vaswani et al., 2017, equation 2."""

import numpy as np
from jaxtyping import Float, Real

from course_lib.reference.arrays import Array, as_float


def relu(x: Real[Array, "*shape"]) -> Float[Array, "*shape"]:
    """max(x, 0), entry by entry."""
    return np.maximum(as_float(x), 0)


def feed_forward(
    x: Real[Array, "*batch d_model"],
    W_1: Real[Array, "d_model d_ff"],
    b_1: Real[Array, "d_ff"],
    W_2: Real[Array, "d_ff d_model"],
    b_2: Real[Array, "d_model"],
) -> Float[Array, "*batch d_model"]:
    """relu(x W_1 + b_1) W_2 + b_2, the same at every position."""
    return relu(x @ W_1 + b_1) @ W_2 + b_2
