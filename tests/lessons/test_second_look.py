"""What nbval does not see, the second look does."""

import base64
import io
import os
import subprocess
import sys

import pytest
from PIL import Image

from tests.lessons.notebooks import code, markdown, notebook, setup
from tools import lessons
from tools.normal_form import read, serialised
from tools.setup_cell import ROOT

NBVAL = ["-p", "nbval", "-p", "tests.lessons.second_look", "--nbval", "--nbval-current-env"]


def blank(png: str) -> str:
    """A white picture of the same size."""
    size = Image.open(io.BytesIO(base64.b64decode(png))).size
    Image.new("RGB", size, "white").save(file := io.BytesIO(), format="png")
    return base64.b64encode(file.getvalue()).decode()


def swap(cells):
    data = cells["draw"].outputs[0].data
    data["image/png"] = blank(data["image/png"])


def remove(cells):
    del cells["draw"].outputs[0].data["image/png"]


def strip_a_measured_cell(cells):
    cells["time"].outputs = []


def change_a_digit(cells):
    cells["print"].outputs[0].text = "0.798\n"


def raise_an_error(cells):
    cells["print"].source += "\n1 / 0"


def warn(cells):
    cells["print"].source += "\nimport warnings\nwarnings.warn('careful')"


def meet_newer_libraries(cells):
    announce = "import warnings\nwarnings.warn('gone in 4.0', {})\n"
    cells["print"].source = announce.format("DeprecationWarning") + cells["print"].source
    cells["draw"].source = announce.format("FutureWarning") + cells["draw"].source
    cells["draw"].outputs[0].data["text/plain"] = "<matplotlib.figure.Figure at 0x7f3a5c2d1e80>"


CHANGES = (
    swap,
    remove,
    strip_a_measured_cell,
    change_a_digit,
    raise_an_error,
    warn,
    meet_newer_libraries,
)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """What pytest says of notebooks that were changed, each in one way, and of one that was not."""
    folder = tmp_path_factory.mktemp("lessons")
    whole = notebook(
        markdown("question", "# Title"),
        setup(),
        code("print", "print(0.793)"),
        code("draw", "import matplotlib.pyplot as plt\nplt.plot([0, 1])\nplt.show()"),
        code(
            "time",
            "import time\nprint(time.time())",
            tags=("measured", "nbval-ignore-output"),
        ),
    )
    stored = lessons.rerun(whole)
    for change in (None, *CHANGES):
        path = folder / f"{change.__name__ if change else 'as_stored'}.ipynb"
        path.write_bytes(serialised(stored))
        changed = read(path)
        if change:
            change({cell.id: cell for cell in changed.cells})
        path.write_bytes(serialised(changed))
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, *NBVAL, folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
    )
    return result.stdout


def test_a_lesson_as_stored_passes(outcome):
    assert "6 failed, 26 passed" in outcome
    assert "as_stored.ipynb" not in outcome


def test_a_lesson_passes_though_libraries_announce_changes_and_name_figures_anew(outcome):
    assert "meet_newer_libraries.ipynb" not in outcome  # H01, H02


@pytest.mark.parametrize(
    ("change", "cell", "words"),
    [
        (swap, 2, "pixels of the figure differ"),
        (remove, 2, "0 figures are stored and the run drew 1"),
        (strip_a_measured_cell, 3, "the stored outputs are [], the run gave ['stdout']"),
        (change_a_digit, 1, "mismatch 'stdout'"),
        (raise_an_error, 1, "Cell execution caused an exception"),  # H01
        (warn, 1, "Unexpected output fields from running code: {'stderr'}"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_changed_output_fails(outcome, change, cell, words):
    assert f"{change.__name__}.ipynb::Cell {cell}" in outcome
    assert words in outcome
