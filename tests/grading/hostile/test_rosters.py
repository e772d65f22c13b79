"""Lists of a class, in whatever form, and who of them handed in nothing."""

import re

import pytest

from course_lib.grading.class_list import doubtful, missing, students, unlisted
from course_lib.grading.exercise import find_exercise
from course_lib.grading.record import Entry
from tests.grading.hostile.files import write

CANVAS = """\
Student,ID,SIS Login ID,Section,ex04 (501)
"    Points Possible",,,,10
"Doe, Jane",12345,doe,A,
"Student, Test",99,abc,A,
"""


@pytest.mark.parametrize(
    ("name", "content", "names"),
    [
        ("a.csv", "id,student\n1,Kim\n2,Lee\n", ["Kim", "Lee"]),
        ("a.csv", "\ufeffid;Student;note\r\n1;Kim;\r\n2;Lee\r\n", ["Kim", "Lee"]),
        ("a.txt", "번호\tstudent\n1\t홍길동\n", ["홍길동"]),
        ("a.csv", '"Doe, Jane"\n\nKim\n', ["Doe, Jane", "Kim"]),
        ("a.txt", 'Doe, Jane\n "Kim, Min" \n', ["Doe, Jane", "Kim, Min"]),
        ("a.csv", CANVAS, ["Doe, Jane"]),
    ],
)
def test_a_roster_is_read_whatever_separates_its_columns(tmp_path, name, content, names):
    assert students(write(tmp_path / name, content)) == names


@pytest.mark.parametrize("listed", ["Doe, Jane", "Jane Doe", "DOE, JANE", "doejane"])
@pytest.mark.parametrize("named", ["doejane_12345", "Jane Doe_1234567", "jane  doe", "Doe, Jane"])
def test_nobody_is_missing_whom_the_roster_spells_otherwise(tmp_path, listed, named):
    roster = write(tmp_path / "roster.txt", f"{listed}\nKim Min\n")
    handed_in = [Entry(named, "a.ipynb", "ex04_scaling", "0"), Entry("Min Kim_5", "b", "ex04", "1")]
    absent = [entry.student for entry in missing(roster, handed_in, [find_exercise("ex04")])]
    if listed == "doejane" and named != "doejane_12345":  # in whatever way it is to be parted
        assert absent == ["doejane", "Kim Min"]
    else:
        assert absent == ["Kim Min"]
        assert unlisted(roster, handed_in) == ["Min Kim_5"]


@pytest.mark.parametrize("name", ["Kim Minji", "team", "2024", "Kim, Minji"])
def test_numbers_in_the_roster_tell_students_apart(tmp_path, name):
    listed = [f"{name}_{number}" for number in (2024017, 2024018, 2024019)]
    roster = write(tmp_path / "roster.txt", "\n".join(listed))
    handed_in = [Entry(listed[1], "a.ipynb", "ex04_scaling", "0")]
    absent = [entry.student for entry in missing(roster, handed_in, [find_exercise("ex04")])]
    assert absent == [listed[0], listed[2]]
    assert unlisted(roster, handed_in) == doubtful(roster, handed_in) == []


@pytest.mark.parametrize(
    ("listed", "named", "doubts"),
    [
        (["Ali Hassan", "Hassan Ali"], ["alihassan_12345"], True),
        (["Ali Hassan", "Hassan Ali"], ["alihassan_12345", "hassanali_12346"], False),
        (["홍길동", "홍길동"], ["홍길동_1234567"], True),
        (["홍길동", "홍길동"], ["홍길동_1234567", "홍길동_1234568"], False),
        (["Doe, Jane", "Kim"], ["doejane_12345"], False),
    ],
)
def test_of_whom_no_name_tells_who_is_missing_is_told(tmp_path, listed, named, doubts):
    roster = write(tmp_path / "roster.txt", "\n".join([*listed, "Lee"]))
    handed_in = [Entry(name, name, "ex04_scaling", name) for name in named]
    said = doubtful(roster, handed_in)
    if doubts:
        said_of_both = (
            f"on roster.txt are 2, {'; '.join(listed)}, who may have handed in as {named[0]}"
        )
        assert said_of_both in said[0]
    assert len(said) == doubts


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        (
            "a.csv",
            "name,mail\nkim,k@example.org\n",
            'has no column "student"; it begins with name,',
        ),
        ("a.csv", "이름;메일\n김;k\n", 'a.csv has no column "student"; it begins with 이름;메일'),
        ("a.txt", " \n", "a.txt names nobody"),
        ("a.csv", "id,student\n1,\n", "a.csv names nobody"),
    ],
)
def test_a_roster_whose_names_cannot_be_told_is_refused(tmp_path, name, content, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        students(write(tmp_path / name, content))
