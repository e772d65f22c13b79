"""What a submission tries on the machine, on the judge and on others: none of it comes to anything.

Each submission here attacks while its cells run and answers rightly only if it got nowhere, or
attacks in `double` alone, so that it shows in the points whether it did.
"""

import os
import socket
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from course_lib.grading import processes
from course_lib.grading.exercise import find_exercise
from course_lib.grading.sandbox import ending
from course_lib.grading.sandbox.choice import sandboxes
from course_lib.grading.sandboxed import SandboxedStudent
from tests.grading.hostile.conftest import LIMITS, in_both_tiers
from tests.grading.hostile.kinds import ALL, GOOD, OTHERS

WRONG_IF = "\nif {got}:\n    double = total = centre = lambda x: x * 0 - 1\n"


def marks(record):
    return {question.task: question.points for question in record.questions}


@in_both_tiers
def test_17_no_detached_child_is_alive_afterwards(small_exercise, sandbox):
    cell = """
import os, time
def leave():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    time.sleep(0.1)
leave()
def double(x):
    leave()
    return 2 * x
"""
    student = SandboxedStudent([GOOD, cell], {}, sandbox, LIMITS, lambda _: 5)
    with closing(student):
        student.begin_check()
        assert student.double(3.0) == 6
        started = student.process_ids()
    assert len(started) > 3
    assert [pid for pid in started if processes.is_alive(pid)] == []


def test_a_worker_ends_at_once_also_where_no_namespace_ends_its_children(
    small_exercise, monkeypatch
):
    monkeypatch.setattr(ending, "SECONDS", 60)
    with sandboxes("none", [small_exercise]) as by_name:
        student = SandboxedStudent([GOOD], {}, by_name[small_exercise.name], LIMITS, lambda _: 5)
        with closing(student):
            student.begin_check()
            assert student.double(3.0) == 6
            started = student.process_ids()
            start = time.monotonic()
    assert len(started) == 2  # the worker, and the child that serves the check
    assert time.monotonic() - start < ending.SECONDS
    assert [pid for pid in started if processes.is_alive(pid)] == []


def test_a_process_that_ends_while_it_is_looked_at_has_no_children(monkeypatch):
    ended = subprocess.Popen(["true"])
    ended.wait()
    monkeypatch.setattr(Path, "is_dir", lambda _: True)
    assert list(processes.descendants(ended.pid)) == [ended.pid]


@in_both_tiers
def test_20_only_a_small_temporary_folder_can_be_filled(graded):
    cell = """
import os
written, block = {}, b"x" * 2**20
for folder in ("/tmp", "/dev/shm", "/dev", "/", "/library", "/var/tmp"):
    try:
        for name in range(9):
            with open(f"{folder}/{name}", "wb", buffering=0) as file:
                for _ in range(30):
                    written[folder] = written.get(folder, 0) + file.write(block)
    except OSError:
        pass
""" + WRONG_IF.format(
        got="sum(written.values()) > 65 * 2**20 or set(written) - {'/tmp', '/dev/shm'}"
    )
    assert graded(GOOD, cell).points == ALL


@in_both_tiers
def test_21_no_network_can_be_reached(graded, tmp_path):
    tmp_path.chmod(0o777)
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        named.bind(str(tmp_path / "s"))
        abstract.bind(f"\0{tmp_path}")
        named.listen()
        abstract.listen()
        cell = f"""
import socket
reached = []
for family, address in (
    (socket.AF_INET, ("127.0.0.1", {server.getsockname()[1]})),
    (socket.AF_UNIX, {str(tmp_path / "s")!r}),
    (socket.AF_UNIX, {f"{chr(0)}{tmp_path}"!r}),
    (socket.AF_INET, ("1.1.1.1", 53)),
):
    try:
        with socket.socket(family) as attempt:
            attempt.settimeout(1)
            attempt.connect(address)
        reached.append(address)
    except OSError:
        pass
try:
    reached.append(socket.getaddrinfo("example.org", 80))
except OSError:
    pass
""" + WRONG_IF.format(got="reached")
        assert graded(GOOD, cell).points == ALL


@in_both_tiers
def test_22_neither_tests_nor_other_submissions_nor_the_environment_can_be_read(
    sandbox, tmp_path, monkeypatch
):
    monkeypatch.setenv("GRADE_SECRET_OF_THE_JUDGE", "open sesame")
    tmp_path.chmod(0o777)
    (tmp_path / "other student.ipynb").write_text("{}", encoding="utf-8")
    cell = f"""
import os
found = []
for folder, _, names in os.walk("/"):
    if folder.startswith(("/proc", "/sys")):
        continue
    found += [n for n in names if n in ("checks.py", "solution.py")]
    found += [n for n in names if n.endswith(".ipynb") and "site-packages" not in folder]
    found += [n for n in names if n == "misconceptions.py" and "grading" not in folder]
for name in ("environ", "cmdline"):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{{pid}}/{{name}}", "rb") as file:
                text = file.read()
        except OSError:
            continue
        if b"open sesame" in text or b"pytest" in text:
            found.append((pid, name))
found += [v for v in os.environ.values() if "sesame" in v]
found += [p for p in ({str(tmp_path)!r}, "/etc/passwd", "/root/.bashrc") if os.path.exists(p)]
def look():
    return [str(what) for what in found] or ["nothing"]
"""
    unhurried = LIMITS._replace(cell_seconds=120)
    student = SandboxedStudent([GOOD, cell], {}, sandbox, unhurried, lambda _: 5)
    with closing(student):
        student.begin_check()
        assert student.look().tolist() == ["nothing"]


