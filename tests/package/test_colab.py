"""A lesson that needs no PyTorch prints the same on Colab's Python with Colab's versions."""

import glob
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.package.environments import texts, texts_after_a_run
from tools.normal_form import code_cells, read
from tools.setup_cell import ROOT, needs_torch

COLAB = ("numpy==2.1.3", "matplotlib==3.10.0", "ipykernel")
FOLDER = ROOT / "_build" / "colab"
LESSONS = [p for p in sorted(ROOT.glob("lessons/*/*.ipynb")) if not needs_torch(read(p))]


def python_313() -> str | None:
    """A Python 3.13: the one that PYTHON313 names, on the path, or pyenv's."""
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    named = os.environ.get("PYTHON313", "")
    pyenvs = sorted(glob.glob(f"{pyenv}/versions/3.13.*/bin/python3.13"))
    for candidate in filter(None, (named, shutil.which("python3.13"), *pyenvs)):
        asked = subprocess.run([candidate, "--version"], capture_output=True, text=True)
        if asked.returncode == 0 and asked.stdout.startswith("Python 3.13."):
            return candidate
    return None


@pytest.fixture(scope="module")
def colab(wheel) -> Path:
    """The Python of an environment like Colab's, kept in _build for the next run."""
    python = FOLDER / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    stamp = FOLDER / "installed"
    if not stamp.exists() or stamp.read_text() != " ".join(COLAB):
        if (base := python_313()) is None:
            pytest.skip("no Python 3.13: install it, or name one in PYTHON313")
        subprocess.run([base, "-m", "venv", "--clear", FOLDER], check=True)
        subprocess.run([*pip, *COLAB], check=True)
        stamp.write_text(" ".join(COLAB))
    subprocess.run([*pip, "--force-reinstall", "--no-deps", wheel], check=True)
    subprocess.run([*pip, wheel], check=True)  # what it needs, if that is not there
    return python


def test_there_are_lessons_without_torch():
    assert LESSONS


def test_installing_the_package_leaves_colabs_versions_alone(colab):
    program = """
import course_lib, matplotlib, numpy
print(numpy.__version__, matplotlib.__version__)
"""
    result = subprocess.run([colab, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "2.1.3 3.10.0\n"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_prints_the_same_as_here(colab, path):
    notebook = read(path)
    without_torch = {cell.id for cell in code_cells(notebook) if "torch" not in cell.source}
    stored = texts(notebook)
    fresh = texts_after_a_run(notebook, colab)
    assert {key: fresh[key] for key in without_torch} == {key: stored[key] for key in without_torch}
