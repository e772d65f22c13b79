"""A pytest plugin: what nbval runs anyway, judged again for what nbval does not look at.

nbval compares printed text. It ignores pictures, and it ignores all that a cell with measured times
puts out, even nothing. This reads the outputs that nbval's run left on each cell, so that no lesson
runs twice: there must be as many, of the same kinds, and the figures must show the same.
"""

import nbval.kernel
import pytest
from nbval.plugin import IPyNbCell, coalesce_streams

from tools import figures
from tools.kernels import SocketKernelManager
from tools.normal_form import kinds, tags

nbval.kernel.KernelManager = SocketKernelManager


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """After nbval has passed the cell, compare its figures; after pytest's other checks."""
    result = yield
    if isinstance(item, IPyNbCell):
        stored, fresh = coalesce_streams(item.cell.outputs), item.test_outputs
        faults = figures.faults(stored, fresh, tags(item.cell))
        if kinds(stored) != kinds(fresh):
            faults.append(f"the stored outputs are {kinds(stored)}, the run gave {kinds(fresh)}")
        if faults:
            item.raise_cell_error(f"cell {item.cell.id}: {'; '.join(faults)}")
    return result
