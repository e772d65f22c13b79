"""Figures that look alike everywhere: one style, safe for colour-blind readers, with Korean glyphs.

Everything here is handed arrays and labels; it computes nothing.
"""

from importlib.resources import files
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib import font_manager
from matplotlib.axes import Axes

# Okabe and Ito, 2008: told apart with any colour vision. Yellow is left out, too pale on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
LINE_STYLES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
INK, GRID = "#222222", "#D9D9D9"
SEQUENTIAL, DIVERGING = "Blues", "RdBu_r"


def use_style() -> None:
    """Set the course's style for all figures that follow, the bundled Korean font included."""
    font = files("course_lib") / "fonts" / "NotoSansKR-subset.otf"
    font_manager.fontManager.addfont(str(font))
    plt.style.use("default")  # an editor with a dark theme may have made the paper black
    plt.rcParams.update(
        {
            "axes.axisbelow": True,
            "axes.edgecolor": INK,
            "axes.grid": True,
            "axes.labelcolor": INK,
            "axes.prop_cycle": cycler(color=COLOURS) + cycler(linestyle=LINE_STYLES),
            "axes.spines.right": False,
            "axes.spines.top": False,
            "axes.unicode_minus": False,
            "figure.constrained_layout.use": True,
            "figure.dpi": 144,
            "figure.figsize": (6.0, 3.4),
            "font.family": ["Noto Sans KR", "DejaVu Sans"],
            "font.size": 10.5,
            "grid.color": GRID,
            "grid.linewidth": 0.6,
            "legend.frameon": False,
            "lines.linewidth": 1.8,
            "text.color": INK,
            "xtick.color": INK,
            "ytick.color": INK,
        }
    )


def heatmap(
    ax: Axes,
    matrix: np.ndarray,
    rows: list[str],
    columns: list[str],
    *,
    xlabel: str,
    ylabel: str,
    limits: tuple[float, float] = (0.0, 1.0),
    cmap: str = SEQUENTIAL,
    decimals: int | None = 2,
) -> None:
    """Draw `matrix` as coloured cells, rows downwards, each with its number (unless None).

    limits: the values at the two ends of the colour scale.
    """
    matrix = np.asarray(matrix)
    _require_names(matrix, rows, columns)
    image = ax.imshow(matrix, cmap=cmap, vmin=limits[0], vmax=limits[1])
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.grid(False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    if decimals is None:
        return
    for (i, j), number in np.ndenumerate(matrix):
        red, green, blue, _ = image.cmap(image.norm(number))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
        ax.text(
            j,
            i,
            f"{number:.{decimals}f}",
            ha="center",
            va="center",
            color="white" if dark else INK,
        )


def _require_names(matrix: np.ndarray, rows: list[str], columns: list[str]) -> None:
    if matrix.shape != (len(rows), len(columns)):
        raise ValueError(
            f"{len(rows)} names of rows and {len(columns)} of columns do not fit a matrix of "
            f"shape {matrix.shape}"
        )


def arrows(ax: Axes, vectors: dict[str, np.ndarray], *, xlabel: str, ylabel: str) -> None:
    """Draw each vector of the plane as an arrow from the origin, with its name at the tip."""
    for colour, (name, (x, y)) in zip(cycle(COLOURS), vectors.items(), strict=False):
        ax.annotate(
            "",
            (x, y),
            (0, 0),
            arrowprops={
                "arrowstyle": "-|>",
                "color": colour,
                "lw": 1.8,
                "shrinkA": 0,
                "shrinkB": 0,
            },
        )
        ax.annotate(name, (x, y), xytext=(5, 3), textcoords="offset points", color=colour)
    points = np.array([(0.0, 0.0), *vectors.values()])
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.15 * (high - low).max()
    ax.set_xlim(low[0] - margin, high[0] + 2 * margin)
    ax.set_ylim(low[1] - margin, high[1] + margin)
    ax.set_aspect("equal")
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
