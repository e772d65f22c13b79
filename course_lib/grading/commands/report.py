"""`grade report`: the page for each student, written again from the records."""

import argparse
from pathlib import Path

from course_lib.grading.exports.lines import lines_of
from course_lib.grading.exports.student_report import write_all
from course_lib.grading.record import Results
from course_lib.grading.say import say

EXAMPLE = """\
example:
  grade report results/

Nothing is graded again. Each page is one HTML file without scripts, in the language of the
student's notebook, safe to open and to send. The exit code is 0 if everyone has points, 1 if
somebody's page has to say that there are none yet, 2 if nothing could be written.
"""


def add(commands: argparse._SubParsersAction) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "report",
        help="write a page for each student, RESULTS/reports/*.html",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("results", type=Path, help="the folder that grade run wrote")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the pages and say where they are."""
    results = Results(options.results)
    count = write_all(results)
    say(f"{count} pages in {options.results / 'reports'}")
    return int(any(line.is_blank for line in lines_of(results)))
