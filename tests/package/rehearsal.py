"""Colab, rehearsed: its Python and its versions, an empty folder, "run all" once and again.

Colab has Python 3.13. PyTorch's wheels for it are small only where a CPU build lies ready, so
notebooks that need PyTorch run on this Python with this environment's PyTorch; the others on 3.13.
"""

import copy
import glob
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from jupyter_client.kernelspec import KernelSpec
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.package.environments import link
from tools.kernels import AsyncSocketKernelManager
from tools.setup_cell import CELL_ID, ROOT, repository

# What a Colab session has before the first cell runs (2026.10), as far as our notebooks go.
COLAB = ("numpy==2.1.3", "matplotlib==3.10.0", "pytest==8.4.2", "tqdm", "ipykernel", "pip")
FOLDER = ROOT / "_build" / "colab"
STUB = '"""Stands where Colab has its own module."""\nfrom google.colab import drive, files\n'


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


def colab(*, torch: bool) -> Path:
    """The Python of an environment like Colab's, kept in _build for the next run."""
    folder = FOLDER / ("torch" if torch else "numpy")
    python, stamp = folder / "bin" / "python", folder / "installed"
    base = sys.executable if torch else python_313()
    if base is None:
        pytest.skip("no Python 3.13: install it, or name one in PYTHON313")
    made = f"{base} {' '.join(COLAB)}"
    if not stamp.exists() or stamp.read_text() != made:
        subprocess.run([base, "-m", "venv", "--clear", folder], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *COLAB], check=True)
        if torch:
            link({"torch"}, site_packages(python))
        stub = site_packages(python) / "google" / "colab"
        stub.mkdir(parents=True)
        for name, text in {"__init__": STUB, "drive": "", "files": ""}.items():
            (stub / f"{name}.py").write_text(text)
        stamp.write_text(made)
    return python


def site_packages(python: Path) -> Path:
    """Where the packages of an environment lie."""
    (found,) = python.parent.parent.glob("lib/python*/site-packages")
    return found


def new_session(base: Path, folder: Path) -> Path:
    """The Python of a session that has what `base` has, and where an install leaves it alone."""
    subprocess.run([base, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    (site_packages(python) / "colab.pth").write_text(f"{site_packages(base)}\n")
    return python


def with_the_wheel(notebook: NotebookNode, wheel: Path) -> NotebookNode:
    """A copy of the notebook whose setup cell fetches `wheel` in place of the repository."""
    copied = copy.deepcopy(notebook)
    (cell,) = (cell for cell in copied.cells if cell.id == CELL_ID)
    archive = f"{repository()}/archive/refs/heads/main.zip"
    assert archive in cell.source
    cell.source = cell.source.replace(archive, wheel.as_uri())
    return copied


def run_all_twice(notebook: NotebookNode, python: Path) -> tuple[NotebookNode, NotebookNode]:
    """The notebook as it is after "run all", and after "run all" again in the same session."""
    argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]

    class Kernels(AsyncSocketKernelManager):
        kernel_spec = KernelSpec(argv=argv)

    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        variables = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "IPYTHONDIR": profile}
        client = NotebookClient(
            notebook,
            timeout=300,
            record_timing=False,
            force_raise_errors=True,
            kernel_manager_class=Kernels,
            resources={"metadata": {"path": folder}},
        )
        runs = []
        with client.setup_kernel(env=os.environ | variables | {"TQDM_DISABLE": "1"}):
            for _ in range(2):
                for index, cell in enumerate(notebook.cells):
                    client.execute_cell(cell, index)
                runs.append(copy.deepcopy(notebook))
    return runs[0], runs[1]
