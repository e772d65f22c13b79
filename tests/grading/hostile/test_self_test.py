"""The live self-test names each way out of a sandbox that leaks in just that way."""

import pwd
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from unittest.mock import Mock

import pytest

from course_lib.grading.failures import InfraError
from course_lib.grading.sandbox import choice, environment, library, self_test
from course_lib.grading.sandbox.bubblewrap import Bubblewrap
from course_lib.grading.sandbox.ending import end
from course_lib.grading.sandbox.forked import ForkedBubblewrap
from course_lib.grading.sandbox.self_test import breaches

NOBODYS = Path("/etc/passwd")  # in the place of a file of the judge's that everybody may read


@contextmanager
def a_library(file: str = "worker.py", changes: Mapping[str, str] = MappingProxyType({})):
    """The worker's library, with some pieces of a file replaced by others."""
    with choice._library([]) as folder:
        path = folder / "course_lib" / "grading" / file
        text = path.read_text(encoding="utf-8")
        for piece, other in changes.items():
            assert text.count(piece) == 1
            text = text.replace(piece, other)
        path.write_text(text, encoding="utf-8")
        yield folder


class Leaky(Bubblewrap):
    """Bubblewrap with one of its options replaced by others."""

    option: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def command(self, module, closed):
        # the filter of calls would refuse some attacks a second time
        whole = super().command(module, closed[: closed.index("--seccomp")])
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

    def command(self, module, closed):
        whole = super().command(module, closed)
        place = whole.index("--unshare-all")
        kinds = ("ipc", "net", "uts", "cgroup-try")
        return [*whole[:place], *(f"--unshare-{kind}" for kind in kinds), *whole[place + 1 :]]


class IsRoot(Leaky):
    option, others = ("--uid", "61000"), ("--uid", "0")


@pytest.mark.parametrize(
    ("leak", "named"),
    [
        (SharesTheNetwork, ["connect to a socket"]),
        (ShowsFiles, ["read a planted secret"]),
        (LetsWrite, ["write outside"]),
        (ShowsProcesses, ["see the judge's processes", "see another's processes"]),
        (IsRoot, ["be root"]),
    ],
)
def test_a_leak_is_named(leak, named):
    with a_library() as folder:
        assert breaches(leak(folder), [NOBODYS]) == named


OWN_TEMPORARY = '_mount(b"tmpfs", b"/tmp", options=FOLDER % (temporary, MOST_FILES))'
OWN_SHARED = '_mount(b"tmpfs", b"/dev/shm", options=FOLDER % (shared, MOST_FILES))'


@pytest.mark.parametrize(
    ("file", "changes", "named"),
    [
        ("namespaces.py", {OWN_TEMPORARY: "pass"}, "find another's files"),
        ("namespaces.py", {OWN_SHARED: "pass"}, "find another's files"),
        ("namespaces.py", {'os.chdir("/tmp")': "pass"}, "find another's files"),
        ("forkserver.py", {"namespaces.drop_capabilities()": "pass"}, "mount a folder"),
    ],
)
def test_a_leak_between_nested_namespaces_is_named(file, changes, named):
    with a_library(f"sandbox/{file}", changes) as folder:
        assert breaches(ForkedBubblewrap(folder), [NOBODYS]) == [named]


def test_processes_that_nested_namespaces_share_are_named(monkeypatch):
    monkeypatch.setattr(ForkedBubblewrap, "alone", False)  # or the first would end the second
    own_proc = '_mount(b"proc", b"/proc", NO_PROGRAMS)'
    no_more = 'Path("/proc/sys/user/max_user_namespaces").write_text("0", encoding="ascii")'
    shared = {" | NEW_PROCESSES)": ")", own_proc: "pass", no_more: "pass"}
    with a_library("sandbox/namespaces.py", shared) as folder:
        assert breaches(ForkedBubblewrap(folder), []) == ["see another's processes"]


