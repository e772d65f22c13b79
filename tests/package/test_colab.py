"""Each notebook runs on Colab: installed by its own setup cell, run once and again.

`make colab` rehearses all of them (COLAB=all); with the other tests a few stand for the rest.
"""

import os
import subprocess

import pytest

from tests.package.environments import texts
from tests.package.rehearsal import colab, new_session, run_all_twice, site_packages, with_the_wheel
from tools.normal_form import code_cells, read, tags
from tools.setup_cell import ROOT, needs_torch, notebooks

FEW = (
    "lessons/en/01_embeddings.ipynb",
    "lessons/ko/08_masking.ipynb",
    "exercises/ex08_masking/ex08_masking.en.ipynb",
    "exercises/ex03_query_key_value/ex03_query_key_value.ko.ipynb",
)
REHEARSED = notebooks() if os.environ.get("COLAB") == "all" else [ROOT / name for name in FEW]


@pytest.fixture
def rehearse(wheel, tmp_path):
    """Both runs of a notebook in a new session, and the session's Python."""

    def both(path):
        python = new_session(colab(torch=needs_torch(read(path))), tmp_path / "session")
        return *run_all_twice(with_the_wheel(read(path), wheel), python), python

    return both


def may_differ(cell, path) -> bool:
    """Whether a cell may print something else: it trains, or tells of a PyTorch that is missing."""
    return "trained" in tags(cell) or ("torch" in cell.source and not needs_torch(read(path)))


def stderr(notebook) -> list[str]:
    """What the cells wrote where a reader sees it in red."""
    outputs = (output for cell in code_cells(notebook) for output in cell.outputs)
    return [output.text for output in outputs if output.get("name") == "stderr"]


@pytest.mark.timeout(900)
@pytest.mark.parametrize("path", REHEARSED, ids=lambda path: path.stem)
def test_a_notebook_installs_its_library_and_runs_twice(  # G09, H12, H13, H15, H37
    rehearse, path, tmp_path
):
    notebook = read(path)
    stored = texts(notebook)
    first, second, python = rehearse(path)
    assert stderr(first) == stderr(second) == []
    assert texts(first) == texts(second)
    if "lessons" in path.parts:  # an exercise has nothing to say before it is solved
        fresh = texts(first)
        differing = {key for key in stored if fresh[key] != stored[key]}
        assert differing <= {cell.id for cell in code_cells(notebook) if may_differ(cell, path)}
    program = "import course_lib, numpy; print(course_lib.__file__); print(numpy.__version__)"
    asked = subprocess.check_output([python, "-c", program], cwd=tmp_path, text=True)
    library, numpy = asked.splitlines()
    assert library.startswith(str(site_packages(python)))
    assert numpy == "2.1.3"


def test_every_notebook_can_be_rehearsed():
    assert set(REHEARSED) <= set(notebooks())
    assert {needs_torch(read(ROOT / name)) for name in FEW} == {True, False}
