"""`grade doctor`: can this machine grade, and how well does it keep submissions in?"""

import argparse
import platform

from course_lib.grading.exercise import exercises
from course_lib.grading.sandbox.choice import examine
from course_lib.grading.say import say

EXAMPLE = """\
example:
  grade doctor

Attacks each sandbox that the machine has, live, and says which of them hold. The exit code is 0 if
one does: `grade run` uses the first. 2 means that it would refuse to grade.
"""


def add(commands: argparse._SubParsersAction) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "doctor",
        help="say whether this machine can grade safely, and why not",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)


def run(_: argparse.Namespace) -> int:
    """Print a line for each sandbox; 0 if one holds."""
    known = exercises()
    say(f"Python {platform.python_version()} on {platform.system()}; {len(known)} exercises found")
    holds = False
    for verdict in examine([known[0].checks] if known else []):
        say(
            f"{'holds' if not verdict.against else 'no   '}  {verdict.isolation}  {verdict.against}"
        )
        holds = holds or not verdict.against
    if not holds:
        say("No sandbox holds. On Debian and Ubuntu: apt install bubblewrap")
    return 0 if holds else 2
