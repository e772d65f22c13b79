"""The command `grade`."""

import argparse
import importlib
import os
import sys

from course_lib.grading.say import say

COMMANDS = ("check", "release", "doctor", "run", "one", "merge", "export", "report")


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code of the command, 2 for an error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a console need not know every sign of a help text
            stream.reconfigure(errors="replace")
    options = parser().parse_args(arguments)
    try:
        code = options.run(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # `head`, say, has read as much as it wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141  # as of a program that SIGPIPE ends
    except (OSError, ValueError) as error:
        say(f"grade: {error}")
        return 2
    except KeyboardInterrupt:
        say("grade: stopped; what has been graded is kept: type the same command again to go on")
        return 130


def parser() -> argparse.ArgumentParser:
    """What the command line may hold: a command, and what it takes."""
    whole = argparse.ArgumentParser(
        prog="grade",
        description="Check exercises of the course, and grade a class without trusting its code.",
    )
    commands = whole.add_subparsers(required=True, metavar="COMMAND")
    for name in COMMANDS:
        importlib.import_module(f"course_lib.grading.commands.{name}").add(commands)
    return whole


if __name__ == "__main__":
    sys.exit(main())
