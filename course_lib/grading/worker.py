"""The process in which a learner's code runs. It knows no check, no expected value, no score.

The judge sends cells to run, then, for each check, calls to make; what it gets back is data. The
process forks for each check, so that no check can leave anything behind for the next one, and a
crash costs one check alone. What this process says is never trusted: the learner's code can change
all of it.
"""

import gc
import importlib
import importlib.machinery
import json
import os
import random
import resource
import signal
import sys
import time
import types
from contextlib import suppress
from typing import Any

import numpy as np

import course_lib.grading
from course_lib.grading import failures, wire
from course_lib.grading.failures import CheckFailed
from course_lib.grading.running import new_module, run_cell
from course_lib.grading.student import Student
from course_lib.messages import Text

MEGABYTE = 2**20
SWITCH = 0.0005  # seconds: threads that spin do not keep the worker from answering
GARBAGE = 50_000  # new objects between collections: at Python's 700 they are a fifth of an import


def main() -> None:
    """Serve the judge on standard input and output, which the learner's code does not get."""
    requests, replies = os.dup(0), os.dup(1)
    job = wire.receive(requests)
    _limit(job)
    wire.send(replies, {"hello": job["nonce"]})
    let_go_of_streams()
    sys.setswitchinterval(SWITCH)
    gc.set_threshold(GARBAGE)
    random.seed(0)  # whoever sets no seed gets the same each time
    np.random.seed(0)  # noqa: NPY002, learners use it
    namespace = _run_cells(job, replies)
    gc.freeze()  # a child that collects would copy every page of its parent
    chance = random.getstate()  # which Python itself draws anew in each child
    student = Student(namespace, dict(job["shortcuts"]))
    while True:
        request = wire.receive(requests)
        child = _fork()
        if child == 0:
            random.setstate(chance)
            _serve_check(student, request, requests, replies)
        _, status = os.waitpid(child, 0)
        _end_others(job)
        wire.send(replies, {"ended": request["check"], "signal": os.waitstatus_to_exitcode(status)})


def let_go_of_streams() -> None:
    """Read nothing from the standard streams any more, and write nothing to them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def _limit(job: dict[str, Any]) -> None:
    """Bounds that the process can't lift again: memory, processor time, processes, files."""
    for name, most, option in (
        (resource.RLIMIT_AS, _mapped() + job["megabytes"] * MEGABYTE, "v"),
        (resource.RLIMIT_CPU, job["seconds"], "t"),
        (resource.RLIMIT_NPROC, job["processes"], "u"),
        (resource.RLIMIT_FSIZE, 64 * MEGABYTE, "f"),
        (resource.RLIMIT_NOFILE, 256, "n"),
        (resource.RLIMIT_CORE, 0, "c"),
    ):
        allowed = resource.getrlimit(name)[1]
        if allowed != resource.RLIM_INFINITY and allowed < most:  # no fault of a submission
            raise OSError(f"ulimit -{option} allows {allowed} here, and {most} are needed")
        resource.setrlimit(name, (most, most))


def _mapped() -> int:
    """The bytes of addresses that libraries have taken already, PyTorch's gigabytes for a GPU."""
    with suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
    return 0


def _run_cells(job: dict[str, Any], replies: int) -> dict[str, Any]:
    """Run the cells in order, saying before each which it is; those that `skip` names are left."""
    course_lib.grading.check = _no_check  # type: ignore[attr-defined]
    sys.modules.update(_colab())
    sys.modules["tqdm.notebook"] = _PlainBars("tqdm.notebook")
    module = sys.modules["__main__"] = new_module()
    failed, own = [], os.getpid()
    for number, source in enumerate(json.loads(job["cells"].tobytes()), start=1):
        if number in job["skip"]:
            continue
        wire.send(replies, {"cell": number})
        try:
            error = run_cell(source, number, vars(module))
        except BaseException as stronger:  # such as KeyboardInterrupt, which nobody sent
            error = failures.described(stronger)
        failed += [(number, error)] if error else []
        _end_copies(own)
    _end_others(job)
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)  # an alarm left on would end this process between checks
    wire.send(replies, {"ready": job["nonce"], "failed": failed})
    return vars(module)


def _end_copies(own: int) -> None:
    """A process that the learner's code forked off ends here, when it comes to where we stood."""
    if os.getpid() != own:
        os._exit(0)


def _end_others(job: dict[str, Any]) -> None:
    """Where the sandbox keeps the worker apart, end whatever the learner's code left running."""
    if job["alone"]:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        with suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)


def _fork() -> int:
    """Fork, when those that have just been ended have made room for another process."""
    for _ in range(200):
        try:
            return os.fork()
        except BlockingIOError:
            time.sleep(0.01)
    return os.fork()


def _no_check(*_: Any, **__: Any) -> None:
    """In place of the notebook's own `check`: the judge runs the checks."""


class _PlainBars(types.ModuleType):
    """In place of progress bars that need a notebook's widgets."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module("tqdm.std"), name)


def _colab() -> dict[str, types.ModuleType]:
    """Stand-ins for what Colab alone has; whatever is called there does nothing."""

    class Nothing(types.ModuleType):
        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return _no_check

    modules: dict[str, types.ModuleType] = {}
    for name in ("google", "google.colab", "google.colab.drive", "google.colab.files"):
        modules[name] = Nothing(name)
        modules[name].__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
        modules[name].__path__ = []
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(modules[parent], child, modules[name])
    return modules


def _serve_check(student: Student, request: dict, requests: int, replies: int) -> None:
    """Make the calls of one check, in a process that ends with it."""
    own = os.getpid()
    try:
        wire.send(replies, {"checking": request["check"]})
        while "end" not in (request := wire.receive(requests)):
            reply = _called(student, request["call"], request["arguments"])
            _end_copies(own)
            try:
                wire.send(replies, {"nonce": request["nonce"], **reply})
            except wire.NoData as error:
                reply = _failed(failures.NO_DATA, name=request["call"], kind=str(error))
                wire.send(replies, {"nonce": request["nonce"], **reply})
    finally:
        os._exit(0)


def _called(student: Student, name: str, arguments: tuple) -> dict[str, Any]:
    """The result of a call as data, or which sentence says why there is none."""
    try:
        return {"result": getattr(student, name)(*arguments)}
    except CheckFailed as error:
        sentence = error.sentence
        if not isinstance(sentence, Text):  # raised by the learner's own code
            sentence = Text(failures.RAISED, name=name, error=failures.described(error))
        return _failed(sentence.template, **sentence.values)


def _failed(sentence: str, **values: Any) -> dict[str, Any]:
    """A failure as the judge understands it: the sentence by its number, and what goes into it."""
    return {"failed": failures.SENTENCES.index(sentence), "values": list(values.items())}


if __name__ == "__main__":
    with suppress(wire.WireError):
        main()
