"""Print text on any console."""

import sys


def say(line: str) -> None:
    """Print a line, also on consoles that can't show all of its characters."""
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, errors="replace").decode(encoding))
