"""Layer normalisation. Source: Ba, Kiros and Hinton, 2016, "Layer Normalization"."""

import numpy as np
from jaxtyping import Float, Real

from course_lib.reference.arrays import Array, as_float, require_shape


def layer_norm(
    x: Real[Array, "*batch d_model"],
    gain: Real[Array, "d_model"] | None = None,
    bias: Real[Array, "d_model"] | None = None,
    *,
    eps: float = 1e-5,
) -> Float[Array, "*batch d_model"]:
    """Each token shifted to mean 0 and divided by √(variance + eps), then times gain, plus bias.

    The variance divides by d_model, not by d_model − 1, as in `torch.nn.LayerNorm`. `eps` has the
    unit of a variance; it turns a constant token into zeros.
    """
    x = as_float(x)
    if x.ndim == 0 or x.shape[-1] == 0:
        raise ValueError(f"expected tokens of at least one number, (…, d_model), got {x.shape}")
    x = x - x[..., :1]  # no other result, but the mean of large equal numbers would be rounded
    centred = x - x.mean(axis=-1, keepdims=True)
    squares = np.square(centred, dtype=np.float64)  # in float32 they are infinite from 2e19 on
    variance = squares.mean(axis=-1, keepdims=True)
    normalised = (centred / np.sqrt(variance + eps)).astype(x.dtype)
    if gain is not None:
        normalised = normalised * require_shape("gain", gain, x.shape[-1:])
    return normalised if bias is None else normalised + require_shape("bias", bias, x.shape[-1:])
