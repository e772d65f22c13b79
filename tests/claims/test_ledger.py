"""The ledger is complete: each claim has a place in a chapter, its figures there, and a test."""

import ast
import re
from collections.abc import Iterator
from textwrap import dedent

import pytest
from course_site import ledger
from course_site.ledger import Cell, Claim, Proof

from tests.lessons.prose_numbers import claimed
from tools.setup_cell import ROOT

IDS = [f"{kind}{n}" for kind, last in (("A", 24), ("B", 25), ("E", 12)) for n in range(1, last + 1)]
CLAIMS = ledger.read(ROOT)
TESTS = ledger.tests(ROOT)
LESSONS = {path.stem: ledger.cells(path) for path in ROOT.glob("lessons/en/*.ipynb")}

# A vector is looked for as a whole.
NUMBER = re.compile(r"\(-?\d[\d., -]*\)|(?<![\w.])-?\d+(?:\.\d+)?")
# Numbers that a document prints and no chapter does.
QUOTED = {"E2": {"0.828"}}


def wrong_ids(claims: dict[str, Claim]) -> Iterator[str]:
    if list(claims) != IDS:
        yield f"the ids are {list(claims)}, not {IDS}"
    for key, claim in claims.items():
        if (key[0] == "E") != bool(claim.course):
            yield f"{key}: an erratum says what the course does, and a claim does not"


def unproved(claims: dict[str, Claim], tests: dict[str, list[Proof]]) -> Iterator[str]:
    yield from (f"{key}: no test" for key in claims if not tests.get(key))
    for key in tests.keys() - claims.keys():
        yield f"{key}: marks {tests[key]} and is not in the ledger"


def misplaced(claims: dict[str, Claim], lessons: dict[str, dict[str, Cell]]) -> Iterator[str]:
    for key, claim in claims.items():
        if not claim.shown or len(set(claim.shown)) < len(claim.shown):
            yield f"{key}: no chapter, or one cell twice: {claim.shown}"
        for shown in claim.shown:
            chapter, _, cell = shown.partition("/")
            if cell not in lessons.get(chapter, {}):
                yield f"{key}: there is no code cell {shown}"


def unprinted(claims: dict[str, Claim], lessons: dict[str, dict[str, Cell]]) -> Iterator[str]:
    """Numbers of figures, and long numbers of sentences, that no cell named beside them prints."""
    for key, claim in claims.items():
        places = [shown.partition("/") for shown in claim.shown]
        printed = _plain("\n".join(lessons[chapter][cell].printed for chapter, _, cell in places))
        numbers = NUMBER.findall(_plain(" ".join(claim.figures)))
        numbers += [str(number) for number in claimed(f"{claim.text} {claim.course}")]
        for number in numbers:
            if number not in QUOTED.get(key, ()) and not _occurs(number, printed):
                yield f"{key}: {number} is not printed by {', '.join(claim.shown)}"


def _plain(text: str) -> str:
    return text.replace("−", "-")


def _occurs(number: str, printed: str) -> bool:
    return bool(re.search(rf"(?<![\w.-]){re.escape(number)}(?!\.?\d)", printed))


def test_the_ledger_has_all_ids_in_order_and_an_answer_to_each_erratum():
    assert list(wrong_ids(CLAIMS)) == []


def test_each_claim_has_a_test_and_each_mark_a_claim():
    assert list(unproved(CLAIMS, TESTS)) == []


def test_each_claim_is_shown_by_a_code_cell_that_exists():
    assert list(misplaced(CLAIMS, LESSONS)) == []


def test_each_figure_is_printed_by_a_cell_that_shows_the_claim():
    assert list(unprinted(CLAIMS, LESSONS)) == []


