"""Workers that are forked off one process: what they have in common, and what they have not."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing

import pytest

from course_lib.grading import processes
from course_lib.grading.failures import InfraError
from course_lib.grading.sandbox import forked
from course_lib.grading.sandbox.forked import ForkServer
from tests.grading.hostile.conftest import LIMITS, a_student, in_both_tiers
from tests.grading.hostile.kinds import ALL, GOOD, OTHERS

LOADED = "import sys\nloaded = 'tor' + 'ch' in sys.modules\ndef is_loaded(): return loaded"


def test_pytorch_is_there_before_the_cells_where_they_name_it(sandbox):
    with closing(a_student(sandbox, LOADED, "import torch")) as student:
        assert student.is_loaded()
    for cell in ("x = 1", "import torchvision"):
        with closing(a_student(sandbox, LOADED, cell)) as student:
            assert not student.is_loaded()


def test_24_patching_what_pytorch_compares_with_gains_nothing(graded):
    cell = """
import torch.testing
torch.allclose = torch.equal = torch.testing.assert_close = lambda *a, **k: True
def double(x): return x
"""
    record = graded(GOOD, cell)
    assert (record.points, record.notes) == (OTHERS, [])


def test_a_package_that_is_not_there_fails_where_it_is_imported(sandbox, monkeypatch):
    monkeypatch.setattr(forked, "SLOW", ("no_such_package",))
    with closing(a_student(sandbox, GOOD, "import no_such_package")) as student:
        assert student.double(3.0) == 6
        assert len(student.notes) == 1
        assert "code cell 2 failed with ModuleNotFoundError" in student.notes[0]


def test_a_worker_finds_nothing_of_the_one_before(sandbox):
    leave = """
import os
FOLDERS = (".", "/tmp", "/dev/shm")
def leave():
    for folder in FOLDERS:
        with open(f"{folder}/left", "w") as file:
            file.write("here")
    if os.fork() == 0:
        os.setsid()
        import time; time.sleep(600)
    return len(os.listdir("/tmp"))
def find():
    pids = [name for name in os.listdir("/proc") if name.isdigit()]
    return [len(pids), *(os.path.exists(f"{folder}/left") for folder in FOLDERS)]
"""
    with closing(a_student(sandbox, leave)) as first, closing(a_student(sandbox, leave)) as second:
        assert first.leave() == 1
        assert second.find().tolist() == [3, 0, 0, 0]  # the first process, the worker, its child
    with closing(a_student(sandbox, leave)) as third:
        assert third.find().tolist() == [3, 0, 0, 0]


@in_both_tiers
def test_a_worker_has_no_rights_and_gets_none(sandbox):
    cell = """
def status():
    with open("/proc/self/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    names = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")
    return [int(fields[name], 16) for name in names]
"""
    with closing(a_student(sandbox, cell)) as student:
        assert student.status().tolist() == [0, 0, 0, 0, 0, 1, 2]


def test_a_worker_is_of_no_group_with_the_server_nor_slows_it_down(sandbox):
    cell = """
import os
def be_slow():
    os.setpriority(os.PRIO_PGRP, 0, 19)
    return os.getpriority(os.PRIO_PROCESS, 0)
"""
    with closing(a_student(sandbox, cell)) as student:
        assert student.be_slow() == 19
    server = forked._server(tuple(sandbox.command(forked.SERVER, [])), ())
    pids = processes.descendants(server._process.pid)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in pids} == {own}


@in_both_tiers
def test_no_namespace_can_be_made(sandbox):
    cell = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
NEW_USER, CLONE, UNSHARE, CHILD_ENDS = 0x10000000, 56, 272, 17
def made():
    found = [libc.unshare(NEW_USER)]
    child = libc.syscall(CLONE, NEW_USER | CHILD_ENDS, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    return [*found, child]
"""
    with closing(a_student(sandbox, cell)) as student:
        assert student.made().tolist() == [-1, -1]


@in_both_tiers
def test_36_chance_without_a_seed_is_the_same_each_time(graded):
    cell = """
import random
first = random.random() + np.random.random()
def double(x): return first + random.random() + np.random.random()
"""
    records = {graded(GOOD, cell).as_json() for _ in range(2)}
    assert len(records) == 1
    seeded = {graded(GOOD, "import random; random.seed(7)", cell).as_json() for _ in range(2)}
    assert len(seeded) == 1
    assert seeded != records


@in_both_tiers
def test_threads_that_a_cell_asked_for_are_not_waited_for_by_the_checks(sandbox):
    cell = """
import torch
torch.set_num_threads(4)
def many(): return torch.exp(torch.zeros(10**6)).sum()
many()
"""
    unhurried = LIMITS._replace(call_seconds=30, cell_seconds=60)
    with closing(a_student(sandbox, cell, limits=unhurried)) as student:
        assert student.many() == 10**6


def test_a_server_that_was_lost_is_replaced(sandbox, graded):
    assert graded(GOOD).points == ALL
    server = forked._server(tuple(sandbox.command(forked.SERVER, [])), ())
    server._process.send_signal(signal.SIGKILL)
    server._process.wait()
    assert graded(GOOD).points == ALL


def test_a_server_that_cannot_fork_says_why():
    command = (sys.executable, "-c", "import sys; sys.exit('there is no room')")
    with pytest.raises(InfraError, match="no worker could be forked: there is no room"):
        ForkServer(command, ()).fork()


def test_a_server_ends_when_nobody_holds_it(sandbox):
    server = ForkServer(tuple(sandbox.command(forked.SERVER, [])), ())
    worker = server.fork()
    started = [*processes.descendants(server._process.pid), *processes.descendants(worker.pid)]
    pids = [pid for pid in started if processes.is_alive(pid)]
    assert {server._process.pid, worker.pid} < set(pids)
    del server
    assert all(map(processes.is_alive, pids))  # the worker holds it
    sandbox.stop(worker)
    del worker
    assert not any(map(processes.is_alive, pids))


def test_a_judge_that_is_killed_leaves_neither_server_nor_worker(small_exercise):
    judge = """
import sys, time
from course_lib.grading.exercise import Exercise
from course_lib.grading.processes import descendants
from course_lib.grading.sandbox.choice import sandboxes
from pathlib import Path
with sandboxes("forked bubblewrap", [Exercise(Path(sys.argv[1]))]) as by_name:
    (sandbox,) = by_name.values()
    worker = sandbox.start([])
    print(*descendants(worker.server._process.pid), *descendants(worker.pid), flush=True)
    time.sleep(600)
"""
    command = [sys.executable, "-c", judge, str(small_exercise.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        started = [int(pid) for pid in process.stdout.readline().split()]
        pids = [pid for pid in started if processes.is_alive(pid)]
        process.kill()
    assert len(pids) > 3
    deadline = time.monotonic() + 10
    while any(map(processes.is_alive, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.01)
