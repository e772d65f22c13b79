"""The processes that a worker started: the memory that they use, and their last words."""

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Protocol, runtime_checkable


@runtime_checkable
class Process(Protocol):
    """What the judge uses of a `subprocess.Popen`, and a worker that was forked off has too."""

    @property
    def pid(self) -> int:
        """Its number, also where it is the first in a namespace of its own."""

    @property
    def stdin(self) -> IO[Any] | None:
        """The pipe to it."""

    @property
    def stdout(self) -> IO[Any] | None:
        """The pipe from it."""

    @property
    def stderr(self) -> IO[Any] | None:
        """The pipe on which it says why it did not start."""

    def kill(self) -> None:
        """End it at once."""

    def wait(self) -> Any:
        """Return when it has ended."""


class TooMuchMemory(Exception):
    """All processes of a worker together use more than they may."""


class Watch:
    """Looks at a worker's memory while the judge waits."""

    def __init__(self, pid: int, megabytes: int) -> None:
        self._pid, self._most = pid, megabytes * 2**20

    def look(self) -> None:
        """Raise TooMuchMemory if the process and its children use more than they may."""
        pids = list(descendants(self._pid))
        # Pages that processes share count once for each in the first sum, and once in the second.
        if sum(map(_all_pages, pids)) > self._most and sum(map(_own_part, pids)) > self._most:
            raise TooMuchMemory


def descendants(pid: int) -> Iterator[int]:
    """A process and all that came of it, as the kernel tells while they live."""
    waiting = [pid]
    while waiting:
        pid = waiting.pop()
        yield pid
        for thread in _entries(Path(f"/proc/{pid}/task")):
            waiting += [int(child) for child in _read(thread / "children").split()]


def is_alive(pid: int) -> bool:
    """Whether there is such a process that has not ended."""
    state = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].strip()[:1]
    return state not in ("", "Z")


def _all_pages(pid: int) -> int:
    """The bytes that a process holds, also those that it had the system swap out."""
    return _bytes(pid, "status", ("VmRSS:", "VmSwap:"))


def _own_part(pid: int) -> int:
    """The same, with its part alone of those that it shares."""
    return _bytes(pid, "smaps_rollup", ("Pss:", "SwapPss:")) or _all_pages(pid)


def _bytes(pid: int, file: str, names: tuple[str, ...]) -> int:
    lines = _read(Path(f"/proc/{pid}/{file}")).splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(names))


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # it has just ended
        return []


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:  # it has just ended
        return ""


def last_words(process: Process) -> str:
    """What a worker that did not start wrote on its standard error."""
    process.kill()
    assert process.stderr is not None
    said = process.stderr.read(4000).decode(errors="replace").strip()
    return said.rpartition("\n")[2]
