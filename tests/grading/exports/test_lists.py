"""Canvas's and Moodle's lists, filled: their documented columns, and nobody's points moved."""

import csv
import io
import unicodedata

import pytest

from course_lib.grading.exports import canvas, moodle
from course_lib.grading.exports.lines import lines_of
from tests.grading.exports.made import blank, half_right, record, results

# What Canvas documents that an import needs, and what an export also has.
CANVAS = """\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,ex04: the division (501),Essay (502),T
    Points Possible,,,,,10.0,5.0,(read only)
"Doe, Jane",12345,2024-1,jdoe,A,9,3,50
"홍, 길동",12346,2024-2,gildong,A,,4,60
"Lee, Ann",12347,2024-3,ann,A,EX,,
"Lee, Bo",12348,2024-4,bo,A,7,,
"Student, Test",99,,test,A,,,
"""
MOODLE = """\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum grade,\
Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments
Participant 71,Jane Doe,jane@x.example,Submitted,,4.00,Yes,"Monday, 2 March 2026",-,
Participant 72,홍길동,gil@x.example,Submitted,3.00,4.00,Yes,"Monday, 2 March 2026",-,old
Participant 73,Ann Lee,ann@x.example,No submission,1.00,4.00,Yes,-,-,kept
"""


@pytest.fixture
def fill(tmp_path):
    """Fill a list with results; the rows as dictionaries, and what is said of others."""

    def filled(platform, text, *students, column=None, **more):
        path = tmp_path / "list.csv"
        path.write_text(text, encoding="utf-8", newline="")
        made = results(tmp_path / "results", *students, **more)
        out, problems = platform.filled(path, lines_of(made), column)
        again, _ = platform.filled(path, lines_of(made), column)
        assert out == again
        return list(csv.DictReader(io.StringIO(out, newline=""))), problems

    return filled


def canvas_points(rows):
    return {row["ID"]: row["ex04: the division (501)"] for row in rows if row["ID"]}


def test_canvas_gets_who_it_is_and_the_one_assignment(fill):
    rows, problems = fill(canvas, CANVAS, ("doejane_12345", half_right()))
    who = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert list(rows[0]) == [*who, "ex04: the division (501)"]
    assert rows[0]["Student"] == "    Points Possible"  # to the letter, as Canvas looks for it
    assert rows[0]["ex04: the division (501)"] == "10.0"
    assert canvas_points(rows)["12345"] == "2.33"
    assert problems == []


@pytest.mark.parametrize("name", ["doejane_12345", "Jane Doe", "Doe, Jane", "2024-1", "JDOE"])
def test_canvas_finds_a_student_by_number_login_or_name(fill, name):
    rows, problems = fill(canvas, CANVAS, (name, record()))
    assert (canvas_points(rows)["12345"], problems) == ("1", [])


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_canvas_finds_korean_names_in_either_form(fill, form):
    name = unicodedata.normalize(form, "길동 홍")
    rows, problems = fill(canvas, CANVAS, (name, record()))
    assert (canvas_points(rows)["12346"], problems) == ("1", [])


def test_a_blank_replaces_an_old_grade_and_others_keep_what_they_have(fill):
    rows, _ = fill(canvas, CANVAS, ("doejane_12345", blank()), missing=["Bo Lee"])
    points = canvas_points(rows)
    assert points == {"12345": "", "12346": "", "12347": "EX", "12348": "0", "99": ""}


def test_an_excused_student_stays_excused(fill):
    rows, _ = fill(canvas, CANVAS, ("Ann Lee", record()))
    assert canvas_points(rows)["12347"] == "EX"


def test_nobody_gets_the_points_of_another(fill):
    twins = CANVAS + '"Doe, Jane",12349,2024-5,jdoe2,A,,,\n'
    rows, problems = fill(canvas, twins, ("Jane Doe", record()))  # two students of one name
    assert canvas_points(rows)["12345"] == "9"
    assert canvas_points(rows)["12349"] == ""
    assert problems == ["Jane Doe (Jane Doe.ipynb) fits 2 rows"]
    rows, problems = fill(canvas, twins, ("doejane_12349", record()))
    assert (canvas_points(rows)["12349"], problems) == ("1", [])


def test_two_submissions_of_one_student_are_left_to_the_instructor(fill):
    rows, problems = fill(canvas, CANVAS, ("Jane Doe", record("a")), ("doejane_12345", record("b")))
    assert canvas_points(rows)["12345"] == "9"
    assert problems == ["Jane Doe has 2: Jane Doe.ipynb, doejane_12345.ipynb"]


