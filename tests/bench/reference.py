"""The NumPy reference: its attention beside faster NumPy, its import beside PyTorch's."""

import math
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy import ndarray as Array

from course_lib.reference import causal_mask, scaled_dot_product_attention
from tests.bench.measure import Row, compare


def in_place(query: Array, key: Array, value: Array, hidden: Array | None) -> Array:
    """Attention with no check, one array of scores, and the sum divided out at the end."""
    scores = (query * (1 / math.sqrt(query.shape[-1]))) @ key.swapaxes(-1, -2)
    if hidden is not None:
        np.copyto(scores, -np.inf, where=hidden)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    output = scores @ value
    output /= scores.sum(axis=-1, keepdims=True)
    return output


def head_by_head(query: Array, key: Array, value: Array, hidden: Array | None) -> Array:
    """The same with one array of scores for all heads, which stays in the processor's cache."""
    output = np.empty((*query.shape[:-1], value.shape[-1]), query.dtype)
    scores = np.empty((query.shape[-2], key.shape[-2]), query.dtype)
    query = query * (1 / math.sqrt(query.shape[-1]))
    for head in np.ndindex(query.shape[:-2]):
        np.matmul(query[head], key[head].T, out=scores)
        if hidden is not None:
            np.copyto(scores, -np.inf, where=hidden)
        np.subtract(scores, scores.max(axis=-1, keepdims=True), out=scores)
        np.exp(scores, out=scores)
        np.matmul(scores, value[head], out=output[head])
        output[head] /= scores.sum(axis=-1, keepdims=True)
    return output


# The readable form may cost a tenth more than the same steps in place. A loop over heads is no
# form to teach with; it is timed so that the price of that is known.
FORMS = {"in-place NumPy": (in_place, 1.10), "a loop over heads": (head_by_head, 1.25)}


def rows() -> Iterator[Row]:
    rng = np.random.default_rng(0)
    for shape, mask in (((4, 8, 128, 64), None), ((1, 8, 512, 64), causal_mask(512))):
        hidden = None if mask is None else ~mask
        for dtype in (np.float32, np.float64):
            inputs = rng.normal(size=(3, *shape)).astype(dtype)
            for name, (form, limit) in FORMS.items():
                yield compare(
                    f"attention {shape} {dtype.__name__}{'' if mask is None else ' causal'}",
                    partial(scaled_dot_product_attention, *inputs, mask),
                    name,
                    partial(form, *inputs, hidden),
                    limit=limit,
                )
    yield compare(
        "import course_lib.reference",
        partial(fresh_import, "course_lib.reference"),
        "import torch",
        partial(fresh_import, "torch"),
        limit=1 / 3,
        repetitions=5,
    )


def fresh_import(module: str) -> None:
    """Import in a new interpreter."""
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
