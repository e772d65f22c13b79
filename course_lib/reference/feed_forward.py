"""The position-wise feed-forward network. Source: Vaswani et al., 2017, equation 2."""

import numpy as np
from jaxtyping import Float, Real

from course_lib.reference.arrays import Array, as_float, project, require_shape


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
    inner = project("x", x, "W_1", W_1)
    hidden = relu(inner + require_shape("b_1", b_1, inner.shape[-1:]))
    outer = project("the hidden layer", hidden, "W_2", W_2)
    return outer + require_shape("b_2", b_2, outer.shape[-1:])
