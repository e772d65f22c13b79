"""Environments that hold no more than a learner's machine does."""

import importlib.metadata
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec
from nbformat import NotebookNode
from packaging.requirements import Requirement

from tools.kernels import AsyncSocketKernelManager
from tools.lessons import execute
from tools.normal_form import code_cells, printed, tags
from tools.setup_cell import ROOT


def build_wheel(folder: Path) -> Path:
    """The package's wheel, built into `folder`."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def distribution_in(wheel: Path) -> importlib.metadata.Distribution:
    """What the metadata in a wheel say."""
    (info,) = (path for path in zipfile.Path(wheel).iterdir() if path.name.endswith(".dist-info"))
    return importlib.metadata.PathDistribution(info)


def make_environment(folder: Path, names: Iterable[str], *wheels: Path) -> Path:
    """The Python of a new environment with `wheels`, `names`, and what these need.

    The wheels are installed. The rest is linked from this environment's folder, so that nothing is
    fetched and nothing undeclared is there.
    """
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    (site,) = folder.glob("lib/python*/site-packages")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps"]
    for wheel in wheels:
        subprocess.run([*pip, "--no-index", wheel], check=True)
    installed = importlib.metadata.distributions(path=[str(site)])
    declared = {name for distribution in installed for name in needs(distribution)}
    link({*names, *declared}, site)
    return python


def link(names: set[str], site: Path) -> None:
    """Link `names` and what they need from this environment into the folder `site`."""
    for name in closure(names):
        distribution = importlib.metadata.distribution(name)
        for top in {file.parts[0] for file in distribution.files or []}:
            source = Path(str(distribution.locate_file(top)))
            if top not in ("..", "__pycache__") and not (site / top).exists():
                (site / top).symlink_to(source)


def closure(names: set[str]) -> set[str]:
    """`names` and all that they need, as their metadata say."""
    found: set[str] = set()
    while names:
        found |= names
        names = {
            needed for name in names for needed in needs(importlib.metadata.distribution(name))
        } - found
    return found


def needs(distribution: importlib.metadata.Distribution) -> set[str]:
    """What a distribution requires here, without extras."""
    requirements = map(Requirement, distribution.requires or [])
    return {
        requirement.name
        for requirement in requirements
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""})
    }


def texts_after_a_run(notebook: NotebookNode, python: Path) -> dict[str, str]:
    """What each cell prints when `python` runs the notebook in an empty folder, by the cell's id.

    Cells with measured times are run and left out.
    """

    argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]

    class Kernels(AsyncSocketKernelManager):
        kernel_spec = KernelSpec(argv=argv)

    execute(notebook, Kernels)
    return texts(notebook)


def texts(notebook: NotebookNode) -> dict[str, str]:
    """What each cell printed, by the cell's id; cells with measured times are left out."""
    cells = code_cells(notebook)
    return {cell.id: printed(cell) for cell in cells if "measured" not in tags(cell)}


def run(python: Path, program: str, folder: Path, **variables: str) -> subprocess.CompletedProcess:
    """Run a program with `python` in `folder`."""
    return subprocess.run(
        [python, "-c", program],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
    )
