"""The command `grade`."""

import argparse
import sys
from pathlib import Path

from course_lib.grading import notebook
from course_lib.grading.cells import code_cells, exercise_of
from course_lib.grading.running import run_cells


def main(arguments: list[str] | None = None) -> int:
    """Read the command line; 0 if all visible checks pass, 1 if some don't, 2 if none could run."""
    parser = argparse.ArgumentParser(prog="grade", description="Check exercises of the course.")
    commands = parser.add_subparsers(required=True)
    check = commands.add_parser(
        "check", help="run the visible checks on your own notebook (it is run as it is)"
    )
    check.add_argument("notebook", type=Path, help="an .ipynb or .py file")
    check.add_argument("--exercise", help="such as ex04, if the notebook doesn't say")
    check.add_argument("--task", help="the checks of one task alone")
    check.set_defaults(run=check_notebook)
    options = parser.parse_args(arguments)
    try:
        return options.run(options)
    except (OSError, ValueError) as error:
        say(f"grade: {error}")
        return 2


def check_notebook(options: argparse.Namespace) -> int:
    """Run the notebook's cells, then the visible checks on what they define."""
    cells = code_cells(options.notebook)
    exercise = options.exercise or exercise_of(cells)
    with notebook.silent():
        namespace, failed = run_cells(cells)
    for line in failed:
        say(line)
    report = notebook.report(exercise, namespace, options.task)
    say(str(report))
    return 0 if all(outcome.passed or outcome.is_hidden for outcome in report.outcomes) else 1


def say(line: str) -> None:
    """Print a line, also on consoles that can't show all of its characters."""
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, errors="replace").decode(encoding))


if __name__ == "__main__":
    sys.exit(main())
