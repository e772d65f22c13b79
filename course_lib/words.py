"""The documents' words, vectors and matrices.

Document A gives the vectors of cat, car and it. Its table with the vector of dog is lost; the one
here is reconstructed from the two cosines that the text prints (0.98 with cat, 0.46 with car).
"""

import numpy as np

from course_lib.messages import speaker as speaker

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


def embed(*words: str) -> np.ndarray:
    """The vectors of `words`, one row each: shape (len(words), 2)."""
    for word in words:
        if word not in VECTORS:
            raise ValueError(f"no vector for {word!r}; there are {', '.join(VECTORS)}")
    return np.stack([VECTORS[word] for word in words])
