"""The position-wise feed-forward network as a module."""

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class FeedForward(nn.Module):
    """relu(x W_1 + b_1) W_2 + b_2, the same at every position."""

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.layer_1 = nn.Linear(d_model, d_ff)
        self.layer_2 = nn.Linear(d_ff, d_model)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """Widen to d_ff, cut off what is negative, narrow to d_model again."""
        return self.layer_2(F.relu(self.layer_1(x)))
