"""A container, through docker or podman, for instructors who have one of them."""

import os
import secrets
import shutil
import subprocess
from pathlib import Path

from course_lib.grading.processes import Process
from course_lib.grading.sandbox import environment
from course_lib.grading.sandbox.bubblewrap import LIBRARY, TEMPORARY, USER
from course_lib.grading.sandbox.ending import end
from course_lib.grading.sandbox.starting import start

IMAGE = os.environ.get("GRADE_IMAGE", "python:3")
OWN_SECONDS = 60  # for the engine's own commands


class Container:
    """Starts workers in a container whose image brings Python, NumPy and, if needed, PyTorch."""

    isolation = "container"
    alone = True

    def __init__(self, library: Path) -> None:
        self._library = library
        self._names: dict[int, str] = {}

    @staticmethod
    def missing() -> str:
        """What this machine lacks for it; empty if nothing."""
        engine = _engine()
        if engine is None:
            return "neither docker nor podman found"
        asked = _ask(engine, "image", "inspect", IMAGE)
        return "" if asked.returncode == 0 else f"{engine} cannot use the image {IMAGE}"

    def start(self, cells: list[str]) -> Process:
        """The worker, in a container of its own that is gone when it ends."""
        name = f"grade-{secrets.token_hex(6)}"
        process = start(self.command(name))
        self._names[process.pid] = name
        return process

    def stop(self, process: Process) -> None:
        """Kill the container with everything in it, then the client that led to it."""
        _ask(_engine() or "docker", "kill", self._names.pop(process.pid))
        end(process)

    def command(self, name: str) -> list[str]:
        """The whole command line."""
        options = ["--rm", "--interactive", "--init", "--name", name, "--network", "none"]
        options += ["--user", f"{USER}:{USER}", "--cap-drop", "ALL", "--read-only"]
        options += ["--security-opt", "no-new-privileges", "--ipc", "none"]
        options += ["--pids-limit", "64", "--memory", "4g", "--memory-swap", "4g"]
        options += ["--tmpfs", f"/tmp:size={TEMPORARY},mode=1777", "--workdir", "/tmp"]
        options += ["--volume", f"{self._library}:{LIBRARY}:ro"]
        for variable, value in environment.settings().items():
            options += ["--env", f"{variable}={value}"]
        worker = ["python3", "-s", "-P", "-B", "-c", environment.BOOT, environment.WORKER, LIBRARY]
        return [_engine() or "docker", "run", *options, IMAGE, *worker]


def _engine() -> str | None:
    return next((name for name in ("podman", "docker") if shutil.which(name)), None)


def _ask(engine: str, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([engine, *words], capture_output=True, timeout=OWN_SECONDS)
