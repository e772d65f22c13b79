"""The judge's side of a worker: a `Student` whose functions run in a sandbox."""

import secrets
import subprocess
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from course_lib.grading import failures, processes, wire
from course_lib.grading.failures import CheckFailed
from course_lib.grading.student import Student

TIMED_OUT = "`{name}` was stopped after {seconds} s."
DIED = "The process ended while `{name}` ran{signal}."
TOO_MUCH = "`{name}` was stopped: its processes used more than {megabytes} MB of memory."
GARBLED = "`{name}` did not answer with plain data."
NO_WORKER = "The notebook's own cells stop the process that runs it."
CELL_TIMED_OUT = "code cell {number} was stopped after {seconds} s"
CELL_DIED = "code cell {number} ended the process that ran it"


class InfraError(Exception):
    """Grading itself failed, and that says nothing about the submission."""


class TimedOut(CheckFailed):
    """A call that did not end in time."""

    status = "timeout"


class Died(CheckFailed):
    """A call that ended the process, or garbled what it says."""

    status = "crashed"


class Limits(NamedTuple):
    """What a submission may use. Seconds are of the wall clock, for each cell and each call."""

    call_seconds: float = 10
    cell_seconds: float = 60
    submission_seconds: float = 900
    megabytes: int = 4096
    cpu_seconds: int = 900
    processes: int = 64


class Sandbox(Protocol):
    """A way to start the worker where it can reach nothing, and to end all that it started."""

    isolation: str

    def start(self) -> subprocess.Popen:
        """The worker's process, its standard input and output being pipes."""

    def stop(self, process: subprocess.Popen) -> None:
        """End it with all of its children."""


