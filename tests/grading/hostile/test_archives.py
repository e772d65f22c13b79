"""Archives, with whatever names, sizes and damage they arrive."""

import os
import zipfile

import pytest

from course_lib.grading.submissions import Submission
from tests.grading.hostile.files import DONE, answer_of, notebook, write


def test_39_names_in_a_zip_from_korean_windows_are_read(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xxxx.ipynb", DONE)
    raw = path.read_bytes().replace(b"xxxx", "과제".encode("cp949"))
    (member,) = Submission("a", write(path, raw)).members()
    assert member.name == "a.zip → 과제.ipynb"


@pytest.mark.parametrize(
    ("work", "junk"),
    [
        ("work\\ex04.ipynb", "work\\.ipynb_checkpoints\\ex04-checkpoint.ipynb"),
        ("../ex04.ipynb", "venv/lib/python3.11/site-packages/demo.ipynb"),
    ],
)
def test_39_a_zip_with_odd_ways_in_it_is_read_and_they_lead_nowhere(
    tmp_path, small_exercise, work, junk
):
    with zipfile.ZipFile(tmp_path / "kim.zip", "w") as archive:
        archive.writestr(work, DONE)
        archive.writestr(junk, notebook("x = 1"))
    answer = answer_of(tmp_path / "kim.zip", small_exercise)
    assert (answer.file, answer.problem) == (f"kim.zip → {work.replace(chr(92), '/')}", "")
    assert os.listdir(tmp_path) == ["kim.zip"]


def test_a_zip_that_unpacks_to_too_much_is_refused(tmp_path, small_exercise, monkeypatch):
    monkeypatch.setattr("course_lib.grading.submissions.LARGEST", 10**6)
    with zipfile.ZipFile(tmp_path / "kim.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.ipynb", "0" * 10**7)
    answer = answer_of(tmp_path / "kim.zip", small_exercise)
    assert "kim.zip unpacks to more than 1000000 bytes" in answer.problem


def test_of_a_small_archive_no_more_is_unpacked_than_a_file_may_have(
    tmp_path, small_exercise, monkeypatch
):
    monkeypatch.setattr("course_lib.grading.submissions.LARGEST", 10**6)
    unpacked, read = [], zipfile.ZipExtFile.read
    monkeypatch.setattr(
        zipfile.ZipExtFile, "read", lambda *given: unpacked.append(read(*given)) or unpacked[-1]
    )
    with zipfile.ZipFile(tmp_path / "kim.zip", "w", zipfile.ZIP_BZIP2) as archive:
        for number in range(20):
            archive.writestr(f"{number}.json", "{" + " " * 400_000)
    assert answer_of(tmp_path / "kim.zip", small_exercise).problem
    assert sum(map(len, unpacked)) == 10**6


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_with_damage_anywhere_says_so_and_stops_nobody(tmp_path, small_exercise, method):
    path = tmp_path / "kim.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("a.ipynb", DONE)
    whole = path.read_bytes()
    problems = set()
    for place in range(0, len(whole), 7):
        write(
            path,
            whole[:place] + bytes(b ^ 0xFF for b in whole[place : place + 9]) + whole[place + 9 :],
        )
        problems.add(answer_of(path, small_exercise).problem[:30])
    assert any("kim.zip cannot be unpacked" in problem for problem in problems)
