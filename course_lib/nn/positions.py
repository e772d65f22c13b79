"""Positions that are added to token embeddings: fixed waves, or learned."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.nn.arguments import has_numbers, is_whole
from course_lib.reference.positions import sinusoidal_positional_encoding


class SinusoidalPositions(nn.Module):
    """Adds the sines and cosines of `course_lib.reference.sinusoidal_positional_encoding`."""

    table: Float[Tensor, "max_tokens d_model"]

    def __init__(self, max_tokens: int, d_model: int) -> None:
        super().__init__()
        self.register_buffer("table", _waves(max_tokens, d_model), persistent=False)
        self.register_load_state_dict_post_hook(_reset_after_loading)

    def reset_parameters(self) -> None:
        """Compute the table again, which no checkpoint holds and `to_empty` leaves undefined."""
        self.table.copy_(_waves(*self.table.shape))

    def forward(
        self, x: Float[Tensor, "B T d_model"], start: int | Int[Tensor, "B"] = 0
    ) -> Float[Tensor, "B T d_model"]:
        """x + PE, the first token of each sequence at position `start`."""
        return x + _rows(self.table, x, start).to(x.dtype)


class LearnedPositions(nn.Module):
    """Adds one learned vector for each position."""

    START = 0.02  # standard deviation of the first draw

    def __init__(self, max_tokens: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(max_tokens, d_model).normal_(std=self.START))

    def forward(
        self, x: Float[Tensor, "B T d_model"], start: int | Int[Tensor, "B"] = 0
    ) -> Float[Tensor, "B T d_model"]:
        """x + the learned vectors, the first token of each sequence at position `start`."""
        return x + _rows(self.table, x, start).to(x.dtype)


def _reset_after_loading(positions: SinusoidalPositions, incompatible_keys: object) -> None:
    positions.reset_parameters()


def _waves(max_tokens: int, d_model: int) -> Float[Tensor, "max_tokens d_model"]:
    table = sinusoidal_positional_encoding(max_tokens, d_model)
    return torch.tensor(table, dtype=torch.float32)


def _rows(table: Tensor, x: Tensor, start: int | Tensor) -> Float[Tensor, "... T d_model"]:
    """The rows of positions start … start + T − 1; positions before 0 (left padding) read row 0."""
    T, max_tokens = x.shape[-2], len(table)
    if x.shape[-1] != table.shape[-1]:
        raise ValueError(
            f"x has d_model = {x.shape[-1]} but the positions have d_model = {table.shape[-1]}"
        )
    if not x.is_floating_point():
        raise ValueError(f"x must hold floating-point numbers, got dtype {x.dtype}")
    if not isinstance(start, Tensor):
        if start < 0:
            raise ValueError(f"positions from {start} on are asked for, the first is 0")
        _require_room(start + T, max_tokens)
        return table[start : start + T]
    if start.shape != x.shape[:1]:
        raise ValueError(f"start has shape {tuple(start.shape)} for {len(x)} sequences")
    if not is_whole(start):
        raise ValueError(f"start must be whole numbers, got dtype {start.dtype}")
    if has_numbers(start) and len(x):
        _require_room(int(start.max()) + T, max_tokens)
    positions = start.long()[:, None] + torch.arange(T, device=x.device)  # (B, T)
    return table[positions.clamp(min=0)]


def _require_room(needed: int, max_tokens: int) -> None:
    if needed > max_tokens:
        raise ValueError(f"positions up to {needed} are asked for, max_tokens is {max_tokens}")
