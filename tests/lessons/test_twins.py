"""A Korean cell states what its English twin states: the same numbers, formulas, code and links."""

import re
from collections.abc import Iterator

import pytest

from tests.lessons.prose_numbers import claimed
from tests.lessons.reading import pieces
from tools.normal_form import read
from tools.translations import alt, originals, twin

NOTEBOOKS = [path for path in originals() if path.suffix == ".ipynb"]
LINK = re.compile(r"\]\(([^)\s]+)\)")
# Words in a formula have to be said outside of it in Korean; these stay.
KEPT = r"\\text\{(?!(?:model|ff|in|out)\})"


def lost(english: str, korean: str) -> Iterator[str]:
    """What the English cell says beside its words and the Korean one does not, and new numbers."""
    ours, theirs = _numbers(english), _numbers(korean)
    in_thousands = _numbers(re.sub(r"(\d+)만 (\d)천", r"\1\2 ", korean))  # 12만 3천 is 123 thousand
    yield from (f"the number {number} is lost" for number in sorted(ours - theirs - in_thousands))
    yield from (f"the number {number} is new" for number in sorted(theirs - ours))
    if sorted(LINK.findall(english)) != sorted(LINK.findall(korean)):
        yield "the links differ"
    for kind, content in pieces(english):
        said = {_bare(other) for sort, other in pieces(korean) if sort == kind}
        if kind == "math" and not re.search(KEPT, content) and _bare(content) not in said:
            yield f"the formula {content.strip()} is lost"
        if kind == "code" and "\n" not in content and _bare(content) not in said:
            yield f"the code {content} is lost"


def _numbers(text: str) -> set[str]:
    return {str(number) for number in claimed(text)}


def _bare(content: str) -> str:
    return re.sub(r"\s+", "", content).rstrip(".,")


@pytest.mark.parametrize("original", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_twin_loses_nothing(original):
    korean = {cell.id: cell for cell in read(twin(original)).cells}
    faults = []
    for cell in read(original).cells:
        if cell.cell_type == "markdown":
            texts = cell.source, korean[cell.id].source
        else:
            texts = alt(cell), alt(korean[cell.id])
        faults += [f"cell {cell.id}: {fault}" for fault in lost(*texts)]
    assert faults == []


ENGLISH = "It gets 0.793 of $a + b$, see `softmax` ([A](https://example.org)).\n\n$$ x = 1. $$"


@pytest.mark.parametrize(
    ("korean", "faults"),
    [
        ("`softmax`로 $a+b$의 0.793([A](https://example.org)).\n\n$$x = 1$$", []),
        ("`softmax`로 $a+b$의 0.793([A](https://example.org)).", ["the formula x = 1. is lost"]),
        (
            "`softmax`로 $a-b$의 0.794.\n\n$$x = 1$$",
            [
                "the number 0.793 is lost",
                "the number 0.794 is new",
                "the links differ",
                "the formula a + b is lost",
            ],
        ),
        (
            "소프트맥스로 $a+b$의 0.793([A](https://example.org)).\n\n$$x = 1$$",
            ["the code softmax is lost"],
        ),
    ],
)
def test_what_a_twin_loses_is_seen(korean, faults):
    assert list(lost(ENGLISH, korean)) == faults


def test_words_in_a_formula_and_thousands_may_be_said_in_another_way():
    assert list(lost(r"$\text{if } x$ after 123 thousand", "$x$이면 12만 3천")) == []
    assert list(lost(r"$d_{\text{model}}$", "차원")) == [r"the formula d_{\text{model}} is lost"]
