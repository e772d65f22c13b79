"""The keys and values of earlier tokens, kept so that they need not be computed again."""

import torch
from jaxtyping import Float
from torch import Tensor


class KVCache:
    """The keys and values of every token so far, for one layer. A new text needs a new cache."""

    def __init__(self) -> None:
        self.keys: Float[Tensor, "*batch H_kv S d_k"] | None = None
        self.values: Float[Tensor, "*batch H_kv S d_v"] | None = None

    def append(
        self, keys: Float[Tensor, "*batch H_kv T d_k"], values: Float[Tensor, "*batch H_kv T d_v"]
    ) -> tuple[Float[Tensor, "*batch H_kv S d_k"], Float[Tensor, "*batch H_kv S d_v"]]:
        """Add the keys and values of T new tokens; returns those of all S tokens so far."""
        if self.keys is None or self.values is None:
            self.keys, self.values = keys, values
        else:
            self.keys = torch.cat([self.keys, keys], dim=-2)
            self.values = torch.cat([self.values, values], dim=-2)
        return self.keys, self.values

    def __len__(self) -> int:
        return 0 if self.keys is None else self.keys.shape[-2]

    @property
    def nbytes(self) -> int:
        """Bytes that the stored numbers take."""
        if self.keys is None or self.values is None:
            return 0
        return self.keys.nbytes + self.values.nbytes
