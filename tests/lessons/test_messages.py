"""Every catalogue is complete, and holds nothing that nobody says."""

import re
import string
import tomllib
from functools import partial

import pytest

from course_lib.messages import speaker
from tests.lessons import sentences
from tools.setup_cell import ROOT

FOLDER = ROOT / "course_lib" / "messages" / "ko"
CATALOGUES = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted(FOLDER.glob("*.toml"))
}
KNOWN = {key for entries in CATALOGUES.values() for key in entries}
SAID = {
    **{path.stem: partial(sentences.of_lesson, path) for path in sentences.LESSONS},
    **{folder.name: partial(sentences.of_exercise, folder) for folder in sentences.EXERCISES},
    "grading": sentences.of_grading,
}
WRITTEN = sentences.written()


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_has_korean(name):
    assert SAID[name]() - KNOWN == set()


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_catalogue_holds_only_what_is_said(name):
    assert [key for key in CATALOGUES[name] if key not in WRITTEN] == []


def test_no_two_catalogues_hold_one_text():
    keys = [key for entries in CATALOGUES.values() for key in entries]
    assert sorted(key for key in KNOWN if keys.count(key) > 1) == []


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_translation_names_the_values_of_its_text(name):
    for key, korean in CATALOGUES[name].items():
        assert placeholders(key) == placeholders(korean), key


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_translation_is_korean(name):
    same = [key for key, korean in CATALOGUES[name].items() if key == korean]
    assert [key for key in same if re.search(r"\b[a-z]{3,}\b", key)] == []


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('print(say("a cat {n}", n=say("one")))', {"a cat {n}", "one"}),
        ('say("a" if x else "b")', {"a", "b"}),
        ('text = "first " "second"\nsay(text)', {"first second"}),
        ('for name, n in (("a", 1), ("b", 2)):\n    say(name)', {"a", "b"}),
        ('for name in ("a", "b"):\n    say(name)', {"a", "b"}),
        ('x = {say(n): v for n, v in [("a", 1)]}', {"a"}),
        ("say(names[0])", set()),
        ('raise CheckFailed("`f` is missing", x=1)', {"`f` is missing"}),
        ('raise failures.CheckFailed("a")', {"a"}),
        ('Text("Result {n}", n=1)', {"Result {n}"}),
        ('assert x == 1, "it is one"', {"it is one"}),
        ("text = text\nsay(text)", set()),
        ('print("not said")', set()),
    ],
)
def test_what_code_says_is_found(source, texts):
    assert sentences.said(source) == texts


def test_what_checks_and_misconceptions_say_is_found(tmp_path):
    folder = tmp_path / "ex99"
    folder.mkdir()
    (folder / "checks.py").write_text(
        'def test_one(student):\n    """Title.\n\n    More."""\n    raise CheckFailed("Failed.")\n'
        'def helper():\n    """Not a title."""\n'
    )
    (folder / "misconceptions.py").write_text(
        '@misconception("f", says="This " "looks")\ndef f(): ...\n'
    )
    assert sentences.of_exercise(folder) == {"Title.", "Failed.", "This looks"}


def test_the_sentences_of_the_grader_are_found():
    assert {
        "`{name}` is not written yet.",
        "The values differ.",
        "{earned} of {worth} points",
        "Task",
        "Check",
        "Points",
        "got",
        "expected",
    } <= sentences.of_grading()


def placeholders(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize(
    ("field", "filled"),
    [
        ("8", "고양이  "),
        (">8", "  고양이"),
        ("*^8", "*고양이*"),
        ("<8s", "고양이  "),
        ("2", "고양이"),
        ("", "고양이"),
        (".2", "고양"),
    ],
)
def test_what_is_said_fills_a_field_by_the_columns_that_it_takes(field, filled):
    assert format(speaker("ko")("cat"), field) == filled


def test_what_is_said_in_english_fills_a_field_as_any_text():
    for field in ("8", ">8", "*^8", "2", ".2"):
        assert format(speaker("en")("cat"), field) == format("cat", field)
