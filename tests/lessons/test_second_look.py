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


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """What pytest says of four notebooks, each changed in one way, and of one left as it was."""
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
    for change in (None, swap, remove, strip_a_measured_cell, change_a_digit):
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
    assert "4 failed, 16 passed" in outcome
    assert "as_stored.ipynb" not in outcome


@pytest.mark.parametrize(
    ("change", "cell", "words"),
    [
        (swap, 2, "pixels of the figure differ"),
        (remove, 2, "0 figures are stored and the run drew 1"),
        (strip_a_measured_cell, 3, "the stored outputs are [], the run gave ['stdout']"),
        (change_a_digit, 1, "mismatch 'stdout'"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_changed_output_fails(outcome, change, cell, words):
    assert f"{change.__name__}.ipynb::Cell {cell}" in outcome
    assert words in outcome
