"""Run the notebooks again and store them in one normal form. `make lessons`."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def execute(notebook: nbformat.NotebookNode) -> None:
    """Run all cells in an empty folder, on one thread, so that the outputs repeat to the bit."""
    os.environ |= {"OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1", "PYTHONHASHSEED": "0"}
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        NotebookClient(notebook, timeout=180, record_timing=False, resources=resources).execute()


def normalise(notebook: nbformat.NotebookNode) -> None:
    """Keep what a reader sees; drop what the machine left."""
    notebook.metadata = METADATA
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [o for o in cell.outputs if o.get("name") != "stderr"]
            for output in cell.outputs:
                output.pop("metadata", None) if output.output_type == "stream" else None


def main() -> None:
    """Run the notebooks that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks (default: all lessons)")
    paths = parser.parse_args().paths or sorted((ROOT / "lessons").glob("*/*.ipynb"))
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        execute(notebook)
        normalise(notebook)
        nbformat.write(notebook, path)
        print(path, file=sys.stderr)


if __name__ == "__main__":
    main()
