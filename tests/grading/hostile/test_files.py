"""Which files in a folder are whose submission, whatever their names and endings."""

import os
import unicodedata
import zipfile

import pytest

from course_lib.grading.choosing import answers
from course_lib.grading.exercise import find_exercise
from course_lib.grading.submissions import Submission, student_of, submissions
from tests.grading.hostile.files import DONE, answer_of, notebook, write
from tests.grading.hostile.kinds import ALL, GOOD


@pytest.mark.parametrize(
    "name",
    [
        "hw1 (1).ipynb",
        "hw[1].ipynb",
        "과제 1 - 홍길동.ipynb",
        unicodedata.normalize("NFD", "과제 1 - 홍길동.ipynb"),
        "my solution final.ipynb",
        "trailing space.ipynb ",
        "a*b?c.ipynb",
        "-rf.ipynb",
        "$(touch x).ipynb",
        "solution.IPYNB",
    ],
)
def test_39_any_name_is_graded(tmp_path, small_exercise, graded, name):  # I14, I15
    write(tmp_path / name, DONE)
    (found,) = submissions(tmp_path)
    (answer,) = answers(found, [small_exercise])
    assert answer.problem == ""
    assert graded(*answer.cells).points == ALL


def test_39_a_zip_a_folder_and_a_python_file_are_read(tmp_path, small_exercise):
    write(tmp_path / "kim.py", GOOD)
    write(tmp_path / "lee" / "deep" / "work.ipynb", DONE)
    write(tmp_path / "lee" / "helper.py", "x = 1")
    with zipfile.ZipFile(tmp_path / "park.zip", "w") as archive:
        archive.writestr("과제/work.ipynb", DONE)
        archive.writestr("__MACOSX/._work.ipynb", b"\0\1")
    write(tmp_path / "submission_metadata.yml", "x: 1")
    found = submissions(tmp_path)
    assert [one.student for one in found] == ["kim", "lee", "park"]
    for one in found:
        (answer,) = answers(one, [small_exercise])
        assert (answer.problem, "".join(answer.cells)) == ("", GOOD)


def test_a_whole_class_in_one_folder_is_told_from_a_student_with_two_files(
    tmp_path, small_exercise
):
    for number in range(7):
        write(tmp_path / "export" / f"submission_{number}" / "a.ipynb", notebook(GOOD, f"{number}"))
    problem = answer_of(tmp_path / "export", small_exercise).problem
    assert "submission_3/a.ipynb and 3 more; leave one, or if each is another student's" in problem
    assert "submission_4" not in problem


RENAMED = ["ex04.ipynb의 사본", "ex04.ipynb.txt", "ex04.json", "ex04"]


@pytest.mark.parametrize("name", RENAMED)
def test_39_a_notebook_is_known_by_its_content_where_its_ending_is_gone(
    tmp_path, small_exercise, name
):
    write(tmp_path / name, "\ufeff" + DONE)
    write(tmp_path / "kim" / name, DONE)
    write(tmp_path / "kim" / "helper.py", "x = 1")
    write(tmp_path / "kim" / "settings.json", '{"a": 1}')
    with zipfile.ZipFile(tmp_path / "lee.zip", "w") as archive:
        archive.writestr(f"work/{name}", DONE)
        archive.writestr("work/photo.png", b"\x89PNG")
    for path in (name, "kim", "lee.zip"):
        answer = answer_of(tmp_path / path, small_exercise)
        assert (answer.problem, answer.cells) == ("", [GOOD])


def test_39_a_list_of_packages_beside_a_script_is_no_notebook(tmp_path, small_exercise):
    write(tmp_path / "kim" / "work.py", GOOD)
    write(tmp_path / "kim" / "Pipfile.lock", '{"default": {"nbformat": {"version": "==5.10"}}}')
    answer = answer_of(tmp_path / "kim", small_exercise)
    assert (answer.problem, answer.cells) == ("", [GOOD])


@pytest.mark.parametrize("name", [*RENAMED, "work.ipynb.bak"])
def test_39_a_copy_of_another_ending_beside_a_notebook_counts_for_nothing(
    tmp_path, small_exercise, name
):
    write(tmp_path / "kim" / "work.ipynb", DONE)
    write(tmp_path / "kim" / name, notebook("x = 1"))
    assert answer_of(tmp_path / "kim", small_exercise).cells == [GOOD]


