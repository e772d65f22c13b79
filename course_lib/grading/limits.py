"""What a submission may use, and the ways in which it uses more."""

from typing import NamedTuple

from course_lib.grading.failures import CheckFailed

TIMED_OUT = "`{name}` was stopped after {seconds} s."
OUT_OF_TIME = "`{name}` did not run: the submission had used its {seconds} s by then."
DIED = "The process ended while `{name}` ran."
DIED_BY_SIGNAL = "The process ended while `{name}` ran (signal {signal})."
TOO_MUCH = "`{name}` was stopped: its processes used more than {megabytes} MB of memory."
GARBLED = "`{name}` did not answer with plain data."
NO_WORKER = "The notebook's own cells stop the process that runs it."
CELL_TIMED_OUT = "code cell {number} was stopped after {seconds} s"
CELL_DIED = "code cell {number} ended the process that ran it"


class Limits(NamedTuple):
    """Seconds are of the wall clock, for each cell and for each call of a function."""

    call_seconds: float = 10
    cell_seconds: float = 30
    submission_seconds: float = 900
    megabytes: int = 4096
    processes: int = 64


class TimedOut(CheckFailed):
    """A call that did not end in time."""

    status = "timeout"


class Died(CheckFailed):
    """A call that ended the process, or garbled what it says."""

    status = "crashed"
