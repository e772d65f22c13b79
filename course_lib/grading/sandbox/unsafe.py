"""No sandbox at all, for an instructor who says so; every record is stamped with it."""

import tempfile
from pathlib import Path

from course_lib.grading.processes import Process
from course_lib.grading.sandbox import environment
from course_lib.grading.sandbox.ending import end
from course_lib.grading.sandbox.starting import start


class Unsafe:
    """Runs workers as an ordinary process of the judge's own user."""

    isolation = "none"
    alone = False

    def __init__(self, library: Path) -> None:
        self._library = library

    def start(self, cells: list[str]) -> Process:
        """The worker, in the folder for temporary files."""
        folders = [str(folder) for folder in environment.packages()]
        command = environment.command(environment.WORKER, str(self._library), folders)
        return start(command, env=environment.settings(), cwd=tempfile.gettempdir())

    def stop(self, process: Process) -> None:
        """Kill it; a child that has hidden itself stays."""
        end(process)