PLATFORMS = {
    "Canvas": ("doejane_12345_67890_ex04.ipynb", "doejane_12345_67891_report.pdf"),
    "Moodle": (
        "김_1234567_assignsubmission_file_work.ipynb",
        "김_1234567_assignsubmission_file_a.pdf",
    ),
    "Moodle's folders": (
        "김_1234567_assignsubmission_file_/work.ipynb",
        "김_1234567_assignsubmission_onlinetext_/onlinetext.html",
    ),
    "a renamed one": ("doejane_12345_67890_ex04.ipynb의 사본", "doejane_12345_67891_report.pdf"),
}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_what_a_platform_keeps_beside_a_students_notebook_is_no_second_submission(
    tmp_path, small_exercise, platform
):
    work, beside = PLATFORMS[platform]
    write(tmp_path / beside, "text")
    assert [one.path.name for one in submissions(tmp_path)] == [beside.split("/")[0]]
    write(tmp_path / work, DONE)
    (found,) = submissions(tmp_path)
    assert answers(found, [small_exercise])[0].cells == [GOOD]


def test_without_a_platforms_number_every_file_is_somebodys(tmp_path):
    write(tmp_path / "kim.ipynb", DONE)
    write(tmp_path / "kim.pdf", "text")
    assert len(submissions(tmp_path)) == 2


def test_39_two_different_notebooks_are_left_to_a_person(tmp_path, small_exercise):
    write(tmp_path / "kim" / "work.ipynb", DONE)
    write(tmp_path / "kim" / "work-Copy1.ipynb", notebook(GOOD, "x = 1"))
    answer = answer_of(tmp_path / "kim", small_exercise)
    assert "several files for one exercise: work-Copy1.ipynb, work.ipynb" in answer.problem


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (DONE[:200], "work.ipynb is not a notebook: JSONDecodeError"),
        ("", "work.ipynb is not a notebook: it is empty"),
        (notebook("x <- 1", metadata={"language_info": {"name": "R"}}), "is written in R"),
    ],
)
def test_39_a_broken_notebook_beside_one_that_can_be_read_is_left_to_a_person(
    tmp_path, small_exercise, broken, problem
):
    write(tmp_path / "kim" / "old.ipynb", DONE)
    write(tmp_path / "kim" / "work.ipynb", broken)
    answer = answer_of(tmp_path / "kim", small_exercise)
    assert "several files for one exercise: old.ipynb, work.ipynb; leave one" in answer.problem
    assert problem in answer.problem
    assert answer.cells == []


def test_39_junk_beside_a_notebook_counts_for_nothing(tmp_path, small_exercise):
    write(tmp_path / "kim" / "work.ipynb", DONE)
    for name in ("._work.ipynb", ".ipynb_checkpoints/work-checkpoint.ipynb", "__MACOSX/._x.ipynb"):
        write(tmp_path / "kim" / name, b"\0\5\26\7")
    assert answer_of(tmp_path / "kim", small_exercise).problem == ""


@pytest.mark.parametrize("broken", ["ex05.ipynb", "ex05_broken (1).ipynb"])
def test_39_a_broken_notebook_of_another_exercise_takes_nothing_from_this_one(tmp_path, broken):
    four, five = find_exercise("ex04"), find_exercise("ex05")
    write(tmp_path / "kim" / "work.ipynb", notebook(GOOD, 'check("ex04")'))
    write(tmp_path / "kim" / broken, DONE[:200])
    kim = Submission("kim", tmp_path / "kim")
    (only,) = answers(kim, [four])
    assert (only.file, only.problem) == ("work.ipynb", "")
    first, second = answers(kim, [four, five])
    assert (first.exercise, first.problem) == (four.name, "")
    assert (second.exercise, second.cells) == (five.name, [])
    assert f"{broken} is not a notebook" in second.problem


def test_39_what_names_no_exercise_among_several_has_an_entry_of_its_own(tmp_path):
    write(tmp_path / "kim" / "a.ipynb", notebook(GOOD, 'check("ex04")'))
    write(tmp_path / "kim" / "b.ipynb", DONE)
    write(tmp_path / "kim" / "c.ipynb", notebook(GOOD, 'check("ex06")'))
    both = [find_exercise("ex04"), find_exercise("ex05")]
    first, second = answers(Submission("kim", tmp_path / "kim"), both)
    assert (first.file, first.problem) == ("a.ipynb", "")
    assert (second.file, second.exercise) == ("b.ipynb", "unknown")
    assert "belongs to no exercise that it names, not to ex04, ex05" in second.problem


def test_39_a_file_of_another_exercise_alone_says_to_which_it_belongs(tmp_path):
    path = write(tmp_path / "kim.ipynb", notebook(GOOD, 'check("ex06")'))
    answer = answer_of(path, find_exercise("ex04"))
    assert answer.exercise == "ex04_scaling"
    assert answer.problem == "kim.ipynb belongs to ex06, not to ex04"


def test_39_two_equal_notebooks_are_one(tmp_path, small_exercise):
    for name in ("a.ipynb", "b.ipynb"):
        write(tmp_path / "kim" / name, DONE)
    assert answer_of(tmp_path / "kim", small_exercise).problem == ""


