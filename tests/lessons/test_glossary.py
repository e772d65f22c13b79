"""One English and one Korean word for each concept, and every term that a lesson defines."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lessons.reading import PARSER, page
from tools.normal_form import read
from tools.setup_cell import ROOT

GLOSSARY, KOREAN = (page(ROOT / "book" / language / "glossary.md") for language in ("en", "ko"))
LESSONS = sorted(ROOT.glob("lessons/en/*.ipynb"))
# Bold for emphasis, or for a name that one chapter gives to something of its own.
NO_TERMS = {
    "a long key is a popular key",
    "exponentially in the distance",
    "gate started open",
    "say the first one",
    "store",
    "the posterior is the softmax of attention",
}


def rows(markdown: str) -> list[list[str]]:
    """The cells of the rows of the table, without its head."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


ROWS = rows(GLOSSARY)


def names(term: str) -> list[str]:
    """ "recurrent neural network (RNN)" has two names."""
    return [name.casefold() for name in re.split(r" \(|\)", term) if name]


def bold_in_sentences(markdown: str) -> Iterator[str]:
    """What is bold, unless it opens its paragraph, as a run-in or a question does."""
    for token in PARSER.parse(markdown):
        children = [c for c in token.children or [] if c.type != "text" or c.content]
        for place, child in enumerate(children):
            if child.type == "strong_open" and place:
                yield children[place + 1].content


def undefined(markdown: str) -> list[str]:
    """The bold terms of a text that the glossary lacks."""
    known = {name for english, *_ in ROWS for name in names(english)} | NO_TERMS
    bold = [term.casefold() for term in bold_in_sentences(markdown)]
    return [term for term in bold if term not in known and term.removesuffix("s") not in known]


def sources(path: Path) -> list[str]:
    """The Markdown cells of a notebook."""
    return [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]


def test_each_row_has_its_three_columns_filled_and_its_meaning_is_a_sentence():
    assert len(ROWS) >= 70
    for row in ROWS:
        assert len(row) == 3, row
        assert all(row), row
        assert re.fullmatch(r"[A-Z].*[^.]\.", row[2]), row


def test_no_english_and_no_korean_term_occurs_twice():
    english = [name for term, *_ in ROWS for name in names(term)]
    korean = [term for _, term, _ in ROWS]
    assert len(set(english)) == len(english)
    assert len(set(korean)) == len(korean)
    assert all(re.fullmatch("[^(/,]*[가-힣][^(/,]*", term) for term in korean)


def test_the_terms_are_in_alphabetical_order():
    english = [re.sub("[^a-z]", "", term.casefold()) for term, *_ in ROWS]
    assert english == sorted(english)


def test_the_korean_glossary_has_the_same_terms_in_its_own_order():
    korean = rows(KOREAN)
    assert {(english, term) for english, term, _ in ROWS} == {(e, term) for term, e, _ in korean}
    assert all(re.fullmatch(r".*[가-힣].*\.", meaning) for *_, meaning in korean)
    terms = [re.sub("[ -]", "", term) for term, *_ in korean]
    assert terms == sorted(terms)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_each_term_that_a_lesson_defines_is_in_the_glossary(path):
    assert [term for source in sources(path) for term in undefined(source)] == []


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_each_term_that_a_lesson_defines_has_its_english_in_the_korean_one(path):
    korean = path.parents[1] / "ko" / path.name
    brackets = " ".join(re.findall(r"\(([^()]+)", " ".join(sources(korean)))).casefold()
    known = {name for english, *_ in ROWS for name in names(english)}
    terms = {
        term for source in sources(path) for term in map(str.casefold, bold_in_sentences(source))
    }
    terms = {term if term in known else term.removesuffix("s") for term in terms} & known
    assert [term for term in terms - {"lstm", "rnn"} if term not in brackets] == []


def test_a_term_in_a_sentence_is_seen_and_a_run_in_is_not():
    assert undefined("The **query** and all **keys**, the **RNN**.") == []
    assert undefined("- An **unheard-of term** in a list") == ["unheard-of term"]
    assert undefined("**A run-in.** Text.\n\n- **Another.** Text.") == []
