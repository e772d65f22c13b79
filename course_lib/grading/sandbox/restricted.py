"""An ordinary user under Landlock, seccomp and limits, for machines without namespaces.

Such is the inside of a container that somebody else runs, as on Gradescope.
"""

import os
import platform
import signal
import stat
import sys
from contextlib import suppress
from pathlib import Path

from course_lib.grading.processes import Process
from course_lib.grading.sandbox import confine, environment
from course_lib.grading.sandbox.ending import end
from course_lib.grading.sandbox.starting import start
from course_lib.grading.sandbox.system import folders_of_python

FIRST_USER, USERS = 62_000, 4_000  # each judge has one of its own, so that it can end all of it


class Restricted:
    """Starts workers as a user that owns nothing, with files, sockets and signals closed."""

    isolation = "restricted user"
    alone = True

    def __init__(self, library: Path) -> None:
        self._library = library

    @staticmethod
    def missing() -> str:
        """What this machine lacks for it; empty if nothing."""
        if sys.platform != "linux" or platform.machine() not in confine.REFUSED:
            return f"not for {sys.platform} on {platform.machine()}"
        if os.getuid() != 0:
            return "only root can start a process as another user"
        for place in (environment.interpreter(), *environment.packages()):
            for folder in reversed(place.resolve().parents):
                if not folder.stat().st_mode & stat.S_IXOTH:
                    return f"{folder} is closed to other users, and {place} lies in it"
        return ""

    def start(self, cells: list[str]) -> Process:
        """The worker, which may read the interpreter, the packages and its library, and no more."""
        folders = [str(folder) for folder in environment.packages()]
        readable = [*folders_of_python(), *environment.package_parts(), str(self._library)]
        worker = environment.command(environment.WORKER, str(self._library), folders)
        python = str(environment.interpreter())
        confined = [python, "-I", "-S", "-B", confine.__file__, str(self._user()), *readable, "--"]
        confined += [*folders, "--"]
        return start([*confined, *worker], env=environment.settings(), cwd=self._library)

    def stop(self, process: Process) -> None:
        """Kill it, and everything else that its user runs."""
        end(process)
        while running := [pid for pid in _processes() if owner(pid) == self._user()]:
            for pid in running:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    @staticmethod
    def _user() -> int:
        return FIRST_USER + os.getpid() % USERS


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def owner(pid: int) -> int:
    """The user of a process that has not ended; -1 if it has."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return -1
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return -1 if "Z" in fields["State"].split()[0] else int(fields["Uid"].split()[0])
