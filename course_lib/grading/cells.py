"""The code of a notebook file, whatever state it is in."""

import json
import re
from pathlib import Path
from typing import Any

LARGEST = 200 * 2**20  # bytes of a file; a notebook with its outputs can have a hundred million
MOST_PARTS = 40_000_000  # signs that begin a value in JSON, which takes up to 40 bytes in memory
MOST_CODE = 10_000_000  # characters of all code cells
CELL = re.compile(r"(?m)^# (?:In ?\[[ \d]*\]:|%%.*)\r?$")  # where one begins in an exported script

MARIMO = re.compile(rb"(?m)^app = marimo\.App\(")  # its functions lie within functions of its own


def code_cells(path: Path) -> list[str]:
    """The sources of a notebook's code cells; of a .py file, its text, or its parts if it has any.

    Raises ValueError with the cause where the file is no notebook, or one in another language.
    """
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.name} has {path.stat().st_size} bytes, more than {LARGEST}")
    return cells_of(path.read_bytes(), path.name)


def cells_of(data: bytes, name: str) -> list[str]:
    """The same for the contents of a file called `name`."""
    if MARIMO.search(data):
        raise ValueError(f"{name} is a marimo notebook; as plain Python: marimo export script")
    try:
        text = data.decode("utf-8-sig")
        if name.lower().endswith(".py"):
            return _bounded(CELL.split(text), name)
        _refuse_too_many_parts(data)
        notebook = json.loads(text)
        if not isinstance(notebook, dict) or not {"cells", "worksheets"} & notebook.keys():
            raise LookupError("it has no cells")
        cells = notebook["cells"] if "cells" in notebook else _version_3(notebook)
        sources = [_source(cell) for cell in cells if cell["cell_type"] == "code"]
    except UnicodeDecodeError as error:
        kind = "" if name.lower().endswith(".py") else "not a notebook: it is "
        raise ValueError(f"{name} is {kind}not UTF-8, at byte {error.start}") from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        if not data.strip():
            raise ValueError(f"{name} is not a notebook: it is empty") from None
        raise ValueError(f"{name} is not a notebook: {type(error).__name__}: {error}") from None
    _refuse_other_languages(notebook, name)
    return _bounded(sources, name)


def exercise_of(cells: list[str]) -> str:
    """The exercise whose checks the notebook calls, such as "ex04"."""
    found = re.search(r"""\bcheck\(\s*["'](\w+)["']""", "\n".join(cells))
    if found is None:
        raise ValueError('no cell calls check("ex…"), so the exercise is unknown; use --exercise')
    return found[1]


def language_of(cells: list[str]) -> str:
    """The language that the notebook's first cell sets, English where it sets none."""
    found = re.search(r"""(?m)^LANGUAGE = ["'](en|ko)["']$""", "\n".join(cells))
    return found[1] if found else "en"


def _refuse_too_many_parts(data: bytes) -> None:
    """A small archive can unpack to a file whose objects take gigabytes of the judge's memory."""
    parts = sum(map(data.count, (b"{", b"[", b",", b'"')))
    if parts > MOST_PARTS:
        raise ValueError(f"it has {parts} lists, objects and values, more than {MOST_PARTS}")


def _bounded(cells: list[str], name: str) -> list[str]:
    characters = sum(map(len, cells))
    if characters > MOST_CODE:
        raise ValueError(f"{name} has {characters} characters of code, more than {MOST_CODE}")
    return cells


def _version_3(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells of a notebook of the old format, which lay in worksheets."""
    return [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]


def _source(cell: dict[str, Any]) -> str:
    source = cell["source"] if "source" in cell else cell["input"]
    return "".join(source)


def _refuse_other_languages(notebook: dict[str, Any], name: str) -> None:
    """A notebook that says nothing, or names a kernel that is not here, is taken for Python."""
    metadata = notebook.get("metadata")
    for place, key in (("language_info", "name"), ("kernelspec", "language")):
        about = metadata.get(place) if isinstance(metadata, dict) else None
        language = about.get(key) or "python" if isinstance(about, dict) else "python"
        if isinstance(language, str) and not re.fullmatch(r"(?i)i?python\d*", language):
            raise ValueError(f"{name} is written in {language}, and only Python is graded")