@in_both_tiers
def test_23_no_frame_object_or_module_of_the_worker_knows_a_check(graded):
    cell = """
import gc, sys
frame, found = sys._getframe(), []
while frame:
    found += [name for name in frame.f_locals if name in ("expected", "exercise", "rng", "item")]
    frame = frame.f_back
found += [n for n in sys.modules if n.startswith(("pytest", "_pytest")) or n.endswith("_checks")]
functions = [o for o in gc.get_objects() if type(o).__name__ == "function"]
found += [f for f in functions if f.__module__ and f.__module__.endswith("checks")]
found += [f for f in functions if f.__name__ in ("run_checks", "plus_two")]
""" + WRONG_IF.format(got="found")
    record = graded(GOOD, cell)
    assert (record.points, record.notes) == (ALL, [])


@in_both_tiers
@pytest.mark.parametrize(
    "body",
    [
        "os.kill(os.getppid(), 9)",
        "os.kill(os.getppid(), 19); time.sleep(0.1)",
        "os.kill(1, 9); os.kill(1, 19)",
        "os.kill(-1, 9)",
        "os.kill(0, 9)",
        "os.kill(0, 19)",
        "os.closerange(0, 256)",
        "ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)",
        "os.dup2(0, 3); os.dup2(0, 4); os.dup2(0, 5)",
        "open(f'/proc/{os.getppid()}/mem', 'r+b').write(b'x')",
        "ctypes.CDLL(None).prctl(1, 0); os.setsid()",
    ],
)
def test_28_whoever_attacks_its_parent_or_its_descriptors_harms_itself_alone(graded, body):
    source = f"import ctypes, os, time\ndef double(x):\n    {body}\n    return 2 * x"
    record = graded(GOOD, source)
    # An answer may be out before the attacker is gone, in either phase.
    assert int(OTHERS) <= int(record.points) <= int(ALL), record.as_json()
    assert (marks(record)["total"], marks(record)["centre"]) == ("3", "3")


@in_both_tiers
def test_29_hooks_and_threads_that_act_after_the_answer_change_nothing(graded):
    cell = """
import atexit, os, threading, time
def garbage():
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"\\xff" * 64)
        except OSError:
            pass
def later():
    time.sleep(0.02)
    garbage()
def double(x):
    atexit.register(garbage)
    threading.Thread(target=later).start()
    return 2 * x
"""
    assert graded(GOOD, cell).points == ALL


@in_both_tiers
def test_30_results_and_gradebooks_that_a_submission_writes_are_nobodys(
    graded, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o777)
    cell = f"""
for folder in (".", "..", {str(tmp_path)!r}, "/autograder/results", "/tmp"):
    for name in ("results.json", "gradebook.csv", "result.json"):
        try:
            with open(folder + "/" + name, "w") as file:
                file.write('{{"score": 100}}')
        except OSError:
            pass
def double(x): return x
"""
    assert graded(GOOD, cell).points == OTHERS
    assert os.listdir(tmp_path) == []


@in_both_tiers
def test_31_nothing_of_a_hidden_input_reaches_any_text(graded):
    cell = """
import glob
def double(x):
    import time
    with open(f"/tmp/{time.time_ns()}", "w") as file:
        file.write(repr(x))
    seen = "".join(open(path).read() for path in glob.glob("/tmp/*"))
    raise ValueError(seen + "".join(map(str, np.ravel(x))))
"""
    record = graded(GOOD, cell)
    assert "271828" not in record.as_json()
    hidden = [c for q in record.questions for c in q.checks if c.hidden and q.task == "double"]
    assert [(c.status, c.reason, c.case) for c in hidden] == [("failed", "", [])]


@in_both_tiers
def test_36_a_submission_that_depends_on_chance_or_on_order_gets_the_same_each_time(graded):
    cell = """
np.random.seed(0)
calls = []
def total(x):
    calls.append(1)
    return np.asarray(x).sum(axis=-1) if len(calls) == 1 else 0
def double(x):
    return 2 * x if np.random.random() > 0.5 else x
"""
    first, second = graded(GOOD, cell), graded(GOOD, cell)
    assert first.as_json() == second.as_json()
    assert marks(first)["total"] == "3"  # no check remembers another


@in_both_tiers
def test_the_inputs_come_from_the_secret_and_the_check(graded, small_exercise, tier):
    cell = "def total(x):\n    raise ValueError(str(x.ravel()[0]))"
    one, again, other = (graded(GOOD, cell, secret=s).graded_with for s in ("a", "a", "b"))
    assert one == again
    assert one["inputs"] != other["inputs"]
    assert one["isolation"] == tier


@in_both_tiers
def test_an_endless_loop_does_not_hold_up_more_than_its_own_question(graded):  # I01, I47
    start = time.monotonic()
    record = graded(GOOD, "def double(x):\n    while True: pass")
    assert marks(record) == {"double": "0", "total": "3", "centre": "3"}
    assert time.monotonic() - start < 60


def test_a_library_function_that_is_the_answer_is_not_in_the_sandbox():
    exercise = find_exercise("ex04")
    cell = """
import importlib, sys
def softmax(x):
    sys.modules.pop("course_lib.reference.softmax", None)
    module = importlib.import_module("course_lib.reference.softmax")
    return module.softmax(x)
"""
    with sandboxes("bubblewrap", [exercise]) as by_name:
        student = SandboxedStudent([cell], {}, by_name[exercise.name], LIMITS, lambda _: 10)
        with closing(student):
            student.begin_check()
            with pytest.raises(AssertionError, match="is what this exercise asks you to write"):
                student.softmax([1.0, 2.0])
