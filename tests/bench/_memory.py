"""Grade a folder and print the judge's resident memory: `python -m tests.bench._memory FOLDER OUT`.

A program of its own, so that nothing is measured but the judge.
"""

import sys
from pathlib import Path

from course_lib.grading.class_run import Settings, run_class
from course_lib.grading.exercise import Exercise
from course_lib.grading.limits import Limits
from course_lib.grading.sandbox.choice import choose, sandboxes
from course_lib.grading.submissions import submissions

WORKERS = 2
SMALL = Path(__file__).parents[1] / "grading" / "hostile"  # an exercise of three functions


def main(folder: Path, out: Path) -> None:
    """A line after each submission: the bytes that the judge holds."""
    exercise = Exercise(SMALL)
    with sandboxes(choose([exercise.checks]), [exercise]) as by_name:
        settings = Settings([exercise], by_name, "secret", Limits(), out)
        for _ in run_class(submissions(folder), settings, WORKERS):
            print(resident(), flush=True)


def resident() -> int:
    """Bytes in memory of this process and of its own children: the pool, not the workers."""
    own = Path("/proc/self")
    children = " ".join(path.read_text() for path in own.glob("task/*/children")).split()
    return sum(map(_resident, [own, *(Path("/proc") / child for child in children)]))


def _resident(process: Path) -> int:
    try:
        lines = (process / "status").read_text(encoding="utf-8").splitlines()
    except OSError:  # it has just ended
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
