"""The judge's side of one worker: start it, have it run the cells, talk to it in time."""

import json
import os
import secrets
import time
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from course_lib.grading import failures, processes, wire
from course_lib.grading.failures import InfraError
from course_lib.grading.limits import CELL_DIED, CELL_TIMED_OUT, Limits
from course_lib.grading.processes import Process
from course_lib.messages import Text

MOST_LINES = 50  # on cells that failed; a notebook can have thousands
START_SECONDS = 60  # for a worker that has not seen the learner's code yet


@runtime_checkable
class Sandbox(Protocol):
    """A way to start the worker where it can reach nothing, and to end all that it started."""

    isolation: str
    alone: bool  # whether the worker's user or namespace holds no processes but its own

    def start(self, cells: list[str]) -> Process:
        """A worker that will run these cells; its standard streams are pipes."""

    def stop(self, process: Process) -> None:
        """End it with all of its children."""


class CellStopped(Exception):
    """A cell that hung or ended the process; the worker is gone, and the next one leaves it out."""

    def __init__(self, number: int, line: Text) -> None:
        super().__init__(line)
        self.number, self.line = number, line


class WorkerProcess:
    """A worker that has run the cells of a submission and waits for calls."""

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits,
        cells: list[str],
        shortcuts: Mapping[str, list[str]],
        skip: list[int],
        deadline: float,
    ) -> None:
        self._sandbox, self._limits, self._deadline = sandbox, limits, deadline
        self._process = sandbox.start(cells)
        self._watch = processes.Watch(self._process.pid, limits.megabytes)
        os.set_blocking(self._pipe("stdin"), False)
        try:
            self._greet(cells, shortcuts, skip)
            self.failed = self._run_cells(len(cells))
        except BaseException:
            self.close()
            raise

    def send(self, message: dict[str, Any], seconds: float) -> None:
        """Send it a message; raises a WireError that says what went wrong."""
        wire.send(self._pipe("stdin"), message, seconds)

    def receive(self, seconds: float) -> dict[str, Any]:
        """Its next message; raises a WireError, or TooMuchMemory while it waits."""
        return wire.receive(self._pipe("stdout"), seconds, self._watch.look)

    def process_ids(self) -> list[int]:
        """The worker's processes, those included that its code started."""
        return list(processes.descendants(self._process.pid))

    def close(self) -> None:
        """End the worker and all that it started."""
        self._sandbox.stop(self._process)

    def _greet(self, cells: list[str], shortcuts: Mapping[str, list[str]], skip: list[int]) -> None:
        """Hand it the job; nothing of the learner's has run when it answers."""
        nonce = secrets.token_hex(8)
        job = {
            "nonce": nonce,
            "cells": np.frombuffer(json.dumps(cells).encode(), dtype="u1"),
            "skip": skip,
            "alone": self._sandbox.alone,
            "shortcuts": list(shortcuts.items()),
            "megabytes": self._limits.megabytes,
            "seconds": int(self._limits.submission_seconds),
            "processes": self._limits.processes,
        }
        try:
            self.send(job, START_SECONDS)
            reply = self.receive(START_SECONDS)
        except wire.WireError as error:
            said = processes.last_words(self._process)
            raise InfraError(f"the worker did not start: {error}; {said}") from None
        if reply != {"hello": nonce}:
            raise InfraError(f"the worker did not greet: {reply}")

    def _run_cells(self, count: int) -> list[str]:
        """The lines that say which cells failed. Cells can only be announced in their order."""
        number = 0
        try:
            while "ready" not in (reply := self.receive(self._seconds_for_a_cell())):
                following = reply.get("cell")
                if type(following) is not int or not number < following <= count:
                    raise wire.WireError("no cell has this number now")
                number = following
        except wire.TooLate:
            seconds = f"{self._limits.cell_seconds:g}"
            line = Text(CELL_TIMED_OUT, number=max(number, 1), seconds=seconds)
        except (wire.WireError, processes.TooMuchMemory):
            line = Text(CELL_DIED, number=max(number, 1))
        else:
            return _lines(reply.get("failed"), count)
        raise CellStopped(max(number, 1), line)

    def _seconds_for_a_cell(self) -> float:
        return min(self._limits.cell_seconds, self._deadline - time.monotonic())

    def _pipe(self, name: str) -> int:
        return getattr(self._process, name).fileno()


def _lines(failed: Any, count: int) -> list[str]:
    """What the worker says of cells that failed: pairs of a number and an error, or nothing."""
    pairs = failed if isinstance(failed, list) else []
    told = {
        pair[0]: pair[1]
        for pair in pairs
        if isinstance(pair, tuple) and [type(value) for value in pair] == [int, str]
    }
    return [
        Text(failures.CELL_FAILED, number=number, error=failures.steady(told[number]))
        for number in sorted(told)[:MOST_LINES]
        if 1 <= number <= count
    ]
