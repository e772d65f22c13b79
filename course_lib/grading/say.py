"""Print text on any console."""

import sys

from course_lib.grading.exports.harmless import visible


def say(line: str) -> None:
    """Print a line, also on consoles that can't show all of its characters."""
    encoding = sys.stdout.encoding or "utf-8"
    line = visible(line, len(line))  # the name of a file can hold what a terminal obeys
    print(line.encode(encoding, errors="replace").decode(encoding))
