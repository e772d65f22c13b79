"""A `Student` whose functions run in a sandbox; checks can't tell the difference."""

import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

from course_lib.grading import failures, limits, wire
from course_lib.grading.failures import CheckFailed
from course_lib.grading.limits import Died, Limits, TimedOut
from course_lib.grading.processes import TooMuchMemory
from course_lib.grading.student import Student
from course_lib.grading.worker_process import CellStopped, Sandbox, WorkerProcess

FIELDS = ("name", "close", "kind", "error", "line", "place", "path")


class SandboxedStudent(Student):
    """Runs a submission's cells in a sandbox and asks there for the results of its functions.

    A worker that hangs, dies or talks nonsense is ended, which costs the check that was running,
    and the next check gets a new one. `skipped` are cells that hung or ended the process, and
    `notes` says of all that did not run through what became of them.
    """

    def __init__(
        self,
        cells: list[str],
        shortcuts: Mapping[str, list[str]],
        sandbox: Sandbox,
        limits: Limits,
        seconds_of: Callable[[str], float],
        deadline: float | None = None,
    ) -> None:
        super().__init__({}, shortcuts)
        self._cells, self._sandbox, self._limits = cells, sandbox, limits
        self._seconds_of = seconds_of
        self._deadline = deadline or time.monotonic() + limits.submission_seconds
        self._worker: WorkerProcess | None = None
        self.skipped: dict[int, str] = {}
        self._serving = False
        self.notes: list[str] = []

    def begin_check(self) -> None:
        """Forget the check before, and end the process that served it."""
        super().begin_check()
        if self._serving and self._worker is not None:
            try:
                self._worker.send({"end": True}, 1)
                if "ended" not in self._worker.receive(1):
                    self.close()
            except (wire.WireError, TooMuchMemory):
                self.close()
        self._serving = False

    def close(self) -> None:
        """End the worker."""
        worker, self._worker, self._serving = self._worker, None, False
        if worker is not None:
            worker.close()

    def process_ids(self) -> list[int]:
        """The worker's processes, those included that its code started."""
        return [] if self._worker is None else self._worker.process_ids()

    def answer(self, name: str, arguments: tuple) -> Any:
        """What the function returns in the sandbox; `CheckFailed` where it does not return."""
        worker = self._serving_worker(name)
        nonce, seconds = secrets.token_hex(8), self._seconds_of(name)
        try:
            worker.send({"call": name, "arguments": arguments, "nonce": nonce}, seconds)
            return self._result(name, nonce, worker.receive(seconds))
        except wire.TooLate:
            failure: CheckFailed = TimedOut(limits.TIMED_OUT, name=name, seconds=f"{seconds:g}")
        except TooMuchMemory:
            failure = Died(limits.TOO_MUCH, name=name, megabytes=self._limits.megabytes)
        except wire.Closed:
            failure = Died(limits.DIED, name=name)
        except wire.WireError:
            failure = Died(limits.GARBLED, name=name)
        self.close()
        raise failure

    def _result(self, name: str, nonce: str, reply: dict[str, Any]) -> Any:
        if "ended" in reply:
            self._serving = False
            signal = reply.get("signal")
            if type(signal) is int and signal < 0:
                raise Died(limits.DIED_BY_SIGNAL, name=name, signal=-signal)
            raise Died(limits.DIED, name=name)
        if not _is(reply.get("nonce"), nonce):
            raise wire.WireError("an answer to another question")
        if "result" in reply:
            return reply["result"]
        raise _failure(reply.get("failed"), reply.get("values"))

    def _serving_worker(self, name: str) -> WorkerProcess:
        """The worker, with a child of its own for the calls of this check."""
        if self._is_late():
            raise self._out_of_time(name)
        if self._serving and self._worker is not None:
            return self._worker
        if self._worker is not None and self._begins(self._worker):
            return self._worker
        # None yet, or one that the check before has damaged.
        fresh = self._start()
        if fresh is None and self._is_late():
            raise self._out_of_time(name)
        if fresh is None or not self._begins(fresh):
            raise Died(limits.NO_WORKER)
        return fresh

    def _is_late(self) -> bool:
        return time.monotonic() > self._deadline

    def _out_of_time(self, name: str) -> TimedOut:
        most = f"{self._limits.submission_seconds:g}"
        return TimedOut(limits.OUT_OF_TIME, name=name, seconds=most)

    def _begins(self, worker: WorkerProcess) -> bool:
        """Whether the worker has a child ready for the calls of this check; if not, it is ended."""
        mark, seconds = secrets.token_hex(8), self._limits.call_seconds
        try:
            worker.send({"check": mark}, seconds)
            self._serving = _is(worker.receive(seconds).get("checking"), mark)
        except (wire.WireError, TooMuchMemory):
            self._serving = False
        if not self._serving:
            self.close()
        return self._serving

    def _start(self) -> WorkerProcess | None:
        """A worker that has run all cells but those at which an earlier worker hung or ended."""
        while not self._is_late() and len(self.skipped) <= len(self._cells):
            skip = list(self.skipped)
            try:
                self._worker = WorkerProcess(
                    self._sandbox, self._limits, self._cells, self._shortcuts, skip, self._deadline
                )
            except CellStopped as stopped:
                self.skipped[stopped.number] = stopped.line
            else:
                self.notes = [*self.skipped.values(), *self._worker.failed]
                return self._worker
        self.notes = list(self.skipped.values())
        return None


def _is(said: Any, mark: str) -> bool:
    """Whether the worker said just this; what it says may be an array, which equals nothing."""
    return isinstance(said, str) and said == mark


def _failure(number: Any, values: Any) -> CheckFailed:
    """One of our sentences, chosen by the worker, with short and plain values of its own."""
    if type(number) is not int or not 0 <= number < len(failures.SENTENCES):
        raise wire.WireError("no sentence has this number")
    if not isinstance(values, list) or not all(_is_field(pair) for pair in values):
        raise wire.WireError("no values for a sentence")
    said = {name: failures.steady(v) if isinstance(v, str) else v for name, v in values}
    return CheckFailed(failures.SENTENCES[number], **(dict.fromkeys(FIELDS, "") | said))


def _is_field(pair: Any) -> bool:
    return (
        isinstance(pair, tuple)
        and len(pair) == 2
        and isinstance(pair[0], str)
        and pair[0] in FIELDS
        and type(pair[1]) in (str, int)
        and len(str(pair[1])) <= 2 * failures.LONGEST
    )
