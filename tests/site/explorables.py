"""What each explorable has to compute, by course_lib, and how a test sets it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from course_lib import cost, words
from course_lib.reference import (
    angle,
    angular_frequencies,
    attention_scores,
    attention_weights,
    cosine_similarity,
    cross_entropy,
    cross_entropy_gradient,
    dot,
    entropy,
    kl_divergence,
    scaled_dot_product_attention,
    sinusoidal_positional_encoding,
    smoothed_targets,
    softmax,
    softmax_jacobian,
)

NOUNS = words.embed("cat", "car")
DIVIDED = np.array([3.0, 2.0, 0.0, -1.0])
TOKENS = np.vstack([words.embed("cat", "car", "it"), np.zeros((2, 2))])


class Explorable(NamedTuple):
    """A chapter's explorable: its function, settings for it, and what course_lib says of them."""

    chapter: str
    cell: str
    script: str
    function: str
    settings: Callable[[Generator], list[Any]]
    expected: Callable[..., Any]


def likeness(a: list[float], b: list[float]) -> list[float]:
    """Dot product, cosine, and angle in degrees."""
    a, b = np.array(a), np.array(b)
    return [dot(a, b), cosine_similarity(a, b), np.degrees(angle(a, b))]


def look(turn_q: float, turn_k: float, stretch: float) -> dict[str, Any]:
    """Query, keys and what follows, with W_Q and W_K turned by so many degrees."""
    W_Q, W_K = stretch * words.W_Q @ _turn(turn_q), words.W_K @ _turn(turn_k)
    it = words.embed("it")
    q, K = it @ W_Q, NOUNS @ W_K
    return {
        "q": q[0],
        "K": K,
        "scores": attention_scores(q, K, scale=1)[0],
        "divided": attention_scores(q, K)[0],
        "weights": attention_weights(q, K)[0],
        "back": attention_scores(NOUNS @ W_Q, it @ W_K, scale=1)[:, 0],
        "mixed": scaled_dot_product_attention(q, K, NOUNS)[0],
    }


def _turn(degrees: float) -> np.ndarray:
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cos, sin], [-sin, cos]])


def soften(d_k: int, divide: bool, temperature: float) -> dict[str, Any]:
    """Scores of width d_k, what enters the softmax, the weights, and two measures of them."""
    scores = np.sqrt(d_k) * DIVIDED
    inputs = (scores / np.sqrt(d_k) if divide else scores) / temperature
    weights = softmax(inputs)
    return {
        "scores": scores,
        "inputs": inputs,
        "weights": weights,
        "entropy": entropy(weights),
        "jacobian": np.linalg.norm(softmax_jacobian(weights)),
    }


def heads(swapped: bool, first: float, second: float) -> dict[str, np.ndarray]:
    """Chapter 5's two heads over document A's numbers and the words' roles."""
    roles = np.array([[0, 1], [1, 0], [1, 0]] if swapped else [[1, 0], [0, 1], [1, 0]])
    X = np.hstack([words.embed("cat", "car", "it"), roles])
    nothing = np.zeros((2, 2))
    W_Q = np.vstack([first * words.W_Q, nothing]), np.vstack([nothing, [[0, second]] * 2])
    W_K = np.vstack([words.W_K, nothing]), np.vstack([nothing, np.eye(2)])
    one, two = (attention_weights(X @ W_Q[h], X[:2] @ W_K[h]) for h in range(2))
    wide = attention_weights(X @ np.hstack(W_Q), X[:2] @ np.hstack(W_K))
    return {"first": one, "second": two, "mean": np.mean([one, two], axis=0), "wide": wide}


def compare(d_model: int, clock: int, t: int, delta: int) -> dict[str, float]:
    """The frequency of a clock, and the dot product of the rows of two positions."""
    here = sinusoidal_positional_encoding(1, d_model, start=t)[0]
    there = sinusoidal_positional_encoding(1, d_model, start=t + delta)[0]
    frequency = angular_frequencies(d_model)[clock]
    product = here @ there
    return {
        "frequency": frequency,
        "turn": 2 * np.pi / frequency,
        "product": product,
        "sum": np.cos(delta * angular_frequencies(d_model)).sum(),
        "share": product / (here @ here),
    }


def masked_weights(mask: list[list[bool]]) -> np.ndarray:
    """The weights of cat, car, it and two fillers under a mask."""
    return attention_weights(TOKENS, TOKENS, np.array(mask))


