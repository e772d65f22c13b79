"""Linux namespaces through bubblewrap: no network, and no files but Python's own."""

import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from course_lib.grading.processes import Process
from course_lib.grading.sandbox import confine, environment
from course_lib.grading.sandbox.ending import end
from course_lib.grading.sandbox.starting import start
from course_lib.grading.sandbox.system import folders_of_python

TEMPORARY = 64 * 2**20  # bytes that a worker may write
SHARED = 2**20  # bytes for /dev/shm, where processes of one worker find the locks that they share
USER = 61_000  # an ordinary user that owns nothing, in place of root
LIBRARY = "/library"

# Root first lays the folders out where an ordinary user can reach them, then stops being root:
# limits on the number of processes do not bind root, and a home folder may be closed to others.
AS_ORDINARY_USER = """\
set -e
mount -t tmpfs -o mode=755 tmpfs /mnt
while [ "$1" != -- ]; do mkdir -p "/mnt$1"; mount --rbind "$1" "/mnt$1"; shift; done
shift
exec setpriv --reuid "$1" --regid "$1" --clear-groups -- "${@:2}"
"""


class Bubblewrap:
    """Starts workers of one exercise, whose library lies in the folder `library`."""

    isolation = "bubblewrap"
    alone = True

    def __init__(self, library: Path) -> None:
        self._library = library

    @staticmethod
    def missing() -> str:
        """What this machine lacks for it; empty if nothing."""
        if sys.platform != "linux":
            return f"not for {sys.platform}"
        if platform.machine() not in confine.REFUSED:
            return f"not for {platform.machine()}"
        needed = ["bwrap"] + (["unshare", "setpriv", "mount"] if os.getuid() == 0 else [])
        lacking = [name for name in needed if shutil.which(name) is None]
        if lacking:
            return f"{', '.join(lacking)} not found"
        folders = [*map(Path, folders_of_python()), *environment.packages()]
        covered = [folder for folder in folders if Path("/tmp") in folder.resolve().parents]
        return f"{covered[0]} cannot be seen in it, as all that lies below /tmp" if covered else ""

    def start(self, cells: list[str]) -> Process:
        """The worker, which sees the interpreter, the packages and its library, and no more."""
        with tempfile.TemporaryFile(buffering=0) as calls:
            calls.write(confine.filter_of_calls())
            calls.seek(0)
            closed = ["--disable-userns", "--seccomp", str(calls.fileno())]
            command = self.command(environment.WORKER, closed)
            return start(command, env=own_environment(), pass_fds=[calls.fileno()])

    def stop(self, process: Process) -> None:
        """Kill it; all that it started dies with its process namespace."""
        end(process)

    def command(self, module: str, closed: list[str]) -> list[str]:
        """The whole command line that runs a module; `closed` are further options."""
        folders = [str(folder) for folder in environment.packages()]
        binds = {str(path): str(path) for path in [*folders_of_python(), *folders]}
        binds[str(self._library)] = LIBRARY
        python = environment.command(module, LIBRARY, folders)
        if os.getuid() != 0:
            return [*_wrapped(binds, closed), *python]
        moved = {f"/mnt{source}": target for source, target in binds.items()}
        shell = ["unshare", "--mount", "--propagation", "private", "bash", "-c", AS_ORDINARY_USER]
        return [*shell, "sandbox", *binds, "--", str(USER), *_wrapped(moved, closed), *python]


def own_environment() -> dict[str, str]:
    """bubblewrap's: it can be read in the sandbox, as that of its first process."""
    return {"PATH": os.environ.get("PATH", os.defpath)}


def _wrapped(binds: dict[str, str], closed: list[str]) -> list[str]:
    """bubblewrap's own part: every namespace anew, no capability, nothing writable but /tmp."""
    options = ["--unshare-all", "--unshare-user", *closed, "--cap-drop", "ALL"]
    options += ["--die-with-parent", "--new-session", "--hostname", "sandbox"]
    options += ["--uid", str(USER), "--gid", str(USER)]
    for source, target in binds.items():
        options += ["--ro-bind", source, target]
    for link in ("/lib", "/lib64"):
        if Path(link).is_symlink():
            options += ["--symlink", os.readlink(link), link]
    for folder in environment.packages():
        for own in ("course_lib", "exercises"):  # the installed package brings the checks along
            if (folder / own).is_dir():
                options += ["--tmpfs", str(folder / own), "--remount-ro", str(folder / own)]
    options += ["--proc", "/proc", "--dev", "/dev"]
    options += ["--dev-bind", os.devnull, "/dev/zero"]  # whose memory no process shows
    options += ["--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts"]  # a worker would own terminals
    options += ["--size", str(SHARED), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    options += ["--size", str(TEMPORARY), "--tmpfs", "/tmp", "--remount-ro", "/"]
    options += ["--chdir", "/tmp", "--clearenv"]
    for name, value in environment.settings().items():
        options += ["--setenv", name, value]
    return ["bwrap", *options, "--"]
