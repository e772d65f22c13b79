"""The live self-test names each way out of a sandbox that leaks in just that way."""

import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from course_lib.grading.sandbox import choice, library
from course_lib.grading.sandbox.bubblewrap import Bubblewrap
from course_lib.grading.sandbox.self_test import breaches

NOBODYS = Path("/etc/passwd")  # in the place of a file of the judge's that everybody may read


@contextmanager
def a_library(without: str = ""):
    with choice._library([]) as folder:
        worker = folder / "course_lib" / "grading" / "worker.py"
        text = worker.read_text(encoding="utf-8")
        assert without in text
        if without:
            lines = [line for line in text.splitlines() if without not in line]
            worker.write_text("\n".join(lines), encoding="utf-8")
        yield folder


class Leaky(Bubblewrap):
    """Bubblewrap with one of its options replaced by others."""

    option: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def command(self, calls):
        whole = super().command(calls)
        filtered = whole.index("--seccomp")  # it would refuse some attacks a second time
        whole = [*whole[:filtered], *whole[filtered + 2 :]]
        place = next(
            n for n in range(len(whole)) if tuple(whole[n : n + len(self.option)]) == self.option
        )
        return [*whole[:place], *self.others, *whole[place + len(self.option) :]]


class SharesTheNetwork(Leaky):
    option, others = ("--unshare-all",), ("--unshare-all", "--share-net")


class ShowsFiles(Leaky):
    option, others = ("--proc", "/proc"), ("--ro-bind", "/etc", "/etc", "--proc", "/proc")


class LetsWrite(Leaky):
    option, others = ("--remount-ro", "/"), ()


class ShowsProcesses(Leaky):
    alone = False  # it shares the namespace of everybody's processes: nothing may be ended at large
    option, others = ("--proc", "/proc"), ("--ro-bind", "/proc", "/proc")

    def command(self, calls):
        whole = super().command(calls)
        place = whole.index("--unshare-all")
        kinds = ("ipc", "net", "uts", "cgroup-try")
        return [*whole[:place], *(f"--unshare-{kind}" for kind in kinds), *whole[place + 1 :]]


class IsRoot(Leaky):
    option, others = ("--uid", "61000"), ("--uid", "0")


@pytest.mark.parametrize(
    ("leak", "breach"),
    [
        (SharesTheNetwork, "connect to a socket"),
        (ShowsFiles, "read a planted secret"),
        (LetsWrite, "write outside"),
        (ShowsProcesses, "see the judge's processes"),
        (IsRoot, "be root"),
    ],
)
def test_a_leak_is_named(leak, breach):
    with a_library() as folder:
        assert breaches(leak(folder), [NOBODYS]) == [breach]


@pytest.mark.parametrize(
    ("limit", "breach"),
    [
        ("RLIMIT_NPROC", "fork without limit"),
        ("RLIMIT_AS", "was stopped: its processes used more than 2048 MB of memory"),
    ],
)
def test_a_limit_that_does_not_bind_is_named(limit, breach):
    with a_library(without=limit) as folder:
        (found,) = breaches(Bubblewrap(folder), [])
        assert breach in found


class LeavesProcesses(Bubblewrap):
    left: subprocess.Popen | None = None

    def stop(self, process):
        self.left = process


def test_a_process_that_stays_is_named():
    with a_library() as folder:
        sandbox = LeavesProcesses(folder)
        try:
            assert breaches(sandbox, []) == ["leave a process behind"]
        finally:
            Bubblewrap.stop(sandbox, sandbox.left)


def test_a_sandbox_that_leaks_is_never_chosen(monkeypatch, refuses):
    monkeypatch.setattr(choice, "TIERS", (SharesTheNetwork,))
    with refuses("no sandbox holds on this machine; bubblewrap: an attack succeeded: connect"):
        choice.choose([])


def test_a_sandbox_in_which_nothing_runs_is_never_chosen(monkeypatch, refuses):
    monkeypatch.setattr(library, "build", lambda folder, _: folder)
    monkeypatch.setattr(choice, "TIERS", (Bubblewrap,))
    with refuses("the worker did not serve"):
        choice.choose([])
