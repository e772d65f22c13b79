"""Look at attention weights while a model runs."""

from collections.abc import Iterator
from contextlib import contextmanager

from jaxtyping import Float
from torch import Tensor, nn

from course_lib.nn.multi_head import MultiHeadAttention


@contextmanager
def record_attention(model: nn.Module) -> Iterator[dict[str, Float[Tensor, "B H T S"]]]:
    """`with record_attention(model) as maps: model(x)` fills `maps` with each layer's weights.

    The keys are the names of the model's `MultiHeadAttention` modules; one that runs more than
    once keeps its last weights. Without a cache only.
    """
    maps: dict[str, Tensor] = {}

    def recorder(name: str):
        def hook(module: MultiHeadAttention, args: tuple, kwargs: dict) -> None:
            kwargs = dict(kwargs)
            if kwargs.pop("cache", None) is not None:
                raise ValueError(f"record_attention reads no cache, but {name} was given one")
            kwargs.pop("value", None)  # which has no part in the weights
            maps[name] = module.weights(*args[:2], **kwargs).detach()

        return hook

    handles = [
        module.register_forward_pre_hook(recorder(name), with_kwargs=True)
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    ]
    try:
        yield maps
    finally:
        for handle in handles:
            handle.remove()
