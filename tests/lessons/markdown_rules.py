"""Rules for the Markdown of a lesson: it must look alike in Colab, Jupyter, GitHub and on the site.

Each rule takes a notebook and yields its faults, each with the id of the cell.
"""

import re
from collections.abc import Iterator

from nbformat import NotebookNode

from tests.lessons.reading import headings, pieces

SECTIONS = {
    "en": (
        "The answer in two sentences",
        "By hand",
        "In general",
        "In PyTorch",
        "Measured",
        "Where this stops being true",
        "Questions that readers ask",
        "Exercise",
        "What to remember",
        "Sources",
    ),
    "ko": (
        "두 문장으로 답하기",
        "손으로 계산하기",
        "일반화하기",
        "PyTorch로 하기",
        "재어 보기",
        "성립하지 않는 경우",
        "자주 묻는 질문",
        "연습 문제",
        "기억할 것",
        "출처",
    ),
}
NOT_COMMONMARK = {
    "a MyST role": re.compile(r"\{[a-z][\w:.-]*\}`"),
    "a MyST directive": re.compile(r"^\s*(`{3,}|~{3,}|:{3,})\s*\{", re.MULTILINE),
    "a colon fence": re.compile(r"^\s*:::", re.MULTILINE),
    "a MyST target": re.compile(r"^\([\w-]+\)=\s*$", re.MULTILINE),
    "a footnote": re.compile(r"\[\^[^\]\s]+\]"),
    "strikethrough": re.compile(r"~~\w"),
}
NOT_ON_GITHUB = re.compile(r"\\(operatorname|mbox|[hv]?phantom|(re)?newcommand|def)(?![a-zA-Z])")
CODE = re.compile(r"^(`{3,}).*?^\1\s*?$|(?<!`)(`+)(?!`).*?(?<!`)\2(?!`)", re.DOTALL | re.MULTILINE)
DISPLAY = re.compile(r"\$\$.+?\$\$", re.DOTALL)
IMAGE_TAG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
ALT = re.compile(r"\balt\s*=\s*([\"'])\s*\S.*?\1", re.DOTALL)
HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")


def opens_with_a_title_and_a_question(notebook: NotebookNode) -> Iterator[str]:
    """The first cell has the title, in plain words, and the question; the setup cell follows."""
    first, second = notebook.cells[:2]
    if not (match := re.match(r"# (.+)\n", first.source)):
        yield f"cell {first.id}: does not begin with '# ' and a title"
    elif "$" in match[1] or re.match(r"[\d.\s]+", match[1]):
        yield f"cell {first.id}: a title has neither mathematics nor a number: {match[1]}"
    if "?" not in first.source:
        yield f"cell {first.id}: asks no question"
    if second.id != "setup" or second.cell_type != "code":
        yield f"cell {second.id}: stands where the setup cell belongs"


def has_the_sections_in_order(notebook: NotebookNode) -> Iterator[str]:
    """One title, then the sections of every chapter, worded alike."""
    found = [item for cell in _markdown(notebook) for item in headings(cell.source)]
    if len(titles := [text for level, text in found if level == 1]) != 1:
        yield f"there are {len(titles)} titles, not 1: {titles}"
    expected = SECTIONS[language(notebook)]
    if (sections := tuple(text for level, text in found if level == 2)) != expected:
        yield f"the sections are {sections}, not {expected}"


def headings_hold_no_mathematics(notebook: NotebookNode) -> Iterator[str]:
    """Sidebars and link texts show the TeX of a heading as it is written."""
    for cell in _markdown(notebook):
        for _, text in headings(cell.source):
            if "$" in text:
                yield f"cell {cell.id}: mathematics in the heading {text!r}"


def is_commonmark(notebook: NotebookNode) -> Iterator[str]:
    """Nothing that only MyST understands."""
    for cell in _markdown(notebook):
        for what, pattern in NOT_COMMONMARK.items():
            if match := pattern.search(cell.source):
                yield f"cell {cell.id}: {what}: {match[0].strip()!r}"


def dollars_enclose_mathematics(notebook: NotebookNode) -> Iterator[str]:
    """Every renderer must agree on where mathematics begins and ends."""
    for cell in _markdown(notebook):
        text = DISPLAY.sub(" ", CODE.sub(" ", cell.source)).replace(r"\$", " ")
        for paragraph in re.split(r"\n\s*\n", text):
            outside_and_inside = paragraph.split("$")
            if len(outside_and_inside) % 2 == 0:
                yield f"cell {cell.id}: a dollar sign without its partner in {paragraph!r}"
                continue
            for formula, after in zip(
                outside_and_inside[1::2], outside_and_inside[2::2], strict=True
            ):
                if formula != formula.strip() or not formula:
                    yield f"cell {cell.id}: a space beside the dollar sign of ${formula}$"
                if re.match(r"\d", after):
                    yield f"cell {cell.id}: a digit after ${formula}$ keeps it from closing"


def bold_closes(notebook: NotebookNode) -> Iterator[str]:
    """CommonMark leaves asterisks on the page in **d(x)**about: use <strong> there."""
    for cell in _markdown(notebook):
        for kind, content in pieces(cell.source):
            if kind == "text" and "**" in content:
                yield f"cell {cell.id}: asterisks stay on the page in {content.strip()!r}"


def mathematics_holds_no_hangul(notebook: NotebookNode) -> Iterator[str]:
    """MathJax has no measures for Hangul."""
    for cell in _markdown(notebook):
        for kind, content in pieces(cell.source):
            if kind == "math" and HANGUL.search(content):
                yield f"cell {cell.id}: Hangul in the formula {content!r}"


def mathematics_uses_macros_that_github_allows(notebook: NotebookNode) -> Iterator[str]:
    """GitHub shows an error in place of a formula with any other: \\mathrm serves for a name."""
    for cell in _markdown(notebook):
        for kind, content in pieces(cell.source):
            if kind == "math" and (match := NOT_ON_GITHUB.search(content)):
                yield f"cell {cell.id}: GitHub forbids {match[0]} in the formula {content!r}"


def pictures_have_alternative_text(notebook: NotebookNode) -> Iterator[str]:
    """Those in Markdown; for figures see cell_rules.py."""
    for cell in _markdown(notebook):
        for tag in IMAGE_TAG.findall(cell.source):
            if not ALT.search(tag):
                yield f"cell {cell.id}: no alternative text in {tag}"
        if "![](" in cell.source:
            yield f"cell {cell.id}: a picture without alternative text"


def language(notebook: NotebookNode) -> str:
    """The language that the notebook's setup cell sets."""
    return "ko" if notebook.cells[1].source.startswith('LANGUAGE = "ko"') else "en"


def _markdown(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


RULES = (
    opens_with_a_title_and_a_question,
    has_the_sections_in_order,
    headings_hold_no_mathematics,
    is_commonmark,
    dollars_enclose_mathematics,
    bold_closes,
    mathematics_holds_no_hangul,
    mathematics_uses_macros_that_github_allows,
    pictures_have_alternative_text,
)
