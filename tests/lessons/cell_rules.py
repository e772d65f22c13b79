"""Rules for the cells of a lesson: ids, tags, stored outputs, and code that runs anywhere.

Each rule takes a notebook and yields its faults, each with the id of the cell.
"""

import re
from collections import Counter
from collections.abc import Iterator

from nbformat import NotebookNode

from tests.lessons.prose_numbers import numbers, significant_digits
from tools import figures
from tools.normal_form import code_cells, printed, tags

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MADE_UP = re.compile(r"(?=.*\d)[0-9a-f]{8}")
MOST_CODE_CELLS = 28
SHORTEST_ALT = 40
MOST_DIGITS_OF_TRAINING = 3
TRAINS = re.compile(r"\btrain\(|\.backward\(")
FILE_NAME = re.compile(r"\S+\.(png|svg|jpe?g|gif)\s*", re.IGNORECASE)
TAGS = {"hide-input", "hide-cell", "measured", "nbval-ignore-output", "trained"}
NOT_EVERYWHERE = {
    "a shell command": re.compile(r"^\s*!", re.MULTILINE),
    "a magic command": re.compile(r"^\s*%", re.MULTILINE),
    "pip": re.compile(r"\bpip3?\s+install\b"),
    "a killed kernel": re.compile(r"\bos\.(kill|_exit|abort)\b|\bdo_shutdown\b|\b(exit|quit)\("),
    "a relative path": re.compile(r"[\"'](\.{1,2}/|\.\.[\"'])"),
    "a change of folder": re.compile(r"\bos\.chdir\b"),
    "float64 before .cpu(), which Apple's GPUs lack": re.compile(
        r"(\.double\(\)|float64\))\.cpu\(\)"
    ),
    "a comment to nbval": re.compile(r"#\s*(NBVAL_|PYTEST_VALIDATE)"),
}
MACHINE = {
    "an absolute path": re.compile(
        r"(?<![\w.:/])/(home|root|Users|work|usr|tmp|var|opt|content|mnt|private)/|\b[A-Z]:\\\w"
    ),
    "an address in memory": re.compile(r"\b0x[0-9a-f]{6,}\b"),
}


def ids_are_slugs(notebook: NotebookNode) -> Iterator[str]:
    """Twins pair by the id and reviews name it, so it says what the cell is for."""
    for cell_id, count in Counter(cell.id for cell in notebook.cells).items():
        if not SLUG.fullmatch(cell_id) or MADE_UP.fullmatch(cell_id):
            yield f"cell {cell_id}: an id is words-in-kebab-case"
        if count > 1:
            yield f"cell {cell_id}: {count} cells have this id"


def is_short_enough(notebook: NotebookNode) -> Iterator[str]:
    """A chapter is read in a quarter to half an hour."""
    if (count := len(code_cells(notebook))) > MOST_CODE_CELLS:
        yield f"{count} code cells, more than {MOST_CODE_CELLS}"


def tags_are_known(notebook: NotebookNode) -> Iterator[str]:
    """No tag that makes nbval look away, but for measured times."""
    for cell in notebook.cells:
        if unknown := set(tags(cell)) - TAGS:
            yield f"cell {cell.id}: unknown tags {sorted(unknown)}"
        if ("measured" in tags(cell)) != ("nbval-ignore-output" in tags(cell)):
            yield f"cell {cell.id}: measured and nbval-ignore-output go together"


def figures_have_alternative_text(notebook: NotebookNode) -> Iterator[str]:
    """Each figure says in words what is to be seen, and each in its own."""
    seen: dict[str, str] = {}
    for cell in code_cells(notebook):
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
        count = len(figures.images(cell.outputs))
        if count > 1:
            yield f"cell {cell.id}: {count} figures in one cell"
        if bool(alt) != bool(count):
            yield f"cell {cell.id}: {count} figures, alternative text {alt!r}"
        elif alt and (len(alt) < SHORTEST_ALT or FILE_NAME.fullmatch(alt)):
            yield f"cell {cell.id}: says too little of the figure: {alt!r}"
        if alt and seen.setdefault(alt, cell.id) != cell.id:
            yield f"cell {cell.id}: repeats the alternative text of {seen[alt]}"


def code_runs_anywhere(notebook: NotebookNode) -> Iterator[str]:
    """In an empty folder, on Colab, on Windows, and run twice. The setup cell has its own tests."""
    for cell in code_cells(notebook):
        if cell.id != "setup":
            for what, pattern in (NOT_EVERYWHERE | MACHINE).items():
                if match := pattern.search(cell.source):
                    yield f"cell {cell.id}: {what}: {match[0].strip()!r}"


def outputs_name_no_machine(notebook: NotebookNode) -> Iterator[str]:
    """What is printed is the same on every machine."""
    for cell in code_cells(notebook):
        for output in cell.outputs:
            text = output.get("text", "") + output.get("data", {}).get("text/plain", "")
            for what, pattern in MACHINE.items():
                if match := pattern.search(text):
                    yield f"cell {cell.id}: printed {what}: {match[0]!r}"
            if output.output_type == "error" or output.get("name") == "stderr":
                yield f"cell {cell.id}: stores {output.get('ename', 'what went to stderr')}"


def training_prints_few_digits(notebook: NotebookNode) -> Iterator[str]:
    """A trained number differs from machine to machine in all but its first digits."""
    for cell in code_cells(notebook):
        if "trained" in tags(cell) or TRAINS.search(cell.source):
            for number in numbers(printed(cell)):
                digits = significant_digits(number)
                if "." in number.digits and digits > MOST_DIGITS_OF_TRAINING:
                    yield f"cell {cell.id}: {digits} digits of a trained number: {number}"


def was_run_from_top_to_bottom(notebook: NotebookNode) -> Iterator[str]:
    """Execution counts are 1, 2, … N."""
    for count, cell in enumerate(code_cells(notebook), start=1):
        if cell.execution_count != count:
            yield f"cell {cell.id}: execution count {cell.execution_count}, not {count}"


RULES = (
    ids_are_slugs,
    is_short_enough,
    tags_are_known,
    figures_have_alternative_text,
    code_runs_anywhere,
    outputs_name_no_machine,
    training_prints_few_digits,
    was_run_from_top_to_bottom,
)
