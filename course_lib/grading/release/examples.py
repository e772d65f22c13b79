"""Submissions to try `grade run` on, made from an exercise's own notebook and solution."""

import ast
import copy
import io
import zipfile
from pathlib import Path
from typing import Any

from course_lib.grading.exercise import Exercise
from course_lib.grading.release.notebooks import DEFINED, first_function, read, stubs, written

Notebook = dict[str, Any]

EXPECTED = {
    "right.ipynb": "all points",
    "과제 1 - 홍길동.ipynb": "all points: any name will do",
    "hw[1] (final).ipynb": "all points, also with brackets",
    "saved on Windows.ipynb": "all points, with a byte-order mark and other line ends",
    "no ids.ipynb": "all points, without metadata and cell ids",
    "script.py": "all points, as a Python file",
    "zipped.zip": "all points, in an archive",
    "one mistake.ipynb": "the first question loses points, and its mistake is named",
    "nothing written.ipynb": "0 points",
    "syntax error.ipynb": "all points: the cell that is no Python costs itself alone",
    "endless loop.ipynb": "what needs the first function is stopped, the rest counts",
    "ends the process.ipynb": "what needs the first function crashes, the rest counts",
    "truncated.ipynb": "unreadable: blank, not 0",
}


def submissions(exercise: Exercise, path: Path) -> dict[str, bytes]:
    """The contents of each file in `EXPECTED`."""
    given = read(path)
    right = solved(given, (exercise.folder / "solution.py").read_text(encoding="utf-8"))
    training = exercise.folder / "training.py"
    if training.exists():
        right = _after(right, "training", training.read_text(encoding="utf-8"))
    plain = written(right)
    name = first_function(given)
    return {
        "right.ipynb": plain,
        "과제 1 - 홍길동.ipynb": written(_with(right, "# 홍길동")),
        "hw[1] (final).ipynb": written(_with(right, "# the last version, really")),
        "saved on Windows.ipynb": b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"),
        "no ids.ipynb": written(_bare(right)),
        "script.py": "\n\n".join(_code(right)).encode(),
        "zipped.zip": _zipped("homework/notebook.ipynb", written(_with(right, "# zipped"))),
        "one mistake.ipynb": written(_with(right, _mistake(exercise, name))),
        "nothing written.ipynb": written(given),
        "syntax error.ipynb": written(_with(right, "def unfinished(:")),
        "endless loop.ipynb": written(_with(right, _in_place_of(name, "while True: pass"))),
        "ends the process.ipynb": written(
            _with(right, _in_place_of(name, "import os; os._exit(0)"))
        ),
        "truncated.ipynb": plain[: len(plain) // 2],
    }


def solved(notebook: Notebook, solution: str) -> Notebook:
    """The notebook with each stub replaced by the solution's function of that name.

    What the solution needs besides stands in front of the first one.
    """
    notebook = copy.deepcopy(notebook)
    tree = ast.parse(solution)
    parts = [(getattr(node, "name", ""), _source(solution, node)) for node in tree.body]
    for cell in stubs(notebook):
        names = DEFINED.findall(cell["source"])
        cell["source"] = "\n\n\n".join(source for name, source in parts if name in names)
        parts = [(name, source) for name, source in parts if name not in names]
    rest = "\n\n\n".join(source for _, source in parts)
    return _after(notebook, "imports", rest)


def _mistake(exercise: Exercise, name: str) -> str:
    """A wrong solution of the first question that is recognised, as a student would write it."""
    wrong = next(m.function.__name__ for m in exercise.misconceptions if m.replaces == name)
    source = (exercise.folder / "misconceptions.py").read_text(encoding="utf-8")
    kept = []
    for node in ast.parse(source).body:
        ours = isinstance(node, ast.ImportFrom) and node.module == "course_lib.grading"
        if isinstance(node, ast.FunctionDef) and node.name == wrong:
            node.decorator_list = []
        if not ours and not isinstance(node, ast.Expr) and not getattr(node, "decorator_list", []):
            kept.append(ast.unparse(node))
    return "\n\n".join([*kept, f"{name} = {wrong}"])


def _in_place_of(name: str, body: str) -> str:
    return f"def {name}(*_):\n    {body}"


def _source(text: str, node: ast.stmt) -> str:
    """The node's own lines, with decorators."""
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def _after(notebook: Notebook, cell_id: str, source: str) -> Notebook:
    """One more cell, behind the one of that id."""
    place = next(i for i, cell in enumerate(notebook["cells"]) if cell.get("id") == cell_id) + 1
    return notebook | {
        "cells": [*notebook["cells"][:place], _cell(source), *notebook["cells"][place:]]
    }


def _with(notebook: Notebook, source: str) -> Notebook:
    """One more cell at the end; the last definition of a name counts."""
    return notebook | {"cells": [*notebook["cells"], _cell(source)]}


def _cell(source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"added-{len(source)}",
        "metadata": {},
        "outputs": [],
        "source": source,
    }


def _bare(notebook: Notebook) -> Notebook:
    cells = [{"cell_type": c["cell_type"], "source": c["source"]} for c in notebook["cells"]]
    return {"cells": cells, "nbformat": 4, "nbformat_minor": 4, "metadata": {}}


def _code(notebook: Notebook) -> list[str]:
    return [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _zipped(name: str, data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(name), data)
    return packed.getvalue()
