"""No sandbox at all, for an instructor who says so; every record is stamped with it."""

import subprocess
import tempfile
from pathlib import Path

from course_lib.grading.sandbox import environment
from course_lib.grading.sandbox.ending import end


class Unsafe:
    """Runs workers as an ordinary process of the judge's own user."""

    isolation = "none"
    alone = False

    def __init__(self, library: Path) -> None:
        self._library = library

    def start(self) -> subprocess.Popen:
        """The worker, in the folder for temporary files."""
        folders = [str(folder) for folder in environment.packages()]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            environment.command(str(self._library), folders),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            bufsize=0,
            start_new_session=True,
            env=environment.settings(),
            cwd=tempfile.gettempdir(),
        )

    def stop(self, process: subprocess.Popen) -> None:
        """Kill it; a child that has hidden itself stays."""
        end(process)
