"""gradebook.csv: blanks, exact points, several exercises, hostile names."""

import csv
import io
from dataclasses import replace

import pytest

from course_lib.grading.exports import gradebook
from course_lib.grading.exports.lines import lines_of
from course_lib.grading.record import Entry
from tests.grading.exports.made import (
    HOSTILE,
    blank,
    check,
    half_right,
    question,
    record,
    results,
    sha,
)


def rows(made, exercise=None):
    text = gradebook.text(lines_of(made, exercise))
    assert text.startswith("\ufeff")  # so that Excel shows 홍길동
    return list(csv.DictReader(io.StringIO(text[1:], newline="")))


def test_the_columns_say_who_what_and_how_it_was_graded(tmp_path):
    (row,) = rows(results(tmp_path, ("홍길동", record())))
    assert row == {
        "student": "홍길동",
        "exercise": "ex04_scaling",
        "status": "graded",
        "points": "1",
        "out_of": "1",
        "softmax": "1",
        "note": "",
        "file": "홍길동.ipynb",
        "sha256": sha("a"),
        "isolation": "bubblewrap",
    }


def test_what_could_not_be_graded_is_blank_and_says_why(tmp_path):
    made = results(
        tmp_path,
        ("a", record()),
        ("b", blank("b", "unreadable", reason="it is empty")),
        ("c", blank("c", "infra_error", reason="no sandbox")),
    )
    _, *others = rows(made)
    assert [(r["points"], r["softmax"], r["out_of"]) for r in others] == [("", "", "1")] * 2
    assert [r["status"] for r in others] == ["unreadable", "infra_error"]
    assert [r["note"] for r in others] == ["it is empty", "no sandbox"]


def test_what_could_not_be_graded_is_out_of_as_much_as_the_others(tmp_path):
    seven = record(questions=[question(checks=[check(worth="7")])])
    made = results(tmp_path, ("a", seven), ("b", blank("b", "unreadable")))
    assert [row["out_of"] for row in rows(made)] == ["7", "7"]


def test_a_question_that_could_not_be_graded_makes_its_sum_blank_too(tmp_path):
    broken = question("attention", [check()], "infra_error")
    (row,) = rows(results(tmp_path, ("a", record(questions=[question(), broken]))))
    assert (row["points"], row["attention"]) == ("", "")
    assert row["note"] == "a question could not be graded"


def test_a_record_that_is_lost_or_damaged_is_blank(tmp_path):
    made = results(tmp_path, ("a", record("a")), ("b", record("b")))
    made.record_path("ex04_scaling", sha("a")).unlink()
    made.record_path("ex04_scaling", sha("b")).write_text("{")
    assert [(r["status"], r["points"]) for r in rows(made)] == [("infra_error", "")] * 2


@pytest.mark.parametrize("points", ["ten", "1/0"])
def test_a_record_whose_points_are_no_number_is_blank(tmp_path, points):
    made = results(tmp_path, ("a", record("a")), ("b", replace(record("b"), points=points)))
    assert [(r["status"], r["points"]) for r in rows(made)] == [
        ("graded", "1"),
        ("infra_error", ""),
    ]


def test_nothing_handed_in_is_zero_with_its_status(tmp_path):  # I43
    *_, row = rows(results(tmp_path, ("a", half_right()), missing=["b"]))
    assert (row["student"], row["status"], row["sha256"]) == ("b", "missing", "")
    assert (row["points"], row["out_of"], row["softmax"]) == ("0", "4", "0")


def test_a_stopped_submission_keeps_its_points(tmp_path):
    (row,) = rows(results(tmp_path, ("a", record(status="timeout"))))
    assert (row["status"], row["points"]) == ("timeout", "1")


def test_thirds_are_rounded_and_the_exact_sum_is_noted(tmp_path):  # I09, I10
    (row,) = rows(results(tmp_path, ("a", half_right())))
    assert (row["points"], row["out_of"], row["softmax"]) == ("2.33", "4", "2.33")
    assert row["note"] == "exactly 2 1/3 points"


def test_checks_that_were_not_run_are_noted(tmp_path):
    (row,) = rows(results(tmp_path, ("a", half_right("not run"))))
    assert "checks for 1 points were not run" in row["note"]


def test_several_exercises_keep_their_questions_apart(tmp_path):
    other = record("b", [question(checks=[check(worth="3")])], "ex05_multi_head")
    one, two = rows(results(tmp_path, ("a", record("a")), ("b", other)))
    assert (one["ex04 softmax"], one["ex05 softmax"]) == ("1", "")
    assert (two["ex04 softmax"], two["ex05 softmax"]) == ("", "3")
    (only,) = rows(results(tmp_path, ("a", record("a")), ("b", other)), "ex05")
    assert only["softmax"] == "3"


def test_an_exercise_that_was_not_graded_is_refused_with_those_that_were(tmp_path, refuses):
    with refuses("holds no results of ex09; it holds ex04_scaling"):
        lines_of(results(tmp_path, ("a", record())), "ex09")


def test_hostile_names_stay_in_their_cells_and_run_nowhere(tmp_path):  # I14
    made = results(tmp_path)
    entries = [Entry(text, text, "ex04_scaling", sha("a"), note=text) for text in HOSTILE]
    made.save_entries(entries)
    made.save(record("a", [question(task) for task in HOSTILE], notes=HOSTILE))
    found = rows(made)
    assert len(found) == len(HOSTILE)
    for row in found:
        for name, value in row.items():
            for text in (name, value):
                assert text[:1] not in tuple("=+-@\t\r\n＝")
                assert not set(text) & set("\x00\x1b\u202e\ud800\r\n")
                assert len(text) < 2100


def test_the_same_results_give_the_same_bytes(tmp_path):  # I26
    students = [("나", half_right()), ("a", record("b"))]
    one, two = (
        results(tmp_path / name, *order) for name, order in (("1", students), ("2", students))
    )
    assert gradebook.text(lines_of(one)) == gradebook.text(lines_of(two))
