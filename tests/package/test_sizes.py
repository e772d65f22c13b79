"""Files and functions stay small enough to hold in the head."""

import ast

import pytest

from tools.setup_cell import ROOT

FILES = sorted([*(ROOT / "course_lib").rglob("*.py"), *(ROOT / "tools").glob("*.py")])
LONGEST_FILE, LONGEST_FUNCTION = 250, 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_and_its_functions_are_short(path):
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= LONGEST_FILE
    lengths = {
        node.name: node.end_lineno - node.lineno + 1
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: n for name, n in lengths.items() if n > LONGEST_FUNCTION} == {}
