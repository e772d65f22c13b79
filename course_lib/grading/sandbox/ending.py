"""End a worker."""

import subprocess


def end(process: subprocess.Popen) -> None:
    """Kill the process, wait for it, and close what led to it."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
