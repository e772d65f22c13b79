"""Cells that a spreadsheet shows and does not run."""

import csv
import io
import unicodedata
from fractions import Fraction

import pytest

from course_lib.grading.exports.harmless import LONGEST, one_line, visible
from course_lib.grading.exports.points import decimal, is_rounded, number
from course_lib.grading.exports.table import cell, read, written
from tests.grading.exports.made import FORMULAS, HOSTILE


@pytest.mark.parametrize(
    "formula",
    [*FORMULAS, "   =1", "\n=1", "\r\n=1", "\x0b=1", "\u2028=1", "\u3000＝1", "@", "=", "－1"],
)
def test_what_begins_a_formula_is_put_behind_an_apostrophe(formula):
    assert cell(formula).startswith("'")


@pytest.mark.parametrize(
    "text", ["2.33", "홍길동", "a=b", "", "<b>", "'quoted", "1-2", "-", "  two  "]
)
def test_other_text_stays_as_it_is(text):
    assert cell(text) == text


def test_what_is_no_csv_is_refused_with_its_name(tmp_path, refuses):
    path = tmp_path / "canvas.csv"
    path.write_text('Student,ID\n"Kim" x,1\n', encoding="utf-8")
    with refuses("canvas.csv is not CSV: "):
        read(path)


def test_a_row_is_one_line_however_hostile_its_cells_are():
    text = written([HOSTILE, ["end"]])
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert [len(row) for row in rows] == [len(HOSTILE), 1]
    assert text.encode().count(b"\r\n") == 2
    assert text.count("\n") == text.count("\r") == 2


def test_text_is_shown_with_a_sign_for_all_that_acts():
    assert visible("\x1b[31mred\x07\x7f\x9b") == "␛[31mred␇⟨U+007F⟩⟨U+009B⟩"
    assert visible("\u202egnp\u200b\ufeff") == "⟨U+202E⟩gnp⟨U+200B⟩⟨U+FEFF⟩"
    assert visible("a\x00\ud800") == "a␀\ufffd"
    assert visible("one\r\ntwo\u2028three\rfour") == "one\ntwo\nthree\nfour"
    assert visible("가 é 👩‍💻 \u3000 −√") == "가 é 👩‍💻 \u3000 −√"
    assert one_line(" one\n\ttwo ") == "one two"


def test_text_without_end_is_cut_and_says_so():
    assert visible("x" * 10**6) == "x" * LONGEST + " …"
    assert visible("\u202e" * 10**6).count("⟨") == LONGEST


def test_both_forms_of_a_name_become_the_same():
    forms = [unicodedata.normalize(form, "홍길동") for form in ("NFC", "NFD")]
    assert len(set(forms)) == 2
    assert [visible(form) for form in forms] == ["홍길동"] * 2


@pytest.mark.parametrize(
    ("points", "shown"),
    [
        ("7/3", "2.33"),
        ("2/3", "0.67"),
        ("1/8", "0.13"),
        ("5/2", "2.5"),
        ("10", "10"),
        ("0", "0"),
        ("100", "100"),
        ("1/200", "0.01"),
        ("1/201", "0"),
        ("2999/300", "10"),
        ("201/2", "100.5"),
    ],
)
def test_points_are_rounded_once_to_two_places_halves_up(points, shown):
    assert decimal(Fraction(points)) == shown
    assert number(Fraction(points)) == float(shown)


def test_it_is_known_where_a_decimal_is_not_exact():
    assert is_rounded(Fraction(1, 3))
    assert not is_rounded(Fraction(1, 4))


@pytest.mark.parametrize("parts", [6, 7, 9])
def test_a_sum_of_parts_is_exact_before_it_is_rounded(parts):  # I09
    assert decimal(sum([Fraction(4, parts)] * parts, Fraction(0))) == "4"


def test_a_list_is_read_with_its_byte_order_mark_and_either_separator(tmp_path):
    path = tmp_path / "list.csv"
    for separator in ",;":
        text = f"\ufeffStudent{separator}ID\r\n홍길동{separator}7\r\n"
        path.write_text(text, encoding="utf-8", newline="")
        assert read(path) == [["Student", "ID"], ["홍길동", "7"]]


def test_a_list_that_excel_saved_in_korean_is_refused_in_words(tmp_path, refuses):
    path = tmp_path / "list.csv"
    path.write_bytes("이름,ID\n홍길동,7\n".encode("cp949"))
    with refuses("list.csv is not UTF-8, at byte 0"):
        read(path)
