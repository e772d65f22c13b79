"""Token embeddings."""

import math

from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.nn.arguments import read_tokens, require_among


class TokenEmbedding(nn.Module):
    """A row of the table for each token, times √d_model.

    The table starts with variance 1 / d_model, so that what leaves has variance 1, about that of
    the positions which are added to it. Source: Vaswani et al., 2017, section 3.4.
    """

    def __init__(self, V: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Embedding(V, d_model)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)

    def forward(self, tokens: Int[Tensor, "*batch T"]) -> Float[Tensor, "*batch T d_model"]:
        """Embeddings of whole token numbers between 0 and V − 1."""
        V, d_model = self.table.weight.shape
        tokens = read_tokens("tokens", tokens)
        require_among("token", tokens, V)
        return self.table(tokens) * math.sqrt(d_model)
