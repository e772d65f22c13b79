"""End a worker with all that it started."""

import time

from course_lib.grading import processes
from course_lib.grading.processes import Process

SECONDS = 5  # for the kernel to end a process namespace


def end(process: Process) -> None:
    """Kill the process, close what led to it, and wait until its children are gone too."""
    started = list(processes.descendants(process.pid))
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()  # a child that waits for a call of its check ends at that
    deadline = time.monotonic() + SECONDS
    while any(map(processes.is_alive, started)) and time.monotonic() < deadline:
        time.sleep(0.001)
