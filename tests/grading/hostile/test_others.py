"""What one submission does to the machine costs no other one its time, its memory or its points."""

import os
import signal
import threading
import time
from contextlib import closing

import pytest

from course_lib.grading import processes
from course_lib.grading.class_run import Settings, run_class, share_of_processors
from course_lib.grading.failures import CheckFailed, InfraError
from course_lib.grading.processes import TooMuchMemory, Watch
from course_lib.grading.sandbox import forked
from course_lib.grading.submissions import submissions
from tests.grading.hostile.conftest import LIMITS, SECRET, a_student, in_both_tiers
from tests.grading.hostile.files import notebook, write
from tests.grading.hostile.kinds import ALL, GOOD

CALLS = """
import ctypes, fcntl, mmap, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def refused(result):
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result
"""
MEMORY_SECRET, LANDLOCK, OPEN_FILE_LOCK = 447, 444, 37
PIPE, SHARED_FILE = "reads, writes = os.pipe()", "file = os.open(os.__file__, os.O_RDONLY)"


def student_of(sandbox, *cells):
    return a_student(sandbox, CALLS, *cells)


@in_both_tiers
@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("mmap.mmap(-1, 4096)", "PermissionError"),
        ("mmap.mmap(-1, 4096, mmap.MAP_SHARED | mmap.MAP_ANON, mmap.PROT_READ)", "PermissionError"),
        ("mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)", "Error"),
        ("socket.socketpair()", "PermissionError"),
        (f"refused(libc.syscall({MEMORY_SECRET}, 0))", "PermissionError"),
        (f"{PIPE}; refused(libc.vmsplice(writes, None, 0, 0))", "PermissionError"),
        (f"refused(libc.syscall({LANDLOCK}, None, 0, 1))", "PermissionError"),
        ("os.openpty()", "Error"),
        (f"{SHARED_FILE}; fcntl.flock(file, fcntl.LOCK_EX)", "PermissionError"),
        (f"{SHARED_FILE}; fcntl.lockf(file, fcntl.LOCK_SH, 1, 271828)", "PermissionError"),
        (f"{SHARED_FILE}; fcntl.fcntl(file, {OPEN_FILE_LOCK}, bytes(32))", "PermissionError"),
        ("refused(libc.inotify_init())", "PermissionError"),
        ("refused(libc.inotify_init1(0))", "PermissionError"),
        ("refused(libc.fanotify_init(0x200, 0))", "PermissionError"),
        ("os.sched_setaffinity(0, range(os.cpu_count()))", "PermissionError"),
    ],
)
def test_11_no_memory_out_of_sight_and_nothing_of_others_can_be_had(sandbox, body, error):
    raised = pytest.raises(CheckFailed, match=f"`take` raised .*{error}")
    with closing(student_of(sandbox, f"def take(): {body}")) as student, raised:
        student.take()


@in_both_tiers
def test_nothing_can_be_left_on_a_device_for_the_next_submission_to_read(sandbox):
    cell = """
CHANGES = (os.utime, lambda path: os.utime(path, ns=(2, 3)), lambda path: os.chmod(path, 0o604))
def state(path):
    return os.stat(path).st_mode, os.stat(path).st_atime_ns, os.stat(path).st_mtime_ns
def changed():
    found = ["nothing"]
    for folder, _, names in os.walk("/dev"):
        paths = [folder, *(f"{folder}/{name}" for name in names)]
        for path in filter(os.path.exists, paths if folder != "/dev/shm" else []):
            before = state(path)
            for change in CHANGES:
                try:
                    change(path)
                except OSError:
                    pass
            found += [path] if state(path) != before else []
    return found
"""
    with closing(student_of(sandbox, cell)) as student:
        assert student.changed().tolist() == ["nothing"]


@in_both_tiers
def test_memory_of_its_own_and_a_small_shared_file_can_be_had(sandbox):
    cell = """
import multiprocessing
import shutil
def take():
    open("a file", "w").close()
    shutil.copy2("a file", "a copy")  # it copies the times too, and need not know that nothing does
    private = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANON)
    with open("shared", "w+b") as file:
        file.truncate(4096)
        shared = mmap.mmap(file.fileno(), 4096)
        private[0] = shared[0] = 7
    with multiprocessing.Lock():
        return private[0] + shared[0]
"""
    with closing(student_of(sandbox, cell)) as student:
        assert student.take() == 14


def test_10_what_pytorch_takes_of_addresses_is_not_the_learners(sandbox):
    cell = "import torch\ndef take(megabytes): return len(bytearray(int(megabytes) * 2**20))"
    small = LIMITS._replace(megabytes=400)  # PyTorch alone has more, though it uses less
    with closing(a_student(sandbox, cell, limits=small)) as student:
        assert student.take(100.0) == 100 * 2**20
        with pytest.raises(CheckFailed, match="`take` raised MemoryError"):
            student.take(500.0)


