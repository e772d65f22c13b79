"""The documents' words, vectors and matrices, and how code speaks the reader's language.

Document A gives the vectors of cat, car and it. Its table with the vector of dog is lost; the one
here is reconstructed from the two cosines that the text prints (0.98 with cat, 0.46 with car).
"""

import tomllib
from collections.abc import Callable
from importlib.resources import files

import numpy as np

VECTORS = {
    "dog": np.array([0.90, 0.25]),
    "cat": np.array([0.80, 0.40]),
    "car": np.array([0.20, 0.95]),
    "it": np.array([0.60, 0.60]),
}

# Document A multiplies matrix times column, W x. The course multiplies row times matrix, x W.
PRINTED_W_Q = np.array([[2.0, 0.0], [0.0, -2.0]])
PRINTED_W_K = np.array([[2.0, 0.3], [0.0, 1.0]])
W_Q = PRINTED_W_Q.T
W_K = PRINTED_W_K.T
W_V = np.eye(2)

SENTENCES = {
    "en": ("The cat saw the car. It was hungry.", "The cat saw the car. It was red."),
    "ko": (
        "고양이가 자동차를 보았다. 그것은 배가 고팠다.",
        "고양이가 자동차를 보았다. 그것은 빨간색이었다.",
    ),
}

LANGUAGES = ("en", "ko")


def embed(*words: str) -> np.ndarray:
    """The vectors of `words`, one row each: shape (len(words), 2)."""
    for word in words:
        if word not in VECTORS:
            raise ValueError(f"no vector for {word!r}; there are {', '.join(VECTORS)}")
    return np.stack([VECTORS[word] for word in words])


def speaker(language: str) -> Callable[..., str]:
    """A function `say(text, **values)` that says an English text in `language`.

    Texts may hold `{names}` that the values fill. In Korean, a text that messages/ko.toml lacks is
    refused.
    """
    if language not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, got {language!r}")
    catalogue = {} if language == "en" else _catalogue(language)

    def say(text: str, **values) -> str:
        if language != "en" and text not in catalogue:
            raise ValueError(f"messages/{language}.toml has no entry for {text!r}")
        return catalogue.get(text, text).format(**values)

    return say


def _catalogue(language: str) -> dict[str, str]:
    path = files("course_lib") / "messages" / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
