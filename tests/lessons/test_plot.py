"""What the figures' functions draw, and what they refuse."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_lib import plot


@pytest.fixture
def ax():
    yield plt.figure().subplots()
    plt.close("all")


def test_a_heatmap_writes_each_number_in_its_cell(ax):
    matrix = np.array([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0]])
    plot.heatmap(ax, matrix, ["a", "b"], ["c", "d", "e"], xlabel="", ylabel="")
    written = {text.get_position(): text.get_text() for text in ax.texts}
    assert written == {(j, i): f"{matrix[i, j]:.2f}" for i, j in np.ndindex(2, 3)}


@pytest.mark.parametrize("shape", [(3, 2), (2, 2), (3,), (1, 2, 3)])
def test_names_that_do_not_fit_the_matrix_are_refused(ax, shape, refuses):
    with refuses(f"2 names of rows and 3 of columns do not fit a matrix of shape {shape}"):
        plot.heatmap(ax, np.zeros(shape), ["a", "b"], ["c", "d", "e"], xlabel="", ylabel="")


def test_more_vectors_than_colours_are_all_drawn(ax):
    names = [str(i) for i in range(len(plot.COLOURS) + 2)]
    vectors = {name: np.array([i + 1.0, 2.0]) for i, name in enumerate(names)}
    plot.arrows(ax, vectors, xlabel="", ylabel="")
    assert [text.get_text() for text in ax.texts if text.get_text()] == names


def test_figures_are_alike_whatever_style_an_editor_or_a_startup_file_has_set():
    with plt.rc_context():
        plt.style.use("default")
        plot.use_style()
        expected = dict(plt.rcParams)
        plt.style.use(["dark_background", "fivethirtyeight"])
        plot.use_style()
        assert dict(plt.rcParams) == expected
