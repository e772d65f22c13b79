"""A pytest plugin: what nbval runs anyway, judged again for what nbval does not look at.

nbval compares printed text. It ignores pictures, and it ignores all that a cell with measured times
puts out, even nothing. This reads the outputs that nbval's run left on each cell, so that no lesson
runs twice: there must be as many, of the same kinds, and the figures must show the same. A lesson
that takes far too long has a fault as well.

Two things that nbval does compare are left out, since every new version of a library changes them:
the announcement of a change to come, and what a figure says of itself in words.
"""

import re
from collections.abc import Iterable, Iterator

import nbformat
import nbval.kernel
import nbval.plugin
import pytest
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, coalesce_streams

from tools import figures
from tools.kernels import SocketKernelManager
from tools.normal_form import kinds, tags

ANNOUNCEMENT = re.compile(
    r"^\S.*: \w*(?:Deprecation|Future)Warning: .*\n?(?:[ \t]+.*\n?)*", re.MULTILINE
)
FIGURE = re.compile(r"<.*\bFigure\b.*>")

in_streams = nbval.plugin.transform_streams_for_comparison


def comparable(outputs: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """The outputs without announcements of libraries, and each figure in the same words."""
    for output in outputs:
        if output.get("name") == "stderr" and not ANNOUNCEMENT.sub("", output.text).strip():
            continue
        text = output.get("data", {}).get("text/plain", "")
        if FIGURE.fullmatch(text):
            data = {**output.data, "text/plain": "a figure"}
            output = nbformat.from_dict({**output, "data": data})
        yield output


nbval.kernel.KernelManager = SocketKernelManager
nbval.plugin.transform_streams_for_comparison = lambda outputs: in_streams(comparable(outputs))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """After nbval has passed the cell, compare its figures; after pytest's other checks."""
    result = yield
    if isinstance(item, IPyNbCell):
        stored = list(comparable(coalesce_streams(item.cell.outputs)))
        fresh = list(comparable(item.test_outputs))
        faults = figures.faults(stored, fresh, tags(item.cell))
        if kinds(stored) != kinds(fresh):
            faults.append(f"the stored outputs are {kinds(stored)}, the run gave {kinds(fresh)}")
        if faults:
            item.raise_cell_error(f"cell {item.cell.id}: {'; '.join(faults)}")
    return result