def test_a_number_that_contradicts_the_name_finds_nobody(fill):
    rows, problems = fill(
        canvas, CANVAS, ("Jane Doe_12346", record("a")), ("final_99", record("b"))
    )
    assert canvas_points(rows) == {"12345": "9", "12346": "", "12347": "EX", "12348": "7", "99": ""}
    assert len(problems) == 2


def test_the_assignment_is_the_column_that_names_the_exercise_or_the_one_named(fill, refuses):
    rows, _ = fill(canvas, CANVAS, ("Jane Doe", record()), column="Essay")
    assert rows[1]["Essay (502)"] == "1"
    with refuses("0 columns naming ex04; name one with --column: 'Homework (501)', 'Essay (502)'"):
        fill(canvas, CANVAS.replace("ex04: the division", "Homework"), ("Jane Doe", record()))
    with refuses("0 columns 'Esay'"):
        fill(canvas, CANVAS, ("Jane Doe", record()), column="Esay")


def test_a_list_of_another_kind_is_refused_with_its_columns(fill, refuses):
    with refuses("has no column ID; it has ['Student', 'Points']"):
        fill(canvas, "Student,Points\na,1\n", ("a", record()))
    with refuses("has no column 'Grade'; name it with --column: ['Identifier', '성적']"):
        fill(moodle, "Identifier,성적\nParticipant 1,\n", ("a", record()))


def test_results_of_two_exercises_need_a_choice(fill, refuses):
    both = ("Jane Doe", record()), ("Jane Doe", record("b", exercise="ex05_multi_head"))
    with refuses("the results are of ex04_scaling, ex05_multi_head; use --exercise"):
        fill(canvas, CANVAS, *both)
    with refuses("the results are of ex04_scaling, ex05_multi_head; use --exercise"):
        fill(moodle, MOODLE, *both)


def test_moodle_keeps_its_columns_and_gets_points_and_comments(fill):
    rows, problems = fill(
        moodle, MOODLE, ("Jane Doe_71", half_right()), ("홍길동_72", half_right())
    )
    assert problems == []
    assert list(rows[0]) == next(csv.reader([MOODLE.lstrip("\ufeff").split("\n")[0]]))
    assert [row["Grade"] for row in rows] == ["2.33", "2.33", "1.00"]
    said = "2 1/3 of 4 points · Public part: 2 1/3 of 3 points. · Hidden part: 0 of 1 points."
    assert [row["Feedback comments"] for row in rows] == [said, said, "kept"]
    assert {row["Last modified (grade)"] for row in rows} == {"-"}


@pytest.mark.parametrize("name", ["Jane Doe_71", "Participant_71", "jane@x.example", "jane doe"])
def test_moodle_finds_a_student_by_participant_name_or_address(fill, name):
    rows, problems = fill(moodle, MOODLE, (name, half_right()))
    assert (rows[0]["Grade"], problems) == ("2.33", [])


def test_moodle_gets_a_blank_and_the_reason_for_what_could_not_be_graded(fill):
    rows, _ = fill(moodle, MOODLE, ("홍길동_72", blank(reason="it is empty", worth="4")))
    assert rows[1]["Grade"] == ""
    assert rows[1]["Feedback comments"].endswith("no points yet: it is empty")


def test_a_worksheet_with_another_maximum_is_refused(fill, refuses):
    with refuses("the worksheet's maximum is 4.00, the exercise's 1"):
        fill(moodle, MOODLE, ("Jane Doe_71", record()))


def test_in_another_language_the_grades_column_is_named(fill):
    korean = MOODLE.replace("Identifier", "식별자").replace(",Grade,", ",성적,")
    rows, _ = fill(moodle, korean, ("Jane Doe_71", half_right()), column="성적")
    assert rows[0]["성적"] == "2.33"


@pytest.mark.parametrize(("platform", "text"), [(canvas, CANVAS), (moodle, MOODLE)])
def test_formulas_in_a_list_are_put_behind_an_apostrophe(fill, platform, text):
    hostile = text.replace("Doe", "=1+1")
    rows, problems = fill(platform, hostile, ("@SUM(1)", half_right()))
    assert not any(value.startswith("=") for row in rows for value in row.values())
    assert len(problems) == 1
