"""Run the notebooks again and store them in their normal form. `make lessons`.

A second run changes no byte, figures included. One thing would change all the same: times that a
cell measures. A cell with the tag "measured" therefore keeps its stored outputs as long as its code
and the code of all cells before it are what they were when the outputs were stored (see
normal_form.py for the hash that tells).
"""

import argparse
import copy
import difflib
import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from tools import figures
from tools.kernels import AsyncSocketKernelManager
from tools.normal_form import (
    code_cells,
    kinds,
    normalise,
    printed,
    read,
    serialised,
    tags,
    write,
)

ROOT = Path(__file__).resolve().parent.parent
AT_ONCE = 2
CELL_SECONDS = 180


class LessonError(Exception):
    """A cell that raised, warned, or outlasted its time; the message names the cell."""


def rerun(notebook: NotebookNode) -> NotebookNode:
    """A copy of the notebook as a fresh run leaves it, in normal form."""
    fresh = copy.deepcopy(notebook)
    execute(fresh)
    if warnings := list(_warnings(fresh)):
        raise LessonError("; ".join(warnings))
    normalise(fresh)
    for old, new in zip(code_cells(notebook), code_cells(fresh), strict=True):
        if _same_measurement(old, new):
            new.outputs = copy.deepcopy(old.outputs)
    return fresh


def execute(
    notebook: NotebookNode, kernels: type[AsyncSocketKernelManager] = AsyncSocketKernelManager
) -> None:
    """Run all cells in an empty folder, on one thread, so that the outputs repeat to the bit."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        environment = os.environ | {
            "OMP_NUM_THREADS": "1",
            "TQDM_DISABLE": "1",
            "PYTHONHASHSEED": "0",
            "IPYTHONDIR": profile,
        }
        running = [""]
        client = NotebookClient(
            notebook,
            timeout=CELL_SECONDS,
            record_timing=False,
            force_raise_errors=True,
            kernel_manager_class=kernels,
            resources={"metadata": {"path": folder}},
            on_cell_execute=lambda cell, **_: running.append(cell.id),
        )
        try:
            client.execute(env=environment)
        except CellExecutionError as error:
            raise LessonError(f"cell {running[-1]}: {error.ename}: {error.evalue}") from error
        except (CellTimeoutError, DeadKernelError) as error:
            raise LessonError(f"cell {running[-1]}: {error}") from error


def _warnings(notebook: NotebookNode) -> Iterator[str]:
    """What the cells wrote to stderr: every reader would see it, and no stored output shows it."""
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if output.get("name") == "stderr":
                yield f"cell {cell.id}: wrote to stderr: {output.text.strip()}"


def _same_measurement(old: NotebookNode, new: NotebookNode) -> bool:
    code = new.metadata.get("measured_code")
    if code is None or old.metadata.get("measured_code") != code:
        return False
    return kinds(old.outputs) == kinds(new.outputs)


def differences(stored: NotebookNode, fresh: NotebookNode) -> Iterator[str]:
    """What the fresh run changes, a line or more for each cell, each with the cell's id."""
    for old, new in zip(code_cells(stored), code_cells(fresh), strict=True):
        if kinds(old.outputs) != kinds(new.outputs):
            was, is_now = kinds(old.outputs), kinds(new.outputs)
            yield f"cell {old.id}: the stored outputs are {was}, the run gave {is_now}"
            continue
        before, after = printed(old).splitlines(), printed(new).splitlines()
        lines = list(difflib.unified_diff(before, after, "stored", "run again", lineterm="", n=0))
        if lines and "measured" not in tags(old):
            yield "\n    ".join([f"cell {old.id}: the printed text differs", *lines])
        for fault in figures.faults(old.outputs, new.outputs, tags(old)):
            yield f"cell {old.id}: {fault}"


def refresh(path: Path, *, check: bool) -> list[str]:
    """Run the notebook at `path` again and store it; with `check`, say what that would change."""
    stored = read(path)
    try:
        fresh = rerun(stored)
    except LessonError as error:
        return [f"{path}: {error}"]
    if not check:
        write(fresh, path)
        return []
    faults = list(differences(stored, fresh))
    if not faults:
        tidy = copy.deepcopy(stored)
        normalise(tidy)
        if serialised(tidy) != path.read_bytes():
            faults = ["not in normal form: make lessons stores it so"]
    return [f"{path}: {fault}" for fault in faults]


def main() -> int:
    """Run the notebooks that the command line names; the exit status is 1 when one has a fault."""
    parser = argparse.ArgumentParser(description="Run notebooks again and store their outputs.")
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks (default: all lessons)")
    parser.add_argument("--check", action="store_true", help="write nothing, say what differs")
    arguments = parser.parse_args()
    paths = arguments.paths or sorted(ROOT.glob("lessons/*/*.ipynb"))
    status = 0
    with ProcessPoolExecutor(max_workers=AT_ONCE) as pool:
        results = pool.map(partial(refresh, check=arguments.check), paths)
        for path, faults in zip(paths, results, strict=True):
            print(*(faults or [f"{path}: {'as stored' if arguments.check else 'ok'}"]), sep="\n")
            status |= bool(faults)
    return status


if __name__ == "__main__":
    sys.exit(main())
