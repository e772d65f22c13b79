"""The tier for machines without namespaces: another user, under Landlock and seccomp."""

import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from course_lib.grading.grade import grade
from course_lib.grading.sandbox import environment, library, restricted
from course_lib.grading.sandbox.self_test import breaches
from tests.grading.hostile.conftest import LIMITS, SECRET, a_student
from tests.grading.hostile.kinds import ALL, GOOD, OTHERS


def open_to_others(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


@pytest.fixture
def tier(monkeypatch):
    """The tier with an interpreter and NumPy that another user can reach, wherever ours lie."""
    if not open_to_others(environment.interpreter()):
        system = Path("/usr/bin/python3").resolve()
        assert system.name == f"python3.{sys.version_info.minor}", "no interpreter for other users"
        monkeypatch.setattr(environment, "interpreter", lambda: system)
        monkeypatch.setattr(restricted, "folders_of_python", lambda: ["/usr/lib", "/usr/bin"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        packages = folder / "site-packages"
        numpy = Path(importlib.util.find_spec("numpy").origin).parent
        unneeded = shutil.ignore_patterns("tests", "__pycache__", "*.pyi", "f2py")
        for source in (numpy, numpy.with_name("numpy.libs")):
            shutil.copytree(source, packages / source.name, ignore=unneeded)
        monkeypatch.setattr(environment, "packages", lambda: [packages])
        yield restricted.Restricted(library.build(folder / "library", []))


def test_a_python_in_a_closed_home_is_named_as_the_reason(tmp_path, monkeypatch):
    home = tmp_path / "root"
    (home / "bin").mkdir(parents=True)
    home.chmod(0o700)
    monkeypatch.setattr(environment, "interpreter", lambda: home / "bin" / "python3")
    closed = next(
        folder for folder in reversed((home, *home.parents)) if not open_to_others(folder)
    )
    said = restricted.Restricted.missing()
    assert said == f"{closed} is closed to other users, and {home / 'bin' / 'python3'} lies in it"


def test_no_attack_succeeds(tier, small_exercise):
    assert tier.missing() == ""
    assert breaches(tier, [small_exercise.checks]) == []


def test_submissions_get_what_they_are_worth_and_leave_nothing_running(tier, small_exercise):
    def points(*cells):
        return grade(list(cells), "0" * 64, small_exercise, tier, SECRET, LIMITS).points

    assert points(GOOD) == ALL
    assert points(GOOD, "def double(x):\n    while True: pass") == OTHERS
    leave = "import os, time\nif os.fork() == 0:\n    os.setsid(); time.sleep(600)"
    assert points(GOOD, leave) == ALL
    user = restricted.FIRST_USER + os.getpid() % restricted.USERS
    processes = (int(name) for name in os.listdir("/proc") if name.isdigit())
    assert [pid for pid in processes if restricted.owner(pid) == user] == []


def test_nothing_can_be_left_for_the_next_submission_and_no_call_has_a_second_door(tier):
    names = ("socket", "ptrace", "unshare", "shmget", "msgget", "keyctl", "memfd_create", "x32")
    numbers = (41, 101, 272, 29, 68, 250, 319, 0x40000000 + 41)
    cell = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def allowed():
    found = []
    for name, number in zip({names}, {numbers}):
        if libc.syscall(number, 1, 1, 0) >= 0 or ctypes.get_errno() != 1:
            found.append(name)
    return found or ["nothing"]
"""
    assert platform.machine() == "x86_64", "the numbers of the calls are of this machine"
    with closing(a_student(tier, cell)) as student:
        assert student.allowed().tolist() == ["nothing"]
