"""A class of sixty, one of each kind and good ones between, from the command line."""

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest

from course_lib.grading.record import Results
from tests.grading.hostile.files import notebook, write
from tests.grading.hostile.kinds import GOOD, KINDS

CHECKS = Path(__file__).parent
NAMES = [name.replace("/", " ") for name in KINDS]


def command(*arguments) -> list[str]:
    return [sys.executable, "-m", "course_lib.grading.cli", *map(str, arguments)]


def run(submissions, out, *options) -> subprocess.CompletedProcess:
    arguments = ("run", submissions, "--out", out, "--checks", CHECKS, "--jobs", 2, *options)
    return subprocess.run(command(*arguments), capture_output=True, text=True, encoding="utf-8")


def rows(results: Path) -> list[dict[str, str]]:
    with open(results / "gradebook.csv", encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def secret(tmp_path_factory):
    return write(tmp_path_factory.mktemp("secret") / "secret.txt", "of the instructor\n")


@pytest.fixture(scope="module")
def a_class(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    for number, kind in enumerate(KINDS.values()):
        write(folder / f"{NAMES[number]}.ipynb", notebook(GOOD, *kind.cells))
    write(folder / "40 truncated.ipynb", notebook(GOOD)[:200])
    for number in range(60 - len(KINDS) - 1):
        write(folder / f"good {number}.ipynb", notebook(GOOD, f"# {number}"))
    return folder


@pytest.fixture(scope="module")
def uninterrupted(a_class, tmp_path_factory, secret):
    out = tmp_path_factory.mktemp("uninterrupted")
    done = run(a_class, out, "--secret-file", secret)
    assert done.returncode == 1, done.stdout + done.stderr  # one of them cannot be read
    return out


@pytest.mark.timeout(900)
def test_everybody_gets_a_status_and_what_the_kind_is_worth(uninterrupted):
    by_student = {row["student"]: row for row in rows(uninterrupted)}
    assert len(by_student) == 60
    for name, kind in zip(NAMES, KINDS.values(), strict=True):
        row = by_student[name]
        assert row["points"] == kind.points, row
    assert by_student["40 truncated"]["points"] == ""
    assert by_student["40 truncated"]["status"] == "unreadable"


@pytest.mark.timeout(900)
def test_45_a_judge_killed_ten_times_comes_to_the_same_gradebook(
    a_class, uninterrupted, tmp_path, secret
):
    rng = random.Random(0)
    arguments = ("run", a_class, "--out", tmp_path, "--checks", CHECKS, "--jobs", 2)
    for _ in range(10):
        judge = subprocess.Popen(
            command(*arguments, "--secret-file", secret),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(rng.uniform(1, 6))
        judge.send_signal(signal.SIGKILL)
        judge.wait()
    assert run(a_class, tmp_path, "--secret-file", secret).returncode == 1
    assert rows(tmp_path) == rows(uninterrupted)
    for name in ("gradebook.csv", "index.json"):
        assert (tmp_path / name).read_bytes() == (uninterrupted / name).read_bytes()


@pytest.fixture
def small_class(tmp_path):
    folder = tmp_path / "submissions"
    for name in ("kim", "lee", "park"):
        write(folder / f"{name}.ipynb", notebook(GOOD, f"# {name}"))
    return folder


def test_a_second_run_grades_only_what_is_new(small_class, tmp_path):
    out = tmp_path / "out"
    assert run(small_class, out).returncode == 0
    times = {path: path.stat().st_mtime_ns for path in out.glob("records/*/*.json")}
    before = (out / "gradebook.csv").read_bytes()
    assert run(small_class, out).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in out.glob("records/*/*.json")} == times
    assert (out / "gradebook.csv").read_bytes() == before
    write(small_class / "new.ipynb", notebook(GOOD, "def total(x): return 0"))
    assert run(small_class, out).returncode == 0
    assert len(list(out.glob("records/*/*.json"))) == 4
    assert [row["points"] for row in rows(out)] == ["10", "10", "7", "10"]


def test_a_regrade_that_fails_leaves_no_old_score(small_class, tmp_path):
    out, checks = tmp_path / "out", tmp_path / "checks"
    checks.mkdir()
    for name in ("checks.py", "misconceptions.py"):
        write(checks / name, (CHECKS / name).read_text(encoding="utf-8"))
    arguments = ("run", small_class, "--out", out, "--checks", checks)
    assert subprocess.run(command(*arguments), capture_output=True).returncode == 0
    broken = (
        (checks / "checks.py").read_text(encoding="utf-8").replace("2 * NUMBERS", "2 * numbers")
    )
    write(checks / "checks.py", broken)
    assert subprocess.run(command(*arguments), capture_output=True).returncode == 1
    assert [(row["status"], row["points"]) for row in rows(out)] == [("infra_error", "")] * 3


def test_own_checks_need_neither_misconceptions_nor_a_name_that_notebooks_know(tmp_path):
    folder, out = tmp_path / "submissions", tmp_path / "out"
    write(folder / "kim.ipynb", notebook(GOOD, 'check("ex04")'))
    checks = (CHECKS / "checks.py").read_text(encoding="utf-8")
    write(tmp_path / "ours" / "checks.py", checks)
    arguments = ("run", folder, "--out", out, "--checks", tmp_path / "ours")
    done = subprocess.run(command(*arguments), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert [(row["exercise"], row["points"]) for row in rows(out)] == [("ours", "10")]


def test_44_submissions_under_one_name_are_marked_and_none_is_lost(tmp_path):
    folder, name = tmp_path / "submissions", "홍길동"
    for form in ("NFC", "NFD"):
        write(folder / f"{unicodedata.normalize(form, name)}.ipynb", notebook(GOOD, f"# {form}"))
    for number in (1001, 1002):
        path = folder / f"김민수_{number}_assignsubmission_file_" / "work.ipynb"
        write(path, notebook(GOOD, f"# {number}"))
    out = tmp_path / "out"
    assert run(folder, out).returncode == 0
    found = [(row["student"], row["note"]) for row in rows(out)]
    assert [student for student, _ in found] == ["김민수_1001", "김민수_1002", name, name]
    assert [("2 submissions" in note) for _, note in found] == [False, False, True, True]


def test_a_student_of_the_roster_without_a_submission_is_missing(small_class, tmp_path):  # I43
    roster = write(tmp_path / "roster.csv", "id,student\n1,Kim\n2,Choi\n")
    out = tmp_path / "out"
    done = run(small_class, out, "--roster", roster)
    assert done.returncode == 0
    assert "2 not on roster.csv, or spelt differently there:\nlee, park" in done.stdout
    by_student = {row["student"]: row for row in rows(out)}
    assert (by_student["Choi"]["status"], by_student["Choi"]["points"]) == ("missing", "0")
    assert "Kim" not in by_student  # kim handed in


def test_shards_together_grade_everybody_once(small_class, tmp_path, secret):
    students = []
    for shard in ("1/3", "2/3", "3/3"):
        out = tmp_path / shard.replace("/", "-")
        run(small_class, out, "--shard", shard, "--secret-file", secret)
        index = json.loads((out / "index.json").read_text(encoding="utf-8"))
        students += [entry["student"] for entry in index]
        assert Results(out).parts() == {shard}
    assert sorted(students) == ["kim", "lee", "park"]


def test_without_a_sandbox_nothing_is_graded_unless_one_says_unsafe(small_class, tmp_path):
    arguments = ("run", small_class, "--out", tmp_path / "out", "--checks", CHECKS)
    empty = {**os.environ, "PATH": str(tmp_path)}
    refused = subprocess.run(
        command(*arguments, "--sandbox", "bubblewrap"), capture_output=True, text=True, env=empty
    )
    assert refused.returncode == 2
    assert "no sandbox holds on this machine; bubblewrap: bwrap" in refused.stdout
    assert not (tmp_path / "out" / "records").exists()
    assert subprocess.run(command(*arguments, "--unsafe"), capture_output=True).returncode == 0
    assert {row["isolation"] for row in rows(tmp_path / "out")} == {"none"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("run", "nowhere", "--out", "x"), "there is no folder nowhere"),
        (("run", ".", "--out", "x", "--exercise", "ex99"), "there is no exercise 'ex99'"),
        (("run", ".", "--out", "x", "--checks", "nowhere"), "there is no checks.py in nowhere"),
        (("one", "nowhere.ipynb"), "there is no nowhere.ipynb"),
    ],
)
def test_a_wrong_command_line_is_refused_with_its_values(tmp_path, arguments, says):
    done = subprocess.run(command(*arguments), capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stdout


def test_the_doctor_finds_a_sandbox_that_holds():
    done = subprocess.run(command("doctor"), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "holds  bubblewrap" in done.stdout
