"""Run the code cells of a notebook as a notebook would, without IPython."""

import linecache
import re
import types
from collections.abc import Iterable
from typing import Any

from course_lib.grading.failures import CELL_FAILED, described
from course_lib.messages import Text

# Magics whose cell is Python all the same.
ABOUT_PYTHON = ("%%time", "%%timeit", "%%capture", "%%prun", "%%python")
HELP = re.compile(r"(?m)^([ \t]*+)(?:\?{1,2}[\w.*]++|[\w.*]++\?{1,2})[ \t;]*+$")  # np.sum?, ?np.sum


def new_module() -> types.ModuleType:
    """The module in which a notebook's cells run, with what every notebook has."""
    module = types.ModuleType("__main__")
    vars(module).update(display=_nothing, get_ipython=_Shell)
    return module


class _Shell:
    """In place of IPython's own, which scripts call that were exported from a notebook."""

    def __getattr__(self, name: str) -> Any:
        return _nothing


def _nothing(*_: Any, **__: Any) -> None:
    """Nobody looks."""


def run_cell(source: str, number: int, namespace: dict[str, Any]) -> str:
    """Run one cell; how it failed, such as "NameError: …", or nothing."""
    name = f"<code cell {number}>"
    try:
        python = _python(source)
        # Whoever asks for a function's source, such as torch.jit.script, finds it there.
        linecache.cache[name] = (len(python), None, python.splitlines(keepends=True), name)
        exec(compile(python, name, "exec"), namespace)
    except (Exception, SystemExit) as error:
        return described(error)
    return ""


def run_cells(cells: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """All names that the cells define, and a line for each cell that failed; the others count."""
    namespace = vars(new_module())
    lines: list[str] = []
    for number, source in enumerate(cells, start=1):
        if error := run_cell(source, number, namespace):
            lines.append(Text(CELL_FAILED, number=number, error=error))
    return namespace, lines


def without_magics(source: str) -> str:
    """The cell without IPython's own: `%matplotlib`, `!pip`, `np.sum?`; nothing of `%%bash`."""
    first, _, rest = source.lstrip().partition("\n")
    while first.startswith("%%"):
        if first.split()[0] not in ABOUT_PYTHON:
            return ""
        source = rest
        first, _, rest = source.lstrip().partition("\n")
    # What is matched is never given back (++), or a cell of spaces alone would take for ever.
    without = re.sub(r"(?m)^([ \t]*+)(?:[%!]|[\w, ]++=[ \t]*+[%!]).*$", r"\1pass", source)
    return HELP.sub(r"\1pass", without)


def _python(source: str) -> str:
    """The cell as it is where that is Python: a line may begin with % in a long expression."""
    try:
        compile(source, "<cell>", "exec")
    except (SyntaxError, ValueError):
        return without_magics(source)
    return source
