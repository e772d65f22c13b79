"""`grade release`: what students get, and the kit that grades what they hand in."""

import argparse
from pathlib import Path

from course_lib.grading.exercise import find_exercise
from course_lib.grading.release import release
from course_lib.grading.say import say
from course_lib.messages import LANGUAGES

EXAMPLE = """\
examples:
  grade release ex04 --out released/
  grade release ex04 ex05 --out released/ --language ko --secret-file secret.txt

OUT/students/ holds a notebook for each exercise, without solutions. OUT/instructor/ holds an
autograder for Gradescope, a workflow for GitHub Classroom, and example submissions to try the
grader on. The exit code is 0, or 2 if something is missing, and then nothing is written.
"""


def add(commands: argparse._SubParsersAction) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "release",
        help="write what students get, and the instructor's kit",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("exercises", nargs="+", metavar="EXERCISE", help="such as ex04")
    parser.add_argument("--out", type=Path, required=True, help="a folder to write")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument(
        "--secret-file", type=Path, metavar="FILE", help="goes into the autograder's archive"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the folders and say what is for whom."""
    exercises = [find_exercise(name) for name in dict.fromkeys(options.exercises)]
    release(exercises, options.out, options.language, options.secret_file)
    say(f"for students: {options.out / 'students'}")
    say(f"for you alone, with solutions: {options.out / 'instructor'}")
    return 0
