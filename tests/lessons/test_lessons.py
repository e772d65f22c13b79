"""Every lesson keeps every rule. nbval and second_look.py run the lessons; here they are read."""

import pytest

from tests.lessons import cell_rules, markdown_rules
from tests.lessons.notebooks import markdown, notebook
from tests.lessons.prose_numbers import claimed, ledger, printed_numbers, unprinted
from tests.lessons.reading import page
from tools.normal_form import normalise, read, serialised
from tools.setup_cell import CELL_ID, ROOT, notebooks, setup_cell_of

LESSONS = sorted(ROOT.glob("lessons/*/*.ipynb"))
EXERCISES = sorted(ROOT.glob("exercises/*/*.ipynb"))
PAGES = sorted(ROOT.glob("book/*/*.md"))
LEDGER = ledger(ROOT / "book" / "claims.toml")

each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def test_there_are_lessons_and_pages():
    assert LESSONS
    assert EXERCISES
    assert PAGES


@pytest.mark.parametrize(
    "rule", [*markdown_rules.RULES, *cell_rules.RULES], ids=lambda rule: rule.__name__
)
@each_lesson
def test_a_lesson(path, rule):
    assert list(rule(read(path))) == []


# A lesson has all rules; these hold wherever there is Markdown.
EVERYWHERE = (
    markdown_rules.headings_hold_no_mathematics,
    markdown_rules.dollars_enclose_mathematics,
    markdown_rules.bold_closes,
    markdown_rules.mathematics_holds_no_hangul,
)


@pytest.mark.parametrize("rule", EVERYWHERE, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", [*PAGES, *EXERCISES], ids=lambda path: path.name)
def test_a_page_or_an_exercise(path, rule):  # H19, H21, H22, H23, H24
    in_notebook = path.suffix == ".ipynb"
    whole = read(path) if in_notebook else notebook(markdown("page", page(path)))
    assert list(rule(whole)) == []


@each_lesson
def test_a_lesson_is_stored_in_normal_form(path):
    notebook = read(path)
    normalise(notebook)
    assert serialised(notebook) == path.read_bytes(), f"make lessons stores {path.name} so"


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_the_setup_cell_is_the_one_that_tools_setup_cell_writes(path):
    notebook = read(path)
    assert notebook.cells[1].id == CELL_ID
    assert notebook.cells[1].source == setup_cell_of(path, notebook), "make configure writes it"


@each_lesson
def test_numbers_in_the_prose_of_a_lesson_were_printed(path):
    assert unprinted(read(path), elsewhere=LEDGER) == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_numbers_on_a_page_were_printed_by_a_lesson(path):
    printed = LEDGER.union(*(printed_numbers(read(lesson)) for lesson in LESSONS))
    numbers = [str(number) for number in claimed(page(path))]
    assert [number for number in numbers if number not in printed] == []
