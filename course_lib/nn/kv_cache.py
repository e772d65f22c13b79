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
        if keys.shape[:-1] != values.shape[:-1]:
            raise ValueError(
                f"each key needs a value: keys have shape {tuple(keys.shape)}, "
                f"values {tuple(values.shape)}"
            )
        self.keys, self.values = _extend(self.keys, keys), _extend(self.values, values)
        return self.keys, self.values

    def __len__(self) -> int:
        return 0 if self.keys is None else self.keys.shape[-2]

    @property
    def nbytes(self) -> int:
        """Bytes that the stored numbers take."""
        if self.keys is None or self.values is None:
            return 0
        return self.keys.nbytes + self.values.nbytes


def _extend(stored: Tensor | None, new: Tensor) -> Tensor:
    if stored is None:
        return new.clone()
    if stored.shape[:-2] != new.shape[:-2] or stored.shape[-1] != new.shape[-1]:
        raise ValueError(
            f"the cache holds a tensor of shape {tuple(stored.shape)}, which one of shape "
            f"{tuple(new.shape)} can't extend: only the number of tokens may differ"
        )
    if stored.dtype != new.dtype or stored.device != new.device:
        raise ValueError(
            f"the cache holds {stored.dtype} on {stored.device}, which {new.dtype} on {new.device} "
            "can't extend"
        )
    return torch.cat([stored, new], dim=-2)
