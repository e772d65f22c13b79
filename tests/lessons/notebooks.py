"""Small notebooks for the tests of the tools and the rules."""

from collections.abc import Callable, Iterator

import nbformat
from nbformat import NotebookNode

from tests.lessons.markdown_rules import SECTIONS
from tools.setup_cell import CELL_ID, setup_cell


def markdown(cell_id: str, source: str) -> NotebookNode:
    """A Markdown cell."""
    return nbformat.v4.new_markdown_cell(source, id=cell_id)


def code(cell_id: str, source: str, *, tags: tuple[str, ...] = (), alt: str = "") -> NotebookNode:
    """A code cell that has not been run."""
    metadata: dict = {"tags": list(tags)} if tags else {}
    if alt:
        metadata["mystnb"] = {"image": {"alt": alt}}
    return nbformat.v4.new_code_cell(source, id=cell_id, metadata=metadata)


def setup(*, language: str = "en", torch: bool = False) -> NotebookNode:
    """The setup cell."""
    return code(CELL_ID, setup_cell(language, torch=torch), tags=("hide-input",))


def notebook(*cells: NotebookNode) -> NotebookNode:
    """A notebook with these cells."""
    empty = nbformat.v4.new_notebook()
    empty.cells = list(cells)  # not checked, so that a test may hand in a faulty one
    return empty


def lesson(*more: NotebookNode, language: str = "en") -> NotebookNode:
    """A notebook that keeps all rules, with the cells `more` before its sections."""
    opening = {"en": "# A title\n\nWhy?", "ko": "# 제목\n\n왜 그런가?"}[language]
    sections = "\n\n".join(f"## {title}" for title in SECTIONS[language])
    whole = notebook(
        markdown("question", opening),
        setup(language=language),
        *more,
        markdown("sections", sections),
    )
    for count, cell in enumerate(
        (cell for cell in whole.cells if cell.cell_type == "code"), start=1
    ):
        cell.execution_count = count
    return whole


def faults_of(rule: Callable[[NotebookNode], Iterator[str]], source: str) -> list[str]:
    """The faults that `rule` finds in a lesson with one more Markdown cell."""
    return list(rule(lesson(markdown("cell", source))))
