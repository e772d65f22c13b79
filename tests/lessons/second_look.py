"""A pytest plugin: what nbval runs anyway, judged again for what nbval does not look at.

nbval compares printed text. It ignores pictures, and it ignores all that a cell with measured times
puts out, even nothing. This reads the outputs that nbval's run left on each cell, so that no lesson
runs twice: there must be as many, of the same kinds, and the figures must show the same. A lesson
that takes far too long has a fault as well.

Two things that nbval does compare are left out, since every new version of a library changes them:
the announcement of a change to come, and what a figure says of itself in words.
"""

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
import nbval.kernel
import nbval.plugin
import pytest
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, coalesce_streams

from tools import figures
from tools.kernels import SocketKernelManager
from tools.normal_form import kinds, tags

# A lesson takes at most a minute on two cores. Other machines are slower, and may be busy.
MOST_SECONDS = 300
ANNOUNCEMENT = re.compile(
    r"^\S.*: \w*(?:Deprecation|Future)Warning: .*\n?(?:[ \t]+.*\n?)*", re.MULTILINE
)
FIGURE = re.compile(r"<.*\bFigure\b.*>")

spent: Counter[Path] = Counter()
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


def overtime(path: Path, seconds: float) -> list[str]:
    """A fault when the cells of the lesson at `path` have now run for too long together."""
    spent[path] += seconds
    if spent[path] <= MOST_SECONDS:
        return []
    return [f"the lesson has run for {spent[path]:.0f} s, longer than {MOST_SECONDS} s"]


nbval.kernel.KernelManager = SocketKernelManager
nbval.plugin.transform_streams_for_comparison = lambda outputs: in_streams(comparable(outputs))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """After nbval has passed the cell, compare its figures; after pytest's other checks."""
    started = time.monotonic()
    result = yield
    if isinstance(item, IPyNbCell):
        stored = list(comparable(coalesce_streams(item.cell.outputs)))
        fresh = list(comparable(item.test_outputs))
        faults = figures.faults(stored, fresh, tags(item.cell))
        if kinds(stored) != kinds(fresh):
            faults.append(f"the stored outputs are {kinds(stored)}, the run gave {kinds(fresh)}")
        faults += overtime(item.path, time.monotonic() - started)
        if faults:
            item.raise_cell_error(f"cell {item.cell.id}: {'; '.join(faults)}")
    return result
