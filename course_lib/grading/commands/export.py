"""`grade export`: results in the form that another system takes."""

import argparse
from collections.abc import Callable
from pathlib import Path

from course_lib.grading.exercise import exercises
from course_lib.grading.exports import canvas, classroom, gradebook, gradescope, moodle, similar
from course_lib.grading.exports.lines import Line, lines_of
from course_lib.grading.exports.names import file_names
from course_lib.grading.record import Record, Results, write_whole
from course_lib.grading.say import say

EXAMPLE = """\
examples:
  grade export gradebook results/ --out gradebook.csv
  grade export canvas results/ --roster canvas-export.csv --out import-this.csv
  grade export moodle results/ --roster worksheet.csv --out upload-this.csv --exercise ex04
  grade export similar results/ --submissions downloads/ --out for-jplag/

A submission that could not be graded is blank everywhere, never 0. Points are rounded to two places
when they are written; the records keep them exactly. The exit code is 0 if everyone is in, 1 if
somebody is blank or left out, 2 if nothing could be written.
"""
HELP = {
    "gradebook": "one CSV with every student, exercise and question",
    "gradescope": "results.json for each submission, as Gradescope's autograder reads it",
    "classroom": "the result for GitHub Classroom's reporter, for each submission (practice)",
    "canvas": "your Canvas gradebook export, with the exercise's column filled",
    "moodle": "your Moodle grading worksheet, with points and comments filled in",
    "similar": "plain Python for JPlag or copydetect, one file a student",
}


def add(commands: argparse._SubParsersAction) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "export",
        help="write results for a spreadsheet, Gradescope, Canvas, Moodle, JPlag …",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    formats = parser.add_subparsers(required=True, metavar="FORMAT", dest="format")
    for name, description in HELP.items():
        one = formats.add_parser(name, help=description, description=description)
        one.add_argument("results", type=Path, help="the folder that grade run wrote")
        where = "a folder" if name in ("gradescope", "classroom", "similar") else "a file"
        one.add_argument("--out", type=Path, required=True, help=f"{where} to write")
        one.add_argument("--exercise", help="this one alone, such as ex04")
        if name in ("canvas", "moodle"):
            one.add_argument(
                "--roster", type=Path, required=True, help=f"the CSV that {name.title()} exported"
            )
            one.add_argument("--column", help="the name of the column to fill")
        if name == "similar":
            one.add_argument(
                "--submissions", type=Path, required=True, help="the folder that was graded"
            )
        one.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the export; say who is blank or left out."""
    lines = lines_of(Results(options.results), options.exercise)
    problems = _write(options, lines)
    blank = [f"{e.student} ({e.file}) has no points" for e in _blank_entries(lines)]
    for sentence in blank + problems:
        say(sentence)
    say(f"{len(lines)} submissions, {len(blank)} of them blank: {options.out}")
    return int(bool(blank or problems))


def _blank_entries(lines: list[Line]) -> list:
    return [line.entry for line in lines if line.is_blank]


def _write(options: argparse.Namespace, lines: list[Line]) -> list[str]:
    """Write the format that was asked for; sentences on whom it leaves out."""
    problems: list[str] = []
    match options.format:
        case "gradebook":
            write_whole(options.out, gradebook.text(lines))
        case "gradescope":
            _write_each(lines, options.out, gradescope.as_json)
        case "classroom":
            _write_each(lines, options.out, classroom.as_json)
        case "similar":
            problems = similar.write(lines, options.submissions, exercises(), options.out)
        case _:
            platform = canvas if options.format == "canvas" else moodle
            text, problems = platform.filled(options.roster, lines, options.column)
            write_whole(options.out, text)
    return problems


def _write_each(lines: list[Line], folder: Path, as_json: Callable[[Record], str]) -> None:
    for line, name in zip(lines, file_names(lines, ".json"), strict=True):
        if line.record is not None:
            write_whole(folder / name, as_json(line.record))