def test_a_link_out_of_the_folder_is_not_followed(tmp_path, small_exercise):
    write(tmp_path / "other.ipynb", DONE)
    (tmp_path / "kim").mkdir()
    (tmp_path / "kim" / "work.ipynb").symlink_to(tmp_path / "other.ipynb")
    assert "no notebook" in answer_of(tmp_path / "kim", small_exercise).problem


def test_files_that_a_system_leaves_in_every_folder_are_nobodys(tmp_path):
    for name in ("desktop.ini", "Thumbs.db", ".DS_Store", "__MACOSX/._kim.ipynb"):
        write(tmp_path / name, "")
    write(tmp_path / "kim.ipynb", DONE)
    assert [one.student for one in submissions(tmp_path)] == ["kim"]


def test_two_files_of_one_student_are_not_taken_for_the_one_of_another(tmp_path, small_exercise):
    write(tmp_path / "kim" / "empty.ipynb", notebook("x = 1"))
    write(tmp_path / "kim" / "work.ipynb", DONE)
    write(tmp_path / "lee.ipynb", notebook("x = 1"))
    for name in ("park.ipynb", "choi.ipynb"):
        write(tmp_path / name, b"")
    found = [answer_of(tmp_path / name, small_exercise) for name in sorted(os.listdir(tmp_path))]
    assert len({answer.sha256 for answer in found}) == 4  # one record each, with its own reason


@pytest.mark.parametrize("name", ["alex20.ipynb", "complex12 (1).ipynb", "ex2024 kim.ipynb"])
def test_letters_within_a_name_are_no_exercise(tmp_path, name):
    path = write(tmp_path / name, DONE)
    assert answer_of(path, find_exercise("ex04")).problem == ""


def test_a_link_or_a_pipe_in_place_of_a_submission_is_not_opened(tmp_path, small_exercise):
    write(tmp_path / "other.ipynb", DONE)
    (tmp_path / "kim.ipynb").symlink_to(tmp_path / "other.ipynb")
    (tmp_path / "lee").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "park.ipynb")
    for name, problem in (
        ("kim.ipynb", "kim.ipynb is a link"),
        ("lee", "lee is a link"),
        ("park.ipynb", "park.ipynb is neither a file nor a folder"),
    ):
        assert problem in answer_of(tmp_path / name, small_exercise).problem


@pytest.mark.parametrize("encoding", ["cp949", "latin-1"])
def test_a_name_that_is_no_utf8_can_be_read_and_written(tmp_path, small_exercise, encoding):
    raw = {"cp949": "홍길동".encode("cp949"), "latin-1": b"\xff\xfejos\xe9"}[encoding]
    (tmp_path / os.fsdecode(raw + b".ipynb")).write_text("{", encoding="utf-8")
    (found,) = submissions(tmp_path)
    (answer,) = answers(found, [small_exercise])
    student = {"cp949": "홍길동", "latin-1": "\\xff\\xfejos\\xe9"}[encoding]
    assert (found.student, answer.file) == (student, f"{student}.ipynb")
    assert student in answer.problem


def test_a_folder_is_a_students_whatever_its_name_ends_in(tmp_path):
    write(tmp_path / "J. Doe.csv" / "work.ipynb", DONE)
    write(tmp_path / "grades.csv", "")
    assert [one.student for one in submissions(tmp_path)] == ["J. Doe.csv"]


def test_capitals_and_a_space_after_the_name_hide_no_code(tmp_path, small_exercise):
    write(tmp_path / "kim.PY", GOOD)
    with zipfile.ZipFile(tmp_path / "lee.zip", "w") as archive:
        archive.writestr("WORK.IPYNB ", DONE)
    write(tmp_path / "park" / "WORK.IPYNB", DONE)
    write(tmp_path / "park" / "helper.py", "x = 1")
    for name in ("kim.PY", "lee.zip", "park"):
        assert answer_of(tmp_path / name, small_exercise).cells == [GOOD]


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("홍길동_1234567_assignsubmission_file_", "홍길동_1234567"),
        ("홍길동_1234567_assignsubmission_file_ex04_scaling.ko.ipynb", "홍길동_1234567"),
        ("Kim Min_12_assignsubmission_file_my work (1).ipynb", "Kim Min_12"),
        ("doejane_LATE_12345_67890_ex04_scaling.en-1.ipynb", "doejane_12345"),
        ("kim.IPYNB", "kim"),
        ("kim.ipynb ", "kim"),
        ("kim.ipynb.zip", "kim"),
    ],
)
def test_a_submission_is_that_of_the_student_whom_a_platform_named(name, student):
    assert student_of(name) == student


def test_a_pipe_beside_a_numbered_students_notebook_is_not_waited_for(tmp_path, small_exercise):
    os.mkfifo(tmp_path / "doejane_12345_67891_report")
    write(tmp_path / "doejane_12345_67890_ex04.ipynb", DONE)
    (found,) = submissions(tmp_path)
    assert answers(found, [small_exercise])[0].cells == [GOOD]
