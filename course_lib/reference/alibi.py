"""ALiBi, attention with linear biases: each step of distance costs a fixed amount of score.

Source: Press et al., 2022, "Train Short, Test Long", section 3.
"""

import numpy as np
from jaxtyping import Float

from course_lib.reference.arrays import Array


def alibi_slopes(num_heads: int) -> Float[Array, "num_heads"]:
    """What one step costs in each head: 2^(−8h/H) for h = 1 … H, so 1/2, 1/4 … 1/256 for 8 heads.

    The paper's own code departs from this sequence where H is not a power of two.
    """
    if num_heads < 1:
        raise ValueError(f"num_heads must be at least 1, got {num_heads}")
    return 2.0 ** (-8 * np.arange(1, num_heads + 1) / num_heads)


def alibi_bias(num_heads: int, T: int, S: int | None = None) -> Float[Array, "num_heads T S"]:
    """−slope · distance between query t and key s, to be added to the scaled scores.

    The last query is aligned with the last of the S keys (S = T unless given), as in
    `causal_mask`. The paper is causal: add that mask to have its model. Without it the bias is the
    same to the left and to the right, and order shows only as distance.
    """
    S = T if S is None else S
    if T < 0 or S < 0:
        raise ValueError(f"expected T ≥ 0 and S ≥ 0, got {T} and {S}")
    distance = np.abs(np.arange(S - T, S)[:, None] - np.arange(S))  # (T, S)
    return alibi_slopes(num_heads)[:, None, None] * -distance
