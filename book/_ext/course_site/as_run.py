"""Only what was run is published: a notebook whose cells raised, or were not run, is a warning.

The books take outputs as they are stored, and warnings are errors, so the build fails.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)


def faults(notebook: dict[str, Any], *, is_lesson: bool) -> Iterator[str]:
    """Each cell that raised and, in a lesson, each that was not run; a learner runs an exercise."""
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        for output in cell["outputs"]:
            if output["output_type"] == "error":
                yield f"cell {cell['id']} raised {output['ename']}: {output['evalue']}"
        if is_lesson and cell["execution_count"] is None:
            yield f"cell {cell['id']} was not run"


def warn_of_faults(app: Sphinx, docname: str, source: list[str]) -> None:
    """Warn of each fault of a notebook that is about to be read."""
    if Path(app.env.doc2path(docname)).suffix == ".ipynb":
        is_lesson = docname.startswith("lessons/")
        for fault in faults(json.loads(source[0]), is_lesson=is_lesson):
            logger.warning(fault, location=docname)
