"""Two runs' figures, compared by their pixels."""

import base64
import io
from collections.abc import Collection, Iterable

import numpy as np
from nbformat import NotebookNode
from PIL import Image

# A figure of exact numbers: other CPUs shade the edge of a line differently, by a few of 255 steps.
# A changed digit in a label moves some thirty pixels by more than a hundred steps.
SHADE, STRAY_PIXELS = 32, 8
# A figure of a training run: the ink seen from afar, in blocks of this many pixels a side. The norm
# of the difference over the norm of the ink is 0 for the same drawing and about 1 for another.
# Tried: 0.1 to 0.35 between seeds, from 0.53 when an attention map went flat or a run stalled.
BLOCK, TRAINED_DIFFERENCE = 48, 0.45
# A figure of measured times only has to be there, and of about the same size.
SIZE_DIFFERENCE = 0.1


def faults(
    stored: Iterable[NotebookNode], fresh: Iterable[NotebookNode], tags: Collection[str]
) -> list[str]:
    """What tells the figures in a run's outputs from those in the stored outputs of a cell."""
    old, new = images(stored), images(fresh)
    if len(old) != len(new):
        return [f"{len(old)} figures are stored and the run drew {len(new)}"]
    found = [difference(*pair, tags) for pair in zip(old, new, strict=True)]
    return [fault for fault in found if fault]


def difference(stored: str, fresh: str, tags: Collection[str]) -> str | None:
    """What tells two base64-encoded PNGs apart, in words; None when the `tags` allow it."""
    old, new = pixels(stored), pixels(fresh)
    if "measured" in tags or "trained" in tags:
        if not np.allclose(old.shape, new.shape, rtol=SIZE_DIFFERENCE):
            return f"the figure was {_size(old)} pixels and is {_size(new)}"
        return _seen_from_afar(old, new) if "trained" in tags else None
    if old.shape != new.shape:
        return f"the figure was {_size(old)} pixels and is {_size(new)}"
    stray = int((np.abs(old - new).max(axis=-1) > SHADE).sum())
    return f"{stray} pixels of the figure differ" if stray > STRAY_PIXELS else None


def images(outputs: Iterable[NotebookNode]) -> list[str]:
    """The figures among a code cell's outputs, as base64-encoded PNGs."""
    return [output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})]


def pixels(png: str) -> np.ndarray:
    """A base64-encoded PNG on white, shape (height, width, 3), each entry 0 to 255."""
    image = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA")
    white = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(white, image).convert("RGB"), dtype=np.int16)


def _seen_from_afar(old: np.ndarray, new: np.ndarray) -> str | None:
    grid = (old.shape[1] // BLOCK, old.shape[0] // BLOCK)
    inks = []
    for image in (old, new):
        small = Image.fromarray(image.astype(np.uint8)).resize(grid, Image.Resampling.BOX)
        inks.append(255.0 - np.asarray(small, dtype=np.float64))
    ratio = np.linalg.norm(inks[0] - inks[1]) / max(np.linalg.norm(ink) for ink in inks)
    return f"the figure differs by {ratio:.2f} of its ink" if ratio > TRAINED_DIFFERENCE else None


def _size(image: np.ndarray) -> str:
    return f"{image.shape[1]} × {image.shape[0]}"
