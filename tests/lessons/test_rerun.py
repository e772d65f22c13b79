"""`make lessons`: what it stores, what it keeps, what --check sees, and what it never touches."""

import base64
import copy
import io
import os
import subprocess
import sys

import pytest
from PIL import Image

from tests.lessons.notebooks import code, markdown, notebook, setup
from tools import lessons
from tools.normal_form import code_cells, normalise, printed, read, serialised, write

ALT = "A line from nought to one."


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The path of a notebook as `make lessons` stored it."""
    path = tmp_path_factory.mktemp("lesson") / "small.ipynb"
    whole = notebook(
        markdown("question", "# Title"),
        setup(),
        code("print", "import os\nprint(0.793); print(os.listdir())"),
        code("pieces", "print(1, flush=True)\nprint(2)\n3"),
        code(
            "draw",
            "import matplotlib.pyplot as plt\nplt.plot([0, 1])\nplt.show()",
            alt=ALT,
        ),
        code(
            "time",
            "import time\nprint(time.perf_counter_ns())",
            tags=("measured", "nbval-ignore-output"),
        ),
        code("stray", "print(id(time) * 0)"),
    )
    whole.metadata = {"widgets": {"no state": 1}, "colab": {"name": "small"}}
    whole.cells[2].metadata = {"collapsed": True, "execution": {"iopub.status.busy": "10:00"}}
    path.write_bytes(serialised(whole))
    assert lessons.refresh(path, check=False) == []
    return path


@pytest.fixture
def changed(stored, tmp_path):
    """`changed(change)` is the path of a copy of the stored notebook with `change` made to it."""

    def copy_and(change):
        whole = read(stored)
        change({cell.id: cell for cell in whole.cells})
        path = tmp_path / "changed.ipynb"
        path.write_bytes(serialised(whole))
        return path

    return copy_and


def cell(path, cell_id):
    """The cell of a stored notebook that has this id."""
    return next(cell for cell in read(path).cells if cell.id == cell_id)


def test_outputs_are_stored_without_a_trace_of_the_machine(stored):  # H32
    text = stored.read_text(encoding="utf-8")
    assert printed(cell(stored, "print")) == "0.793\n[]\n"  # in an empty folder
    assert printed(cell(stored, "pieces")) == "1\n2\n"
    assert [output.output_type for output in cell(stored, "pieces").outputs] == [
        "stream",
        "execute_result",
    ]
    assert [cell.execution_count for cell in code_cells(read(stored))] == [1, 2, 3, 4, 5, 6]
    assert cell(stored, "draw").metadata == {"mystnb": {"image": {"alt": ALT}}}
    assert cell(stored, "print").metadata == {}
    for trace in ("iopub", "colab", "widgets", os.getcwd()):
        assert trace not in text
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")


def test_running_again_changes_no_byte_though_a_time_is_measured(stored, tmp_path):
    path = tmp_path / "again.ipynb"
    path.write_bytes(stored.read_bytes())
    assert lessons.refresh(path, check=False) == []
    assert path.read_bytes() == stored.read_bytes()


@pytest.mark.parametrize("cell_id", ["print", "time"])
def test_a_time_is_measured_anew_when_its_code_or_code_before_it_changed(changed, cell_id):
    def change(cells):
        cells[cell_id].source += "\npass"

    path = changed(change)
    before = printed(cell(path, "time"))
    assert lessons.refresh(path, check=False) == []
    assert printed(cell(path, "time")) != before


def test_a_time_is_kept_when_only_prose_the_address_or_later_code_changed(changed):
    def change(cells):
        cells["question"].source += "\n\nMore."
        cells["setup"].source += "  # elsewhere"
        cells["stray"].source += "\npass"

    path = changed(change)
    before = printed(cell(path, "time"))
    assert lessons.refresh(path, check=False) == []
    assert printed(cell(path, "time")) == before


def test_a_time_is_measured_when_none_is_stored(changed):
    def change(cells):
        cells["time"].outputs = []

    path = changed(change)
    assert lessons.refresh(path, check=False) == []
    assert printed(cell(path, "time"))


def test_check_passes_what_is_stored_and_writes_nothing(stored):
    before = stored.read_bytes()
    assert lessons.refresh(stored, check=True) == []
    assert stored.read_bytes() == before


def redraw(png: str) -> str:
    image = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")
    image.paste("black", (10, 10, 30, 30))
    image.save(file := io.BytesIO(), format="png")
    return base64.b64encode(file.getvalue()).decode()


def test_check_names_each_cell_that_differs_and_writes_nothing(changed):
    def change(cells):
        cells["print"].outputs[0].text = cells["print"].outputs[0].text.replace("0.793", "0.798")
        data = cells["draw"].outputs[0].data
        data["image/png"] = redraw(data["image/png"])
        cells["pieces"].outputs = []
        cells["time"].outputs[0].text = "1\n"

    path = changed(change)
    before = path.read_bytes()
    faults = lessons.refresh(path, check=True)
    assert [fault.split(": ")[1] for fault in faults] == ["cell print", "cell pieces", "cell draw"]
    assert "-0.798" in faults[0]
    assert "+0.793" in faults[0]
    assert "pixels of the figure differ" in faults[2]
    assert path.read_bytes() == before


def test_check_compares_no_times(changed):
    def change(cells):
        cells["time"].source += "\npass"
        cells["time"].outputs[0].text = "1\n"

    (fault,) = lessons.refresh(changed(change), check=True)
    assert "not in normal form" in fault  # whose hash tells that the times are another code's


def test_check_names_a_notebook_that_is_not_in_normal_form(changed):
    def change(cells):
        cells["print"].metadata = {"collapsed": True}

    (fault,) = lessons.refresh(changed(change), check=True)
    assert "not in normal form" in fault


def test_a_cell_that_raises_is_named_and_the_stored_file_is_untouched(changed):
    def change(cells):
        cells["draw"].source = "1 / 0"
        cells["draw"].metadata.tags = ["raises-exception"]

    path = changed(change)
    before = path.read_bytes()
    (fault,) = lessons.refresh(path, check=False)
    assert fault == f"{path}: cell draw: ZeroDivisionError: division by zero"
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_cell_that_outlasts_its_time_is_named_and_the_stored_file_is_untouched(
    changed, monkeypatch
):  # H30
    def change(cells):
        cells["print"].source = "import time\ntime.sleep(60)"

    monkeypatch.setattr(lessons, "CELL_SECONDS", 1)
    path = changed(change)
    before = path.read_bytes()
    (fault,) = lessons.refresh(path, check=False)
    assert fault.startswith(f"{path}: cell print: A cell timed out while it was being executed")
    assert path.read_bytes() == before


def test_a_cell_that_warns_is_named_and_the_stored_file_is_untouched(changed):
    def change(cells):
        cells["pieces"].source = "import warnings\nwarnings.warn('careful')"

    path = changed(change)
    before = path.read_bytes()
    (fault,) = lessons.refresh(path, check=False)
    assert fault.startswith(f"{path}: cell pieces: wrote to stderr: ")
    assert "UserWarning: careful" in fault
    assert path.read_bytes() == before


def test_a_notebook_is_written_whole_or_not_at_all(stored, tmp_path, monkeypatch):
    path = tmp_path / "whole.ipynb"
    path.write_bytes(stored.read_bytes())
    whole = read(path)
    whole.cells[0].source = "# Another title"

    def no_disk(*_):
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", no_disk)
        with pytest.raises(OSError, match="no space left"):
            write(whole, path)
    assert path.read_bytes() == stored.read_bytes()
    assert list(tmp_path.iterdir()) == [path]
    assert write(whole, path)
    assert not write(whole, path)


def test_normal_form_of_normal_form_is_itself(stored):
    once = read(stored)
    twice = copy.deepcopy(once)
    normalise(twice)
    assert serialised(twice) == serialised(once) == stored.read_bytes()


def test_the_command_runs_the_named_notebooks_and_fails_when_one_does(stored, changed):  # H28
    def change(cells):
        cells["print"].source = "raise KeyError('no')"

    path = changed(change)
    command = [sys.executable, lessons.__file__, stored, path]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.stdout.splitlines() == [f"{stored}: ok", f"{path}: cell print: KeyError: 'no'"]
    assert result.returncode == 1
    assert result.stderr == ""
