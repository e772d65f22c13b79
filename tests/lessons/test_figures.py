"""Figures are compared as strictly as what they show is stable."""

import base64
import io

import matplotlib
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest

from course_lib import plot
from tools.figures import difference, faults, pixels

matplotlib.use("agg")


@pytest.fixture(autouse=True)
def style():
    with matplotlib.rc_context():
        plot.use_style()
        yield
    plt.close("all")


def drawn(**kwargs) -> str:
    """The current figure as a base64-encoded PNG."""
    plt.savefig(file := io.BytesIO(), format="png", **kwargs)
    plt.close("all")
    return base64.b64encode(file.getvalue()).decode()


def curve(y, *, label="0.793", title="", **kwargs) -> str:
    _, ax = plt.subplots()
    ax.plot(y, label=label)
    ax.set_xlabel("step")
    ax.set_title(title)
    ax.legend(loc="upper right")
    return drawn(**kwargs)


def learning_curve(seed: int, level: float = 0.2):
    """A loss that falls to `level`, as a training run draws it."""
    rng = np.random.default_rng(seed)
    steps = np.arange(200)
    return level + 3 * np.exp(-steps / 30) * (1 + 0.05 * rng.normal(size=200))


EXACT = np.sin(np.arange(100) / 9)


def test_the_same_drawing_passes_though_its_last_bits_differ():
    assert difference(curve(EXACT), curve(EXACT * (1 + 1e-9)), tags=[]) is None


@pytest.mark.parametrize("tags", [[], ["trained"]])
def test_a_blank_figure_is_caught(tags):
    stored = curve(EXACT)
    _, ax = plt.subplots()
    ax.set_axis_off()
    assert difference(stored, drawn(), tags)


def test_a_changed_digit_in_a_label_is_caught():
    assert difference(curve(EXACT), curve(EXACT, label="0.798"), tags=[])


def test_a_curve_that_moved_by_a_hundredth_is_caught():
    assert difference(curve(EXACT), curve(EXACT + 0.01 * np.sin(np.arange(100))), tags=[])


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_training_run_may_wander(seed):
    one, other = curve(learning_curve(0)), curve(learning_curve(seed))
    assert difference(one, other, ["trained"]) is None
    assert difference(one, other, [])


def test_a_training_run_that_went_elsewhere_is_caught():
    stalled = learning_curve(0)[:1].repeat(200) + np.linspace(0, 0.1, 200)
    assert difference(curve(learning_curve(0)), curve(stalled), ["trained"])


def test_a_map_may_waver_but_not_go_flat():
    def heatmap(weights):
        _, ax = plt.subplots()
        plot.heatmap(ax, weights, list("abcd"), list("abcd"), xlabel="key", ylabel="query")
        return drawn()

    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.full(4, 0.5), size=4)
    stored = heatmap(weights)
    wavering = np.abs(weights + 0.05 * rng.normal(size=(4, 4)))
    assert difference(stored, heatmap(wavering), ["trained"]) is None
    assert difference(stored, heatmap(np.full((4, 4), 0.25)), ["trained"])
    assert difference(stored, heatmap(weights[::-1]), ["trained"])


def test_another_figure_in_place_of_a_training_run_is_caught():
    _, ax = plt.subplots()
    plot.heatmap(ax, np.eye(4), list("abcd"), list("abcd"), xlabel="x", ylabel="y")
    assert difference(curve(learning_curve(0)), drawn(), ["trained"])


@pytest.mark.parametrize("tags", [["measured"], ["trained"], []])
def test_a_figure_of_another_size_is_caught(tags):
    one, other = curve(EXACT), curve(EXACT, dpi=60)
    assert "pixels" in difference(one, other, tags)


def test_a_measured_figure_only_has_to_be_of_its_size():
    assert difference(curve(EXACT), curve(-EXACT), ["measured"]) is None


def test_a_figure_too_few_or_too_many_is_caught():
    output = nbformat.v4.new_output("display_data", data={"image/png": curve(EXACT)})
    text = nbformat.v4.new_output("stream", text="1\n")
    assert faults([text, output], [output, text], []) == []
    assert faults([output], [text], ["measured"])
    assert faults([text], [output], ["measured"])


def test_what_is_transparent_counts_as_white():
    image = pixels(curve(EXACT, transparent=True))
    assert image.shape[-1] == 3
    assert (image[0, 0] == 255).all()
