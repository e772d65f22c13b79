"""The code of a notebook, run cell by cell as a notebook would."""

import json
import re
import sys
import types
from pathlib import Path
from typing import Any


def code_cells(path: Path) -> list[str]:
    """The sources of a notebook's code cells; of a .py file, its whole text as one."""
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".py":
        return [text]
    try:
        cells = json.loads(text)["cells"]
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path.name} is not a notebook: {type(error).__name__}: {error}"
        ) from None


def without_magics(source: str) -> str:
    """The cell without IPython's own lines: `%matplotlib`, `!pip`; nothing of a `%%` cell."""
    if source.lstrip().startswith("%%"):
        return ""
    return re.sub(r"(?m)^(\s*)[%!].*$", r"\1pass", source)


def run_cells(cells: list[str]) -> tuple[dict[str, Any], list[str]]:
    """All names that the cells define, and a line for each cell that failed; the others count."""
    module = types.ModuleType("__main__")
    failed = []
    for number, source in enumerate(cells, start=1):
        try:
            exec(compile(without_magics(source), f"<code cell {number}>", "exec"), vars(module))
        except (Exception, SystemExit) as error:
            failed.append(f"code cell {number} failed with {type(error).__name__}: {error}")
    return vars(module), failed


def exercise_of(cells: list[str]) -> str:
    """The exercise whose checks the notebook calls, such as "ex04"."""
    found = re.search(r"""\bcheck\(\s*["'](\w+)["']""", "\n".join(cells))
    if found is None:
        raise ValueError('no cell calls check("ex…"), so the exercise is unknown; use --exercise')
    return found[1]


def say(line: str) -> None:
    """Print a line, also on consoles that can't show all of its characters."""
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, errors="replace").decode(encoding))
