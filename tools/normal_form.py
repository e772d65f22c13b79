"""The one form in which notebooks are stored: what a reader sees, nothing that a machine left."""

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools import setup_cell

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT_METADATA = ("mystnb", "tags", "translates")
WIDGET = "application/vnd.jupyter.widget-view+json"


def normalise(notebook: NotebookNode) -> None:
    """Drop editor metadata, stderr and widget states; count code cells 1..N; join streams.

    A cell tagged "measured" gets a hash of its code and of all code before it, so that a later run
    can tell whether its stored times still belong to it. The setup cell is left out of the hash:
    only the repository's address ever changes there.
    """
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = nbformat.from_dict(METADATA)
    code = hashlib.sha256()
    count = 0
    for cell in notebook.cells:
        kept = {key: cell.metadata[key] for key in KEPT_METADATA if key in cell.metadata}
        cell.metadata = nbformat.from_dict(kept)
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        cell.outputs = _outputs(cell)
        if cell.id != setup_cell.CELL_ID:
            code.update(cell.source.encode() + b"\0")
        if "measured" in tags(cell):
            cell.metadata.measured_code = code.hexdigest()[:16]


def _outputs(cell: NotebookNode) -> list[NotebookNode]:
    """The cell's outputs without stderr, what was printed in one piece as one output."""
    outputs: list[NotebookNode] = []
    for output in cell.outputs:
        if output.output_type == "stream":
            if output.name == "stderr":
                continue
            if outputs and outputs[-1].output_type == "stream":
                outputs[-1].text += output.text
                continue
        elif output.output_type in ("display_data", "execute_result"):
            output.metadata = nbformat.from_dict({})
            output.data.pop(WIDGET, None)
            if output.output_type == "execute_result":
                output.execution_count = cell.execution_count
        outputs.append(output)
    return outputs


def tags(cell: NotebookNode) -> list[str]:
    """The tags of a cell."""
    return cell.metadata.get("tags", [])


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def printed(cell: NotebookNode) -> str:
    """All that a code cell printed, without its figures and their descriptions."""
    return "".join(output.text for output in cell.outputs if output.output_type == "stream")


def kinds(outputs: Iterable[NotebookNode]) -> list[str]:
    """What sort each output is: "stdout", "image/png", "text/plain", …"""
    return [
        output.get("name") or "+".join(sorted(output.get("data", ["error"]))) for output in outputs
    ]


def read(path: Path) -> NotebookNode:
    """The notebook stored at `path`."""
    return nbformat.read(path, as_version=4)


def write(notebook: NotebookNode, path: Path) -> bool:
    """Store the notebook whole or not at all; False when the file already says the same."""
    data = serialised(notebook)
    if path.read_bytes() == data:
        return False
    descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(name, path.stat().st_mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
    return True


def serialised(notebook: NotebookNode) -> bytes:
    """The notebook as the bytes of its file."""
    return (nbformat.writes(notebook).rstrip("\n") + "\n").encode()
