"""Two ways to do one thing, timed in turn; what is printed is the ratio."""

import resource
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table: ours took `ratio` times as long as the alternative."""

    what: str
    compared_with: str
    ratio: float
    limit: float
    milliseconds: float


def compare(
    what: str,
    ours: Callable[[], object],
    compared_with: str,
    theirs: Callable[[], object],
    *,
    limit: float,
    repetitions: int = 15,
    clock: Callable[[], float] | None = None,
) -> Row:
    """The median over repetitions of the ratio of two runs that follow each other.

    Time is processor time, that of subprocesses included, which other programs on the machine
    disturb less than the clock on the wall, unless a `clock` is given. The order changes every
    time; the first pair warms up.
    """
    now = clock or processor_seconds
    pairs = []
    for repetition in range(repetitions + 1):
        runs = [(0, ours), (1, theirs)]
        times = [0.0, 0.0]
        for place, run in runs if repetition % 2 else reversed(runs):
            before = now()
            run()
            times[place] = now() - before
        pairs.append(times)
    pairs = pairs[1:]
    ratio = statistics.median(mine / other for mine, other in pairs)
    return Row(what, compared_with, ratio, limit, 1e3 * statistics.median(t for t, _ in pairs))


def processor_seconds() -> float:
    """Seconds of processor time of this process, its threads and its finished children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
