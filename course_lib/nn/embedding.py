"""Token embeddings."""

import math

from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.nn.masks import has_numbers, is_whole, require_tensor


def read_tokens(name: str, tokens: Tensor) -> Int[Tensor, "*batch"]:
    """Token numbers as int64; what is not whole is refused.

    Texts are stored in bytes or 16 bits, which PyTorch can't compare with every V.
    """
    require_tensor(name, tokens)
    if not is_whole(tokens):
        raise ValueError(f"{name} must be whole token numbers, got dtype {tokens.dtype}")
    return tokens.long()


def read_batch(name: str, tokens: Tensor) -> Int[Tensor, "B T"]:
    """A batch of texts as int64; what is not one is refused."""
    tokens = read_tokens(name, tokens)
    if tokens.ndim != 2:
        raise ValueError(
            f"{name} must have shape (B, T), got {tuple(tokens.shape)}; a batch of one text is "
            f"{name}[None]"
        )
    return tokens


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
        if has_numbers(tokens):
            outside = (tokens < 0) | (tokens >= V)
            if outside.any():
                raise ValueError(f"token {tokens[outside][0].item()} is not among the {V} tokens")
        return self.table(tokens) * math.sqrt(d_model)