def test_where_namespaces_cannot_be_nested_plain_bubblewrap_is_chosen(monkeypatch):
    command, no_more = ForkedBubblewrap.command, ["--disable-userns"]
    monkeypatch.setattr(
        ForkedBubblewrap, "command", lambda self, module, _: command(self, module, no_more)
    )
    monkeypatch.setattr(choice, "TIERS", choice.TIERS[:2])
    first, second = choice.examine([])
    assert "no worker could be forked: OSError: [Errno 28]" in first.against
    assert (second.isolation, second.against) == ("bubblewrap", "")
    assert choice.choose([]) == "bubblewrap"


@pytest.mark.parametrize("tier", [ForkedBubblewrap, Bubblewrap])
def test_a_number_of_processes_that_does_not_bind_is_named(tier):
    limit = '(resource.RLIMIT_NPROC, job["processes"], "u"),'
    with a_library(changes={limit: ""}) as folder:
        assert breaches(tier(folder), []) == ["fork without limit"]


@pytest.mark.parametrize("tier", [ForkedBubblewrap, Bubblewrap])
def test_where_memory_is_not_bound_no_worker_is_said_to_serve(tier, monkeypatch):
    monkeypatch.setattr(self_test, "LIMITS", self_test.LIMITS._replace(megabytes=1024))
    limit = '(resource.RLIMIT_AS, _mapped() + job["megabytes"] * MEGABYTE, "v"),'
    said = pytest.raises(InfraError, match="used more than 1024 MB of memory")
    with a_library(changes={limit: ""}) as folder, said:
        breaches(tier(folder), [])


@pytest.mark.parametrize("tier", [ForkedBubblewrap, Bubblewrap])
def test_a_process_that_stays_is_named(tier, monkeypatch):
    left = []
    with a_library() as folder:
        sandbox = tier(folder)
        monkeypatch.setattr(sandbox, "stop", left.append)
        try:
            assert breaches(sandbox, []) == ["leave a process behind"]
        finally:
            for process in left:
                end(process)


@pytest.mark.parametrize("limit", ["-v 4000000", "-t 800"])
def test_a_limit_of_the_machines_below_that_of_submissions_is_no_fault_of_theirs(limit):
    grade = [sys.executable, "-m", "course_lib.grading.cli", "doctor"]
    limited = ["bash", "-c", f'ulimit {limit}; exec "$@"', "bash", *grade]
    said = subprocess.run(limited, capture_output=True, encoding="utf-8")
    assert said.returncode == 2, said
    for tier in ("forked bubblewrap", "bubblewrap"):
        reason = rf"(?m)^no     {tier}  .*OSError: ulimit {limit[:2]} allows \d+ here, and \d+ are"
        assert re.search(reason, said.stdout), said.stdout


def test_a_sandbox_that_leaks_is_never_chosen(monkeypatch, refuses):
    monkeypatch.setattr(choice, "TIERS", (SharesTheNetwork,))
    with refuses("no sandbox holds on this machine; bubblewrap: an attack succeeded: connect"):
        choice.choose([])


def test_a_user_whom_no_list_names_has_no_home_and_can_grade(monkeypatch):
    monkeypatch.delenv("HOME")
    nobody = Mock(side_effect=KeyError("getpwuid(): uid not found: 54321"))
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    with a_library() as folder:
        assert breaches(Bubblewrap(folder), []) == []
    nobody.assert_called()


def test_a_sandbox_in_which_nothing_runs_is_never_chosen(monkeypatch, refuses):
    monkeypatch.setattr(library, "build", lambda folder, _: folder)
    monkeypatch.setattr(choice, "TIERS", (Bubblewrap,))
    with refuses("bubblewrap: the worker did not serve: "):
        choice.choose([])


@pytest.mark.parametrize("tier", [ForkedBubblewrap, Bubblewrap])
def test_packages_below_tmp_are_named_as_the_reason(tier, monkeypatch):
    monkeypatch.setattr(environment, "packages", lambda: [Path("/tmp/venv/site-packages")])
    assert tier.missing().startswith("/tmp/venv/site-packages cannot be seen in it")


def test_a_home_that_is_the_temporary_folder_is_no_breach(monkeypatch):
    monkeypatch.setenv("HOME", "/tmp")
    with a_library() as folder:
        assert breaches(ForkedBubblewrap(folder), []) == []
