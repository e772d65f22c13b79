"""`grade check`: the visible checks on one's own notebook, without isolation."""

import argparse
from pathlib import Path

from course_lib.grading import notebook
from course_lib.grading.cells import code_cells, exercise_of
from course_lib.grading.running import run_cells
from course_lib.grading.say import say
from course_lib.messages import translated

EXAMPLE = """\
example:
  grade check ex04_scaling.en.ipynb --task softmax

The exit code is 0 if all visible checks pass, 1 if some don't, 2 if none could run.
"""


def add(commands: argparse._SubParsersAction) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "check",
        help="run the visible checks on your own notebook (it is run as it is)",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("notebook", type=Path, help="an .ipynb or .py file")
    parser.add_argument("--exercise", help="such as ex04, if the notebook doesn't say")
    parser.add_argument("--task", help="the checks of one task alone")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the notebook's cells, then the visible checks on what they define."""
    cells = code_cells(options.notebook)
    exercise = options.exercise or exercise_of(cells)
    with notebook.silent():
        namespace, failed = run_cells(cells)
    for line in failed:
        say(translated(line, notebook.language_of(namespace)))
    report = notebook.report(exercise, namespace, options.task)
    say(str(report))
    return 0 if all(outcome.passed or outcome.is_hidden for outcome in report.outcomes) else 1
