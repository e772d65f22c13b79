"""Every Korean text of the course: notebooks, pages, messages, claims."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.lessons.korean_rules import Words
from tests.lessons.reading import page
from tools.normal_form import read
from tools.setup_cell import ROOT
from tools.translations import alt

NOTEBOOKS = sorted([*ROOT.glob("lessons/ko/*.ipynb"), *ROOT.glob("exercises/*/*.ko.ipynb")])
PAGES = sorted(ROOT.glob("book/ko/*.md"))
MESSAGES = sorted(ROOT.glob("course_lib/messages/ko/*.toml"))
CLAIMS = sorted(ROOT.glob("book/claims.ko.toml"))
FILES = [*NOTEBOOKS, *PAGES, *MESSAGES, *CLAIMS]


def words_of(path: Path) -> Iterator[Words]:
    """The Korean texts of a file."""
    match path.suffix, path.parent.parent.name:
        case ".ipynb", _:
            yield from _of_notebook(path)
        case ".md", _:
            yield Words("page", page(path))
        case _, "messages":
            for key, text in tomllib.loads(path.read_text(encoding="utf-8")).items():
                yield Words(repr(key), text, markdown=False)
        case _:
            yield from _of_claims(path)


def _of_notebook(path: Path) -> Iterator[Words]:
    in_exercise = path.name.endswith(".ko.ipynb")
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            yield Words(f"cell {cell.id}", cell.source)
        elif text := alt(cell):
            yield Words(f"the figure of cell {cell.id}", text)
        elif in_exercise and '"""' in cell.source:
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.FunctionDef) and (text := ast.get_docstring(node)):
                    yield Words(f"the docstring of {node.name}", text, markdown=False)


def _of_claims(path: Path) -> Iterator[Words]:
    for key, claim in tomllib.loads(path.read_text(encoding="utf-8")).items():
        for field in ("text", "course"):
            if field in claim:
                yield Words(f"{key}, {field}", claim[field])
        for figure in claim.get("figures", []):
            yield Words(f"{key}, figures", figure, markdown=False)
