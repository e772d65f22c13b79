"""bubblewrap started once for many workers, which begin with what is slow to import."""

import json
import os
import re
import select
import signal
import socket
import weakref
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from course_lib.grading import processes
from course_lib.grading.failures import InfraError
from course_lib.grading.processes import Process
from course_lib.grading.sandbox.bubblewrap import Bubblewrap, own_environment
from course_lib.grading.sandbox.ending import end
from course_lib.grading.sandbox.starting import start

SERVER = "course_lib.grading.sandbox.forkserver"
SLOW = ("torch",)
START_SECONDS = 60


class ForkedBubblewrap(Bubblewrap):
    """Forks workers off a process in bubblewrap, each into namespaces of its own.

    Where namespaces can't be nested no worker starts, and the next tier is plain bubblewrap.
    """

    isolation = "forked bubblewrap"

    def start(self, cells: list[str]) -> Process:
        """A worker that has imported what is slow, if the cells name it."""
        modules = tuple(name for name in SLOW if re.search(rf"\b{name}\b", "\n".join(cells)))
        command = tuple(self.command(SERVER, []))
        if not _server(command, modules).is_alive():
            _server.cache_clear()
        return _server(command, modules).fork()

    def stop(self, process: Process) -> None:
        """Kill it; InfraError if its server is gone, which no learner's code can bring about."""
        super().stop(process)
        if isinstance(process, ForkedWorker) and not process.server.is_alive():
            raise InfraError("the process that workers are forked off was lost")


class ForkServer:
    """The process that workers are forked off. It ends when nobody holds it any more."""

    def __init__(self, command: tuple[str, ...], modules: tuple[str, ...]) -> None:
        self._socket, its_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its_end:
            self._process = start(list(command), stdin=its_end.fileno(), env=own_environment())
        weakref.finalize(self, _end_server, self._process, self._socket)
        self._socket.settimeout(START_SECONDS)
        self._socket.send(json.dumps(modules).encode())

    def is_alive(self) -> bool:
        """Whether it answers, and so can go on forking."""
        try:
            self._socket.send(b"?")
            return bool(self._socket.recv(100))
        except OSError:
            return False

    def fork(self) -> "ForkedWorker":
        """A new worker; InfraError where there is none."""
        ours, its_ends = _pipes()
        try:
            socket.send_fds(self._socket, [b"fork"], its_ends)
            _, handles, *_ = socket.recv_fds(self._socket, 100, 1)
        except OSError:
            handles = []
        finally:
            for descriptor in its_ends:
                os.close(descriptor)
        if not handles:
            self._socket.shutdown(socket.SHUT_RDWR)  # it is not asked again
            for descriptor in ours:
                os.close(descriptor)
            raise InfraError(f"no worker could be forked: {processes.last_words(self._process)}")
        return ForkedWorker(self, handles[0], *ours)


@lru_cache(maxsize=2)  # one of an exercise with PyTorch, one without
def _server(command: tuple[str, ...], modules: tuple[str, ...]) -> ForkServer:
    return ForkServer(command, modules)


class ForkedWorker:
    """A worker that is no child of the judge's; it is used like a `subprocess.Popen`."""

    def __init__(
        self, server: ForkServer, handle: int, stdin: int, stdout: int, stderr: int
    ) -> None:
        self.server, self._handle = server, handle
        weakref.finalize(self, os.close, handle)
        self.pid = _pid(handle)
        self.stdin = os.fdopen(stdin, "wb", buffering=0)
        self.stdout = os.fdopen(stdout, "rb", buffering=0)
        self.stderr = os.fdopen(stderr, "rb", buffering=0)

    def kill(self) -> None:
        """End the first process of its namespace, and so all of them."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def wait(self) -> None:
        """Return when all of them have ended."""
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        poll.poll()


def _pipes() -> tuple[list[int], list[int]]:
    """For standard input, output and error: the judge's end of each, and the worker's."""
    (reads, writes), *others = os.pipe(), os.pipe(), os.pipe()
    return [writes, *(r for r, _ in others)], [reads, *(w for _, w in others)]


def _pid(handle: int) -> int:
    """The number of a process among those of the judge."""
    fields = Path(f"/proc/self/fdinfo/{handle}").read_text(encoding="ascii").split()
    return int(fields[fields.index("Pid:") + 1])


def _end_server(process: Process, channel: socket.socket) -> None:
    channel.close()
    end(process)
