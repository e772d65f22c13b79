"""Attack the sandbox, live, before every run: does it hold on this machine, today?"""

import os
import secrets
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from course_lib.grading import processes
from course_lib.grading.failures import CheckFailed, InfraError
from course_lib.grading.limits import Limits
from course_lib.grading.sandbox import probe
from course_lib.grading.sandboxed import SandboxedStudent
from course_lib.grading.worker_process import Sandbox

LIMITS = Limits(call_seconds=60, cell_seconds=60)


def breaches(sandbox: Sandbox, private: list[Path]) -> list[str]:
    """The attacks that succeed in the sandbox; `private` are files that it must not show.

    InfraError where there was nobody to attack from.
    """
    with tempfile.TemporaryDirectory() as name, _targets(Path(name)) as (port, marker):
        folder = Path(name)
        folder.chmod(0o777)  # only the sandbox itself keeps anybody out
        planted = folder / "secret.txt"
        planted.write_text("the expected values", encoding="utf-8")
        outside = [folder / "outside.txt", Path("/outside")]
        home = Path(os.path.expanduser("~"))  # a user whom no list names has none
        if home.is_absolute() and home != Path("/tmp"):  # a worker has a /tmp of its own
            outside.append(home / ".grade-outside")
        arguments = (
            port,
            str(folder / "socket"),
            [str(path) for path in (planted, *private)],
            [str(path) for path in outside],
            marker,
            LIMITS.processes,
            LIMITS.megabytes,
        )
        return _attack(sandbox, arguments)


def _attack(sandbox: Sandbox, arguments: tuple) -> list[str]:
    try:
        with closing(_student(sandbox)) as another, closing(_student(sandbox)) as student:
            another.leave()
            found = [str(what) for what in student.attack(*arguments).ravel()]
            started = [*another.process_ids(), *student.process_ids()]
    except (CheckFailed, InfraError, OSError) as error:
        raise InfraError(f"the worker did not serve: {error}") from None
    if any(map(processes.is_alive, started)):
        found.append("leave a process behind")
    return [what for what in found if what != "nothing"]


def _student(sandbox: Sandbox) -> SandboxedStudent:
    source = Path(probe.__file__).read_text(encoding="utf-8")
    student = SandboxedStudent([source], {}, sandbox, LIMITS, lambda _: LIMITS.call_seconds)
    student.begin_check()
    return student


@contextmanager
def _targets(folder: Path) -> Iterator[tuple[int, str]]:
    """A port and a socket that listen, and a process that can be told by its command line."""
    marker = f"{10_000 + secrets.randbelow(10_000)}"
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        named.bind(str(folder / "socket"))
        abstract.bind("\0" + str(folder / "socket"))
        os.chmod(folder / "socket", 0o777)
        named.listen()
        abstract.listen()
        sleeper = subprocess.Popen(["sleep", marker])
        try:
            yield server.getsockname()[1], marker
        finally:
            sleeper.kill()
            sleeper.wait()
