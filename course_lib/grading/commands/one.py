"""`grade one`: one submission, and its report on the screen; also what autograders call."""

import argparse
from pathlib import Path

from course_lib.grading.choosing import answers
from course_lib.grading.commands.options import (
    add_grading_options,
    chosen_exercises,
    chosen_isolation,
    secret_in,
)
from course_lib.grading.exports import classroom, gradescope
from course_lib.grading.exports.screen import lines
from course_lib.grading.grade import blank, grade
from course_lib.grading.limits import Limits
from course_lib.grading.record import Record, write_whole
from course_lib.grading.run import PRACTICE
from course_lib.grading.sandbox.choice import sandboxes
from course_lib.grading.say import say
from course_lib.grading.submissions import Submission, student_of

EXAMPLE = """\
examples:
  grade one ex04.ipynb
  grade one /autograder/submission --exercise ex04 --gradescope /autograder/results/results.json

The exit code is 0 if it was graded, whatever its points, 1 if it is blank, 2 if nothing could run.
"""


def add(commands: argparse._SubParsersAction) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "one",
        help="grade one submission and print its report",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("submission", type=Path, help="a notebook, a .py file, a zip or a folder")
    add_grading_options(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the record there")
    parser.add_argument("--gradescope", type=Path, metavar="FILE", help="write results.json there")
    parser.add_argument("--classroom", type=Path, metavar="FILE", help="write its result there")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Grade it; print the report; write what was asked for."""
    exercises = chosen_exercises(options)
    if not options.submission.exists():
        raise ValueError(f"there is no {options.submission}")
    secret = PRACTICE
    if options.secret_file is not None:
        secret = secret_in(options.secret_file)
    isolation = chosen_isolation(options, [exercises[0].checks])
    path = options.submission.resolve()
    submission = Submission(student_of(path.name), path)
    records: list[Record] = []
    found = answers(submission, exercises)
    if len(found) > 1 and (options.json or options.gradescope or options.classroom):
        names = ", ".join(answer.exercise for answer in found)
        raise ValueError(f"{submission.name} answers {names}, and a file holds one: use --exercise")
    with sandboxes(isolation, exercises) as by_name:
        for answer in found:
            if answer.problem:
                stamp = {"isolation": isolation}
                record = blank(answer.sha256, answer.exercise, "unreadable", answer.problem, stamp)
            else:
                exercise = next(e for e in exercises if e.name == answer.exercise)
                sandbox = by_name[exercise.name]
                record = grade(answer.cells, answer.sha256, exercise, sandbox, secret, Limits())
            records.append(record)
    for record in records:
        for line in lines(record):
            say(line)
    _write(options, records[0])
    return int(any(record.is_blank for record in records))


def _write(options: argparse.Namespace, record: Record) -> None:
    for path, text in (
        (options.json, Record.as_json),
        (options.gradescope, gradescope.as_json),
        (options.classroom, classroom.as_json),
    ):
        if path is not None:
            write_whole(path, text(record))
