"""Imports run one way, so that every part can be read without those that build on it."""

import ast
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tools.normal_form import code_cells, read
from tools.setup_cell import ROOT, notebooks

LIBRARY = ROOT / "course_lib"
LOWEST = {"words", "cost", "data", "messages"}
MAY_IMPORT = {
    "__init__": set(),
    "messages": set(),
    "words": {"messages"},
    "cost": set(),
    "data": {"messages"},
    "reference": LOWEST,
    "nn": LOWEST | {"reference"},
    "plot": set(),  # is handed arrays and knows nobody
    "grading": {"messages"},  # stands apart
}
HEAVY = {"torch": {"nn"}, "matplotlib": {"plot"}}
IN_NOTEBOOKS = {"course_lib", "numpy", "torch", "matplotlib", "tqdm"} | sys.stdlib_module_names


def imported(source: str) -> Iterator[str]:
    """The full name of everything that `source` imports, at any depth."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def parts() -> Iterator[tuple[str, str, str]]:
    """Each file of the library, the part that it belongs to, and each name that it imports."""
    for path in sorted(LIBRARY.rglob("*.py")):
        relative = path.relative_to(LIBRARY)
        for name in imported(path.read_text(encoding="utf-8")):
            yield str(relative), relative.parts[0].removesuffix(".py"), name


def test_each_part_imports_only_what_stands_below_it():
    wrong = []
    for file, part, name in parts():
        top, _, rest = name.partition(".")
        inner = rest.split(".")[0]
        if top == "course_lib" and inner not in MAY_IMPORT[part] | {part, ""}:
            wrong.append(f"{file} imports {name}")
        if part not in HEAVY.get(top, {part}):
            wrong.append(f"{file} imports {name}")
    assert wrong == []
    assert {part for _, part, _ in parts()} <= set(MAY_IMPORT)


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_imports_only_what_a_reader_has(path):
    names = {name for cell in code_cells(read(path)) for name in imported(cell.source)}
    assert {name for name in names if name.split(".")[0] not in IN_NOTEBOOKS} == set()
    if "lessons" in path.parts:
        assert not any(name.startswith("course_lib.grading") for name in names)


def test_the_reference_imports_without_torch_and_without_matplotlib():
    program = """
import sys
sys.modules["torch"] = sys.modules["matplotlib"] = None  # importing either raises
import course_lib.reference
from course_lib.reference import scaled_dot_product_attention
assert scaled_dot_product_attention is course_lib.reference.scaled_dot_product_attention
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_reference_loads_neither_torch_nor_matplotlib():
    program = """
import sys
import course_lib.reference
print(sorted({"torch", "matplotlib"} & set(sys.modules)))
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "[]\n"), result.stderr