def test_20_no_more_than_ten_thousand_files_can_be_left_in_a_temporary_folder(sandbox):
    cell = """
def most():
    try:
        for number in range(20_000):
            os.close(os.open(str(number), os.O_CREAT | os.O_WRONLY))
    except OSError as error:
        return [number, error.errno == 28]
"""
    with closing(student_of(sandbox, cell)) as student:
        number, is_full = student.most().tolist()
    assert is_full
    assert number <= 10_000


def test_11_memory_that_a_submission_has_the_system_swap_out_counts(monkeypatch):
    files = {
        "status": "VmRSS: 8 kB\nVmSwap: {} kB\n",
        "smaps_rollup": "Pss: 8 kB\nSwapPss: {} kB\n",
    }
    for swapped, is_refused in ((1016, False), (1017, True)):
        read = {name: text.format(swapped) for name, text in files.items()}
        monkeypatch.setattr(processes, "_read", lambda path, read=read: read.get(path.name, ""))
        if is_refused:
            with pytest.raises(TooMuchMemory):
                Watch(os.getpid(), 1).look()
        else:
            Watch(os.getpid(), 1).look()


@pytest.mark.parametrize(
    ("have", "at_once", "shares"),
    [
        ({0, 1}, 2, [{0}, {1}]),
        ({2, 3, 5, 7, 11}, 2, [{2, 5, 11}, {3, 7}]),
        ({4}, 3, [{4}, {4}, {4}]),
        ({0, 1}, 1, [{0, 1}]),
    ],
)
def test_every_process_that_grades_has_processors_of_its_own(monkeypatch, have, at_once, shares):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: have)
    assert [share_of_processors(place, at_once) for place in range(at_once)] == shares


def test_submissions_graded_at_once_do_not_run_on_the_same_processor(
    small_exercise, sandbox, tmp_path
):
    cell = "def double(x): raise ValueError(str(sorted(os.sched_getaffinity(0))))"
    for name in ("kim", "lee"):
        cells = (GOOD, "import os, time; time.sleep(2)", cell, f"# {name}")
        write(tmp_path / "in" / f"{name}.ipynb", notebook(*cells))
    by_name = {small_exercise.name: sandbox}
    settings = Settings([small_exercise], by_name, SECRET, LIMITS, tmp_path / "out")
    for _ in run_class(submissions(tmp_path / "in"), settings, 2):
        pass
    records = [path.read_text("utf-8") for path in (tmp_path / "out").glob("records/*/*.json")]
    shares = [str(sorted(share_of_processors(place, 2))) for place in (0, 1)]
    assert len(records) == 2
    assert {share for share in shares for text in records if f"ValueError: {share}" in text} == set(
        shares
    )


def three_processes(server):
    """bubblewrap, its first process and the server, when what it forked off has ended."""
    deadline = time.monotonic() + 10
    while len(pids := list(processes.descendants(server._process.pid))) != 3:
        assert time.monotonic() < deadline, pids
    return pids


@pytest.mark.parametrize("place", [0, 1, 2], ids=["bubblewrap", "its first process", "the server"])
@pytest.mark.parametrize(
    "cells", [("def wait():\n    import time; time.sleep(5)",), ("import time; time.sleep(2.5)",)]
)
def test_who_was_at_work_when_the_server_was_lost_is_not_blamed(
    sandbox, graded, place, cells, monkeypatch
):
    sandbox.stop(sandbox.start([]))  # so that there is a server
    server = forked._server(tuple(sandbox.command(forked.SERVER, [])), ())
    pid = three_processes(server)[place]
    start = sandbox.start

    def start_and_lose(cells):
        worker = start(cells)
        threading.Timer(0.5, lambda: os.kill(pid, signal.SIGKILL)).start()
        return worker

    monkeypatch.setattr(sandbox, "start", start_and_lose)
    raised = pytest.raises(InfraError, match="forked off was lost")
    with closing(student_of(sandbox, *cells)) as student, raised:
        student.wait()
    monkeypatch.undo()
    assert graded(GOOD).points == ALL


def test_a_hundred_workers_leave_no_descriptor_and_no_process(sandbox):
    sandbox.stop(sandbox.start([]))
    server = forked._server(tuple(sandbox.command(forked.SERVER, [])), ())
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(100):
        sandbox.stop(sandbox.start([]))
    assert len(os.listdir("/proc/self/fd")) == before
    three_processes(server)
