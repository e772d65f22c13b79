"""The processes that grade a class are replaced, lost and stopped, and nobody waits for ever."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from course_lib.grading import class_run
from course_lib.grading.class_run import Settings, run_class
from course_lib.grading.record import Results, from_json
from course_lib.grading.submissions import submissions
from tests.grading.hostile.conftest import LIMITS, SECRET
from tests.grading.hostile.files import notebook, write
from tests.grading.hostile.kinds import GOOD

CHECKS = Path(__file__).parent


@pytest.fixture
def settings(small_exercise, sandbox, tmp_path):
    by_name = {small_exercise.name: sandbox}
    return Settings([small_exercise], by_name, SECRET, LIMITS, tmp_path / "out")


@pytest.mark.timeout(120)
def test_a_class_that_outlives_its_processes_is_graded_to_the_end(settings, tmp_path, monkeypatch):
    monkeypatch.setattr(class_run, "LIVES", 2)
    for number in range(9):
        write(tmp_path / "in" / f"{number}.ipynb", f"no notebook {number}")
    entries = [
        entry for of_one in run_class(submissions(tmp_path / "in"), settings, 2) for entry in of_one
    ]
    assert sorted(entry.student for entry in entries) == [str(number) for number in range(9)]


def test_a_submission_at_which_every_process_is_lost_is_blank_and_the_others_are_graded(
    settings, tmp_path, monkeypatch
):
    for name in ("a", "b", "c"):
        write(tmp_path / "in" / f"{name}.ipynb", f"no notebook {name}")
    os.mkfifo(tmp_path / "in" / "killer.ipynb")
    monkeypatch.setattr(class_run, "_grade_submission", dies_at_the_killer)
    entries = [
        entry for of_one in run_class(submissions(tmp_path / "in"), settings, 2) for entry in of_one
    ]
    results = Results(settings.results)
    records = {e.student: results.record(e.exercise, e.sha256) for e in entries}
    assert all("isolation" in record.graded_with for record in records.values())
    assert {student: record.status for student, record in records.items()} == {
        "a": "unreadable",
        "b": "unreadable",
        "c": "unreadable",
        "killer": "infra_error",
    }


GRADE_SUBMISSION = class_run._grade_submission


def dies_at_the_killer(submission):
    if submission.student == "killer":
        os.kill(os.getpid(), signal.SIGKILL)
    return GRADE_SUBMISSION(submission)


@pytest.mark.timeout(120)
def test_ctrl_c_stops_at_once_says_how_to_go_on_and_leaves_no_process(tmp_path):
    for number in range(12):
        cells = ("import time; time.sleep(2)", f"# {number}")
        write(tmp_path / "in" / f"{number}.ipynb", notebook(GOOD, *cells))
    command = [sys.executable, "-m", "course_lib.grading.cli", "run", tmp_path / "in"]
    options = ["--out", tmp_path / "out", "--checks", CHECKS, "--jobs", "2"]
    run = subprocess.Popen(
        [*command, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not list(tmp_path.glob("out/records/*/*.json")):
        assert run.poll() is None
        time.sleep(0.1)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does, to all that it can reach
    said, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "type the same command again" in said
    assert errors == ""
    records = [
        from_json(p.read_text(encoding="utf-8")) for p in tmp_path.glob("out/records/*/*.json")
    ]
    assert 0 < len(records) < 12
    assert {record.points for record in records} == {"10"}  # nobody is blamed for the signal
