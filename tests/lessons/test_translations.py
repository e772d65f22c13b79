"""The Korean twins lag behind in nothing, and what lags behind is found."""

import nbformat
import pytest

from tests.lessons.notebooks import code, markdown, notebook, setup
from tools.normal_form import read, serialised
from tools.setup_cell import ROOT
from tools.translations import STALE, faults, main, originals, stamp, twin

STUB = 'def f(x):\n    """Return x."""\n    raise NotImplementedError'
KOREAN_STUB = STUB.replace("Return x.", "x를 돌려준다.")


@pytest.mark.parametrize("original", originals(), ids=lambda path: twin(path).name)
def test_everything_has_a_twin_that_is_complete_and_up_to_date(original):
    assert faults(original) == []


def cells(language):
    """A notebook of each kind of cell, in either language."""
    korean = language == "ko"
    alt = "두 직선이 원점에서 만난다." if korean else "Two lines that meet at the origin."
    return [
        markdown("question", "# 제목\n\n왜?" if korean else "# Title\n\nWhy?"),
        setup(language=language),
        code("stub", KOREAN_STUB if korean else STUB),
        code("draw", "plt.show()  # a figure", alt=alt),
        code("print", "print(1)"),
    ]


@pytest.fixture
def twins(tmp_path):
    """An exercise in English, and its Korean twin, stamped."""
    folder = tmp_path / "exercises" / "ex01"
    folder.mkdir(parents=True)
    english, korean = folder / "ex01.en.ipynb", folder / "ex01.ko.ipynb"
    for path, language in ((english, "en"), (korean, "ko")):
        path.write_bytes(serialised(notebook(*cells(language))))
    stamp(korean, tmp_path)
    return english, korean


def change(path, edit):
    """Store the notebook after `edit` has changed its list of cells."""
    whole = read(path)
    edit(whole.cells)
    path.write_text(nbformat.writes(whole), encoding="utf-8")


def replace(place, old, new):
    def edit(cells):
        assert old in cells[place].source
        cells[place].source = cells[place].source.replace(old, new)

    return edit


def test_a_stamped_twin_has_no_faults(twins):
    assert faults(twins[0]) == []
    assert twin(twins[0]) == twins[1]


def test_a_missing_twin_is_named(twins):
    twins[1].unlink()
    assert faults(twins[0]) == ["missing"]


@pytest.mark.parametrize(
    ("edit", "cell"),
    [
        (replace(0, "Why?", "How?"), "question"),
        (replace(2, "Return x.", "Return x again."), "stub"),
        (lambda cells: cells[3].metadata.mystnb.image.update(alt="One line."), "draw"),
    ],
)
def test_a_change_of_the_english_makes_its_korean_stale(twins, edit, cell):
    change(twins[0], edit)
    assert faults(twins[0]) == [f"cell {cell}: {STALE}"]
    stamp(twins[1], twins[1].parents[2])
    assert faults(twins[0]) == []


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (replace(0, "왜?", "어떻게?"), None),
        (replace(2, "x를 돌려준다.", "x."), None),
        (replace(2, "raise NotImplementedError", "return x"), "cell stub: the code differs"),
        (replace(3, "# a figure", "# 그림"), "cell draw: the code differs"),
        (replace(4, "1", "2"), "cell print: the code differs"),
        (replace(1, '"ko"', '"en"'), "cell setup: the code differs"),
        (lambda cells: cells.pop(4), "cell print: missing"),
        (
            lambda cells: cells.append(markdown("more", "더")),
            "cell more: not in the English",
        ),
        (lambda cells: cells.insert(2, cells.pop(4)), "the cells stand in another order"),
        (lambda cells: cells[4].metadata.update(tags=["hide-input"]), "cell print: has the tags"),
        (
            lambda cells: cells[3].metadata.pop("mystnb"),
            "cell draw: one of the two has an alternative text",
        ),
        (lambda cells: cells[0].metadata.pop("translates"), f"cell question: {STALE}"),
        (lambda cells: cells[4].metadata.update(translates="00"), "cell print: carries the hash"),
        (
            lambda cells: cells.__setitem__(4, markdown("print", "print(1)")),
            "cell print: markdown, not code",
        ),
    ],
)
def test_a_twin_that_differs_in_more_than_its_words_is_caught(twins, edit, fault):
    change(twins[1], edit)
    found = faults(twins[0])
    assert len(found) == (fault is not None)
    assert all(text.startswith(fault) for text in found)


@pytest.mark.parametrize("name", ["start.md", "drawing.svg"])
def test_a_page_and_a_drawing_carry_the_hash_of_their_english(tmp_path, name):
    english, korean = tmp_path / "book" / "en" / name, tmp_path / "book" / "ko" / name
    for path, text in ((english, "Text.\n"), (korean, "글.\n")):
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    assert faults(english) == [STALE]
    stamp(korean, tmp_path)
    assert faults(english) == []
    assert korean.read_text(encoding="utf-8").endswith("글.\n")
    english.write_text("Another text.\n", encoding="utf-8")
    assert faults(english) == [STALE]
    stamp(korean, tmp_path)
    assert faults(english) == []
    assert korean.read_text(encoding="utf-8").count("translates") == 1


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("x = 1", "x = 2", [f"A1: {STALE}"]),
        ('text = "One."', 'text = "Two."', [f"A1: {STALE}"]),
        ("[B2]", "[B3]", ["B3: missing", "B2: not in the English"]),
        ('shown = ["a"]', 'shown = ["b"]', []),
    ],
)
def test_a_claim_carries_the_hash_of_its_english(tmp_path, old, new, found):
    english, korean = tmp_path / "book" / "claims.toml", tmp_path / "book" / "claims.ko.toml"
    english.parent.mkdir()
    ledger = '[A1]\ntext = "One."\nfigures = ["x = 1"]\n\n[B2]\ntext = "Two"\nshown = ["a"]\n'
    english.write_text(ledger, encoding="utf-8")
    korean.write_text('[A1]\ntext = "하나."\n\n[B2]\ntext = "둘"\n', encoding="utf-8")
    assert faults(english) == [f"A1: {STALE}", f"B2: {STALE}"]
    stamp(korean, tmp_path)
    stamp(korean, tmp_path)
    assert faults(english) == []
    assert old in ledger
    english.write_text(ledger.replace(old, new), encoding="utf-8")
    assert faults(english) == found


def test_a_file_that_translates_nothing_is_refused():
    with pytest.raises(ValueError, match=r"README\.md is the twin of no English file"):
        stamp(ROOT / "README.md")


def test_the_list_ends_with_how_many_are_complete(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["translations"])
    status = main()
    *lines, last = capsys.readouterr().out.splitlines()
    assert last.endswith(f"of {len(originals())} twins are complete and up to date")
    assert bool(lines) == bool(status)
    assert len(lines) == sum(len(faults(original)) for original in originals())
