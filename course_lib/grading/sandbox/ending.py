"""End a worker with all that it started."""

import subprocess
import time

from course_lib.grading import processes

SECONDS = 5  # for the kernel to end a process namespace


def end(process: subprocess.Popen) -> None:
    """Kill the process, wait until its children are gone too, and close what led to it."""
    started = list(processes.descendants(process.pid))
    process.kill()
    process.wait()
    deadline = time.monotonic() + SECONDS
    while any(map(processes.is_alive, started)) and time.monotonic() < deadline:
        time.sleep(0.001)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