def test_the_korean_ledger_makes_the_same_claims_with_the_same_numbers():
    korean = ledger.read(ROOT, "ko")
    assert list(wrong_ids(korean)) == []
    assert list(unprinted(korean, LESSONS)) == []
    for key, claim in CLAIMS.items():
        assert numbers_of(korean[key]) == numbers_of(claim), key
        assert korean[key].shown == claim.shown
        assert korean[key].text != claim.text, key


def numbers_of(claim: Claim) -> list[list[str]]:
    """The numbers of a claim's figures, and the long ones of its sentences, sorted."""
    in_figures = NUMBER.findall(_plain(" ".join(claim.figures)))
    return [sorted(in_figures), sorted(map(str, claimed(f"{claim.text} {claim.course}")))]


def test_no_mark_is_overlooked():
    for path in sorted((ROOT / "tests").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        found = {key for ids, _ in ledger.marked(source) for key in ids}
        assert set(_every_mark(source)) == found, f"a mark in {path.name} marks no test function"


def _every_mark(source: str) -> Iterator[str]:
    """The ids in every call of pytest.mark.claim, wherever it stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.claim"):
            yield from (ast.literal_eval(argument) for argument in node.args)


# ---- What the rules see, each by a small ledger that breaks it ----

LESSON = {
    "01_words": {"map": Cell("By hand", "cos 0.949 and -0.318 (1.72, 0.40)"), "draw": Cell("", "")}
}
GOOD = Claim("A cosine of 0.949.", ["01_words/map"], ["cos 0.949", "−0.318, (1.72, 0.40)"])


def test_a_claim_left_out_or_an_unknown_one_is_seen():
    assert len(list(wrong_ids({key: CLAIMS[key] for key in IDS if key != "B7"}))) == 1
    assert len(list(wrong_ids(CLAIMS | {"A25": CLAIMS["A1"]}))) == 1
    assert len(list(wrong_ids(CLAIMS | {"E3": CLAIMS["E3"]._replace(course="")}))) == 1


def test_a_claim_without_a_test_and_a_mark_without_a_claim_are_seen():
    proof = [Proof("tests/test_words.py", "test_it")]
    assert list(unproved({"A1": GOOD}, {"A1": proof})) == []
    assert len(list(unproved({"A1": GOOD}, {}))) == 1
    assert len(list(unproved({"A1": GOOD}, {"A1": proof, "A25": proof}))) == 1


@pytest.mark.parametrize(
    "shown", [[], ["01_words/mop"], ["02_words/map"], ["01_words"], 2 * ["01_words/map"]]
)
def test_a_claim_without_a_cell_is_seen(shown):
    assert list(misplaced({"A1": GOOD}, LESSON)) == []
    assert len(list(misplaced({"A1": GOOD._replace(shown=shown)}, LESSON))) == 1


@pytest.mark.parametrize(
    "wrong", ["0.948", "0.94", "0.9490", "-0.949", "0.318", "49", "−0.31", "q = 3", "(0.40, 1.72)"]
)
def test_a_figure_with_another_digit_or_sign_is_seen(wrong):
    assert list(unprinted({"A1": GOOD}, LESSON)) == []
    assert len(list(unprinted({"A1": GOOD._replace(figures=[wrong])}, LESSON))) == 1


def test_a_figure_printed_elsewhere_and_a_number_in_the_sentence_are_seen():
    assert len(list(unprinted({"A1": GOOD._replace(shown=["01_words/draw"])}, LESSON))) == 4
    assert len(list(unprinted({"A1": GOOD._replace(text="A cosine of 0.948.")}, LESSON))) == 1


def test_marks_are_found_on_functions_and_on_modules():
    source = """
        pytestmark = [pytest.mark.browser, pytest.mark.claim("A1")]

        @pytest.mark.claim("B2", "E3")
        @pytest.mark.parametrize("x", [1])
        def test_one(x): ...

        def test_two(): ...

        def helper(): ...
    """
    assert list(ledger.marked(dedent(source))) == [
        (["A1", "B2", "E3"], "test_one"),
        (["A1"], "test_two"),
    ]