def rate(logits: list[float], target: int, epsilon: float) -> dict[str, Any]:
    """Probabilities, targets, gradient and losses."""
    z, word = np.array([logits]), np.array([target])
    p_hat = smoothed_targets(word, len(logits), epsilon)
    return {
        "p": softmax(z)[0],
        "p_hat": p_hat[0],
        "gradient": cross_entropy_gradient(z, word, label_smoothing=epsilon)[0],
        "loss": cross_entropy(z, word, label_smoothing=epsilon),
        "entropy": entropy(p_hat)[0],
        "kl": kl_divergence(p_hat, softmax(z))[0],
    }


def bill(s: dict[str, int]) -> dict[str, float]:
    """What a conversation costs, for a model in the proportions of Llama 3.1 (chapter 12)."""
    d_model, num_kv_heads = 128 * s["num_heads"], s["num_heads"] // s["group"]
    attention = cost.attention_parameters(
        d_model=d_model, num_heads=s["num_heads"], num_kv_heads=num_kv_heads
    )
    layer = attention + 3 * d_model * (7 * d_model // 2)
    parameters = s["num_layers"] * layer + 2 * 128256 * d_model
    shape = {
        "batch": s["batch"],
        "num_layers": s["num_layers"],
        "num_kv_heads": num_kv_heads,
        "d_head": 128,
        "bytes_per_number": s["bits"] // 8,
    }
    weights = cost.weight_bytes(num_parameters=parameters, bytes_per_number=s["bits"] // 8)
    cache = cost.kv_cache_bytes(tokens=s["tokens"], **shape)
    return {
        "parameters": parameters,
        "weights": weights,
        "cache": cache,
        "crossover": cost.crossover_tokens(
            weight_bytes=weights, cache_bytes_per_token=cost.kv_cache_bytes(tokens=1, **shape)
        ),
        "seconds": (weights + cache) / 3.35e12,
    }


def conversations(rng: Generator) -> list[dict[str, int]]:
    """A random model and the conversations that it holds."""
    return [
        {
            "num_layers": int(rng.integers(1, 129)),
            "num_heads": 2 ** int(rng.integers(3, 8)),
            "group": 2 ** int(rng.integers(0, 4)),
            "batch": int(rng.integers(1, 257)),
            "tokens": int(rng.integers(1000, 1_000_000)),
            "bits": int(rng.choice([8, 16, 32])),
        }
    ]


def positions(rng: Generator) -> list[int]:
    """A width, one of its clocks, a position and a distance."""
    d_model = 2 ** int(rng.integers(2, 10))
    clock, t, delta = rng.integers(d_model // 2), rng.integers(100, 1001), rng.integers(-100, 101)
    return [d_model, int(clock), int(t), int(delta)]


EXPLORABLES = (
    Explorable(
        "01_embeddings", "all-pairs", "word_map", "likeness",
        lambda rng: rng.uniform(-0.5, 1.2, size=(2, 2)).tolist(), likeness,
    ),
    Explorable(
        "03_query_key_value", "heatmap", "query_key", "look",
        lambda rng: [*rng.uniform(-180, 180, size=2).tolist(), rng.uniform(0, 1.5)], look,
    ),
    Explorable(
        "04_scaling", "temperature", "temperature", "soften",
        lambda rng: [2 ** int(rng.integers(11)), bool(rng.integers(2)), 10 ** rng.uniform(-1.3, 2)],
        soften,
    ),
    Explorable(
        "05_multi_head", "concat", "heads", "heads",
        lambda rng: [bool(rng.integers(2)), rng.uniform(0, 3), rng.uniform(0, 4)], heads,
    ),
    Explorable("06_positional_encoding", "profile", "waves", "compare", positions, compare),
    Explorable(
        "08_masking", "combine", "masks", "maskedWeights",
        lambda rng: [(rng.random((5, 5)) < rng.uniform(0.1, 0.9)).tolist()], masked_weights,
    ),
    Explorable(
        "11_cross_entropy", "bars", "gradient", "rate",
        lambda rng: [rng.normal(size=4).tolist(), int(rng.integers(4)), rng.uniform(0, 0.5)],
        rate,
    ),
    Explorable(
        "12_kv_cache", "batch-figure", "conversation", "bill", conversations, bill
    ),
)  # fmt: skip
