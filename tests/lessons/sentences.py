"""What the course says through its catalogues, found by reading the code that says it."""

import ast
from collections.abc import Iterator, Set
from pathlib import Path

from tools.normal_form import read
from tools.setup_cell import ROOT

# Functions and exceptions whose first argument is a sentence for the reader.
SPEAKERS = frozenset({"say", "_say", "translated", "Text", "CheckFailed", "Mismatch"})
LESSONS = sorted(ROOT.glob("lessons/en/*.ipynb"))
EXERCISES = sorted(ROOT.glob("exercises/ex*/"))
GRADING = sorted(ROOT.glob("course_lib/grading/**/*.py"))
# Where the grader keeps the sentences that a learner may read.
KEPT = [
    ROOT / "course_lib/grading" / name for name in ("failures.py", "limits.py", "exports/words.py")
]
LIBRARY = sorted(ROOT.glob("course_lib/**/*.py"))


def of_lesson(path: Path) -> set[str]:
    """The texts that a notebook says, as far as its code shows them; a run shows the others."""
    found = set()
    for source in _code(path):
        found |= said(source)
    return found


def of_exercise(folder: Path) -> set[str]:
    """The titles of an exercise's checks, their sentences, and what its misconceptions say."""
    checks = (folder / "checks.py").read_text(encoding="utf-8")
    misconceptions = (folder / "misconceptions.py").read_text(encoding="utf-8")
    titles = {
        ast.get_docstring(node).splitlines()[0]
        for node in ast.parse(checks).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
    says = {
        keyword.value.value
        for node in ast.walk(ast.parse(misconceptions))
        if isinstance(node, ast.keyword) and (keyword := node).arg == "says"
    }
    notebook = folder / f"{folder.name}.en.ipynb"
    return titles | says | said(checks) | (of_lesson(notebook) if notebook.exists() else set())


def of_grading() -> set[str]:
    """The sentences of the grader that a learner may read; its `say` speaks to instructors."""
    kept = {
        node.value.value
        for path in KEPT
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str)
    }
    speakers = SPEAKERS - {"say"}
    return kept.union(*(said(path.read_text(encoding="utf-8"), speakers) for path in GRADING))


def said(source: str, speakers: Set[str] = SPEAKERS) -> set[str]:
    """The first arguments of all `speakers` in a program, and what its assertions say."""
    tree = ast.parse(source)
    values = _values(tree)
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and _name(node.func) in speakers:
            found.update(_strings(node.args[0], values))
        elif isinstance(node, ast.Assert) and node.msg is not None:
            found.update(_strings(node.msg, values))
    return found - {""}


def _name(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def _strings(node: ast.expr, values: dict[str, list[ast.expr]]) -> Iterator[str]:
    """The strings that an expression can stand for; none where that is not written there."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _strings(one, values)
            yield from _strings(other, values)
        case ast.Name(id=name) if name in values:
            others = {key: value for key, value in values.items() if key != name}
            for value in values[name]:
                yield from _strings(value, others)


def _values(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """What is assigned to each name, by =, or by a loop over what is written out."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            _bind(node.targets[0], node.value, found)
        elif isinstance(node, ast.For | ast.comprehension):
            for entry in getattr(node.iter, "elts", ()):
                _bind(node.target, entry, found)
    return found


def _bind(target: ast.expr, value: ast.expr, found: dict[str, list[ast.expr]]) -> None:
    if isinstance(target, ast.Name):
        found.setdefault(target.id, []).append(value)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple | ast.List):
        for part, entry in zip(target.elts, value.elts, strict=False):
            _bind(part, entry, found)


def written() -> set[str]:
    """Every string of the code that may come to be said, whole and word by word."""
    sources = [source for path in LESSONS for source in _code(path)]
    files = [*LIBRARY, *(file for folder in EXERCISES for file in folder.glob("*.py"))]
    sources += [path.read_text(encoding="utf-8") for path in files]
    for folder in EXERCISES:
        sources += [source for path in folder.glob("*.en.ipynb") for source in _code(path)]
    found: set[str] = set()
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value, node.value.split("\n")[0], *node.value.split()}
            elif isinstance(node, ast.keyword | ast.Name | ast.arg):
                found.add(node.arg if not isinstance(node, ast.Name) else node.id)
    return found - {None}


def _code(path: Path) -> list[str]:
    return [cell.source for cell in read(path).cells if cell.cell_type == "code"]