class SandboxedStudent(Student):
    """Runs a submission's cells in a sandbox and asks there for the results of its functions."""

    def __init__(
        self,
        cells: list[str],
        shortcuts: dict[str, list[str]],
        sandbox: Sandbox,
        limits: Limits,
        seconds_of: Callable[[str], float] | None = None,
    ) -> None:
        super().__init__({}, shortcuts)
        self._cells, self._sandbox, self._limits = cells, sandbox, limits
        self._seconds_of = seconds_of or (lambda name: limits.call_seconds)
        self._deadline = time.monotonic() + limits.submission_seconds
        self._process: subprocess.Popen | None = None
        self._skipped: dict[int, str] = {}
        self._serving = False
        self.notes: list[str] = []

    def begin_check(self) -> None:
        super().begin_check()
        self._end_check()

    def close(self) -> None:
        """End the worker."""
        if self._process is not None:
            self._sandbox.stop(self._process)
        self._process, self._serving = None, False

    def answer(self, name: str, arguments: tuple) -> Any:
        if time.monotonic() > self._deadline:
            raise TimedOut(TIMED_OUT, name=name, seconds=f"{self._limits.submission_seconds:g}")
        self._serve_check()
        nonce = secrets.token_hex(8)
        seconds = self._seconds_of(name)
        try:
            self._send({"call": name, "arguments": arguments, "nonce": nonce}, seconds)
            reply = self._receive(seconds)
        except wire.TooLate:
            self.close()
            raise TimedOut(TIMED_OUT, name=name, seconds=f"{seconds:g}") from None
        except processes.TooMuchMemory:
            self.close()
            raise Died(TOO_MUCH, name=name, megabytes=self._limits.megabytes) from None
        except wire.Closed:
            self.close()
            raise Died(DIED, name=name, signal="") from None
        except wire.WireError:
            self.close()
            raise Died(GARBLED, name=name) from None
        return self._result(name, nonce, reply)

    def _result(self, name: str, nonce: str, reply: dict[str, Any]) -> Any:
        if "ended" in reply:
            self._serving = False
            signal = reply.get("signal")
            number = f" (signal {-signal})" if type(signal) is int and signal < 0 else ""
            raise Died(DIED, name=name, signal=number)
        if reply.get("nonce") == nonce and "result" in reply:
            return reply["result"]
        sentence, values = reply.get("failed"), reply.get("values")
        if reply.get("nonce") == nonce and _is_failure(sentence, values):
            template = failures.SENTENCES[sentence]
            raise CheckFailed(template, **{**dict.fromkeys(FIELDS, ""), **dict(values)})
        self.close()
        raise Died(GARBLED, name=name)

    def _serve_check(self) -> None:
        """Have a child of the worker ready for the calls of this check."""
        if self._serving:
            return
        if self._process is None:
            self._start()
        mark = secrets.token_hex(8)
        try:
            self._send({"check": mark}, self._limits.call_seconds)
            if self._receive(self._limits.call_seconds) != {"checking": mark}:
                raise wire.WireError("another answer")
        except (wire.WireError, processes.TooMuchMemory):
            self.close()
            raise Died(NO_WORKER) from None
        self._serving = True

    def _end_check(self) -> None:
        """Let the child of the check before end; if it does not, end the whole worker."""
        if not self._serving:
            return
        self._serving = False
        try:
            self._send({"end": True}, 1)
            if "ended" not in self._receive(1):
                self.close()
        except (wire.WireError, processes.TooMuchMemory):
            self.close()

    def _start(self) -> None:
        """Start a worker and run the cells; one that hangs or ends the process is left out then."""
        while len(self._skipped) < len(self._cells):
            stopped = self._run_cells()
            if stopped is None:
                return
            self._skipped[stopped[0]] = stopped[1]
            if time.monotonic() > self._deadline:
                break
        if self._cells:
            raise Died(NO_WORKER)
        self._run_cells()

    def _run_cells(self) -> tuple[int, str] | None:
        """Run them in a new worker; the number of the cell at which that ended, and why."""
        self._greet()
        number, reply = 0, {}
        try:
            while "ready" not in (reply := self._receive(self._limits.cell_seconds)):
                number = _cell_number(reply, self._cells)
        except wire.TooLate:
            line = failures.Text(
                CELL_TIMED_OUT, number=number, seconds=f"{self._limits.cell_seconds:g}"
            )
        except (wire.WireError, processes.TooMuchMemory):
            line = failures.Text(CELL_DIED, number=number)
        else:
            self.notes = [*self._skipped.values(), *_lines(reply.get("failed"))]
            return None
        self.close()
        return max(number, 1), line

    def _greet(self) -> None:
        """A new worker, which has not run any of the learner's code yet."""
        nonce = secrets.token_hex(8)
        job = {
            "nonce": nonce,
            "cells": self._cells,
            "skip": list(self._skipped),
            "shortcuts": list(self._shortcuts.items()),
            "megabytes": self._limits.megabytes,
            "cpu_seconds": self._limits.cpu_seconds,
            "processes": self._limits.processes,
        }
        self._process = self._sandbox.start()
        try:
            self._send(job, 30)
            reply = self._receive(30)
        except wire.WireError as error:
            said = processes.last_words(self._process)
            self.close()
            raise InfraError(f"the worker did not start: {error}; {said}") from None
        if reply != {"hello": nonce}:
            self.close()
            raise InfraError(f"the worker did not greet: {reply}")

    def _send(self, message: dict[str, Any], seconds: float) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        wire.send(self._process.stdin.fileno(), message, seconds)

    def _receive(self, seconds: float) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        watch = processes.Watch(self._process.pid, self._limits.megabytes)
        return wire.receive(self._process.stdout.fileno(), seconds, watch)


FIELDS = ("name", "close", "kind", "error", "line", "place", "path")


def _is_failure(sentence: Any, values: Any) -> bool:
    """Whether the worker named one of our sentences and gave it short, plain values."""
    return (
        type(sentence) is int
        and 0 <= sentence < len(failures.SENTENCES)
        and isinstance(values, list)
        and all(isinstance(pair, tuple) and len(pair) == 2 for pair in values)
        and all(pair[0] in FIELDS and type(pair[1]) in (str, int) for pair in values)
        and all(len(str(pair[1])) <= 2 * failures.LONGEST for pair in values)
    )


def _cell_number(reply: dict[str, Any], cells: list[str]) -> int:
    number = reply.get("cell")
    if type(number) is not int or not 1 <= number <= len(cells):
        raise wire.WireError("no cell has this number")
    return number


def _lines(failed: Any) -> list[str]:
    """What the worker says of cells that failed, if it is a list of lines."""
    if not isinstance(failed, list):
        return []
    return [line[: 2 * failures.LONGEST] for line in failed if isinstance(line, str)]
