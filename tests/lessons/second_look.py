"""A pytest plugin: what nbval runs anyway, judged again for what nbval does not look at.

nbval compares printed text and ignores pictures. This reads the outputs that its run left on each
cell, so that no lesson runs twice: every figure must be there and show what the stored one shows.
"""

import pytest
from nbval.plugin import IPyNbCell

from tools import figures


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """After nbval has passed the cell, compare its figures; after pytest's other checks."""
    result = yield
    if isinstance(item, IPyNbCell):
        tags = item.cell.metadata.get("tags", [])
        faults = figures.faults(item.cell.outputs, item.test_outputs, tags)
        if faults:
            item.raise_cell_error(f"cell {item.cell.id}: {'; '.join(faults)}")
    return result
