"""The ledger of claims as data: what it says, where the chapters show it, which tests prove it."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

HEADING = re.compile(r"^#{1,3} +(.+?)\s*$", re.MULTILINE)
FENCED = re.compile(r"^(`{3,}).*?^\1\s*?$", re.DOTALL | re.MULTILINE)


class Claim(NamedTuple):
    """An entry of book/claims.toml, where the fields are described."""

    text: str
    shown: Sequence[str] = ()
    figures: Sequence[str] = ()
    course: str = ""


class Cell(NamedTuple):
    """A code cell of a chapter: the heading that it stands under, and what it printed."""

    heading: str
    printed: str


class Proof(NamedTuple):
    """A test function, by its file, relative to the root, and its name."""

    path: str
    name: str


def read(root: Path, language: str = "en") -> dict[str, Claim]:
    """The claims by their ids, in the ledger's order, in the words of `language`."""
    entries = _toml(root / "book" / "claims.toml")
    said = _toml(root / "book" / "claims.ko.toml") if language == "ko" else {}
    for key, words in said.items():
        del words["translates"]
        entries[key] |= words
    return {key: Claim(**entry) for key, entry in entries.items()}


def _toml(path: Path) -> dict[str, dict]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache  # a build asks for each again and again
def cells(notebook: Path) -> dict[str, Cell]:
    """The code cells of a notebook by their ids."""
    found, heading = {}, ""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            found[cell["id"]] = Cell(heading, "\n".join(_printed(cell["outputs"])))
        elif headings := HEADING.findall(FENCED.sub("", source)):
            heading = headings[-1]
    return found


def _printed(outputs: list[dict]) -> Iterator[str]:
    for output in outputs:
        if output["output_type"] == "stream":
            yield "".join(output["text"])
        elif output["output_type"] == "execute_result":
            yield "".join(output["data"].get("text/plain", ""))


@cache
def tests(root: Path) -> dict[str, list[Proof]]:
    """The tests below tests/ that are marked with each id, in the order of their files."""
    found: dict[str, list[Proof]] = {}
    for path in sorted((root / "tests").rglob("*.py")):
        for ids, name in marked(path.read_text(encoding="utf-8")):
            for key in ids:
                found.setdefault(key, []).append(Proof(path.relative_to(root).as_posix(), name))
    return found


def marked(source: str) -> Iterator[tuple[list[str], str]]:
    """Each test function of a module that bears marks of claims: their ids, and its name."""
    body = ast.parse(source).body
    assigned = [node for node in body if isinstance(node, ast.Assign)]
    of_module = [
        key
        for node in assigned
        if ast.unparse(node.targets[0]) == "pytestmark"
        for mark in (node.value.elts if isinstance(node.value, ast.List) else [node.value])
        for key in _ids(mark)
    ]
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            ids = of_module + [key for mark in node.decorator_list for key in _ids(mark)]
            if ids:
                yield ids, node.name


def _ids(mark: ast.expr) -> list[str]:
    """The ids in pytest.mark.claim("A1", "B2"); none for another expression."""
    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.claim":
        return [ast.literal_eval(argument) for argument in mark.args]
    return []
