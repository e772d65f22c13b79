"""The PyTorch modules: attention beside PyTorch's own module and its bare kernel."""

import os
from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_lib.nn import MultiHeadAttention
from tests.bench.measure import Row, compare

B, T, D_MODEL, NUM_HEADS = 4, 512, 512, 8


def there_and_back(forward: Callable[[Tensor], Tensor], x: Tensor) -> Callable[[], None]:
    """Run `forward` on x, and the gradients of its sum back to x and all parameters."""

    def run() -> None:
        forward(x).sum().backward()

    return run


def by_hand(layer: MultiHeadAttention, x: Tensor) -> Tensor:
    """Causal attention with the weights of `layer`: projections, PyTorch's kernel, no checks."""

    def heads(linear: nn.Linear) -> Tensor:
        return linear(x).view(B, T, NUM_HEADS, -1).transpose(1, 2)

    q, k, v = heads(layer.W_Q), heads(layer.W_K), heads(layer.W_V)
    output = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return layer.W_O(output.transpose(1, 2).reshape(B, T, -1))


def rows() -> Iterator[Row]:
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(B, T, D_MODEL, generator=generator, requires_grad=True)
    ours = MultiHeadAttention(D_MODEL, NUM_HEADS)
    theirs = nn.MultiheadAttention(D_MODEL, NUM_HEADS, bias=False, batch_first=True)
    yield compare(
        f"MultiHeadAttention ({B}, {T}, {D_MODEL}) forward and backward",
        there_and_back(ours, x),
        "nn.MultiheadAttention(need_weights=False)",
        there_and_back(lambda x: theirs(x, x, x, need_weights=False)[0], x),
        limit=1.05,
    )
    yield compare(
        f"causal MultiHeadAttention ({B}, {T}, {D_MODEL}) forward and backward",
        there_and_back(lambda x: ours(x, is_causal=True), x),
        "F.scaled_dot_product_attention by hand",
        there_and_back(lambda x: by_hand(ours, x), x),
        limit=1.05,
    )
