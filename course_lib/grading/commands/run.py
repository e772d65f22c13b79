"""`grade run`: a folder of submissions becomes a gradebook."""

import argparse
import hashlib
import os
import sys
from pathlib import Path

from tqdm import tqdm

from course_lib.grading.class_list import doubtful, missing, students, unlisted
from course_lib.grading.class_run import Settings, run_class, with_notes
from course_lib.grading.commands.options import (
    add_grading_options,
    chosen_exercises,
    chosen_isolation,
    chosen_secret,
)
from course_lib.grading.commands.table import summary, table
from course_lib.grading.exports.standard import write_standard
from course_lib.grading.limits import Limits
from course_lib.grading.record import Entry, Results
from course_lib.grading.sandbox.choice import sandboxes
from course_lib.grading.say import say
from course_lib.grading.submissions import Submission, submissions

EXAMPLE = """\
example:
  grade run downloads/ --out results/ --exercise ex04

Each notebook, .py file, zip or folder in SUBMISSIONS is one student's. Typing it again grades only
what is new or was not graded with the same checks. The exit code is 0 if every submission has its
points, 1 if some are blank (unreadable, or grading itself failed), 2 if nothing could be graded.
"""


def add(commands: argparse._SubParsersAction) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "run",
        help="grade a folder of submissions into a gradebook and reports",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("submissions", type=Path, help="a folder as it was downloaded")
    parser.add_argument("--out", type=Path, required=True, metavar="RESULTS")
    add_grading_options(parser)
    parser.add_argument("--roster", type=Path, metavar="FILE", help="a student a line, or a CSV")
    parser.add_argument("--shard", type=_shard, default=(1, 1), metavar="i/n", help="one part of n")
    parser.add_argument(
        "--jobs", type=_jobs, default=os.cpu_count() or 1, help="how many at a time"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Grade what is new; print the table; 1 if something is blank."""
    exercises = chosen_exercises(options)
    found = [one for one in _submissions(options) if _is_in(one.student, options.shard)]
    results = Results(options.out)
    before = _students(results)
    _refuse_to_lose_a_part(results, options.shard)
    if options.roster is not None:
        students(options.roster)  # what is wrong with it is said before anything is graded
    secret = chosen_secret(options, options.out / "secret.txt")
    isolation = chosen_isolation(options, [exercises[0].checks])
    if isolation == "none":
        say("WARNING: grading without isolation; submissions can read and change what you can.")
    entries: list[Entry] = []
    with sandboxes(isolation, exercises) as by_name:
        settings = Settings(exercises, by_name, secret, Limits(), options.out)
        progress = tqdm(total=len(found), unit="submission", disable=not sys.stderr.isatty())
        with progress:
            for of_one in run_class(found, settings, options.jobs):
                entries += of_one
                progress.update()
    strangers = unlisted(options.roster, entries) if options.roster else []
    is_whole = options.shard[1] == 1  # a part knows nothing of who handed in with another
    doubts = doubtful(options.roster, entries) if options.roster and is_whole else []
    entries += missing(options.roster, entries, exercises) if options.shard[0] == 1 else []
    _refuse_to_lose_a_part(results, options.shard)  # another may have come to its end meanwhile
    results.save_entries(with_notes(entries))
    part, parts = options.shard
    results.save_parts({f"{part}/{parts}"} if parts > 1 else set())
    write_standard(results)
    for line in (*table(results), *summary(results)):
        say(line)
    if strangers:
        say(f"{len(strangers)} not on {options.roster.name}, or spelt differently there:")
        say(", ".join(strangers))
    for sentence in doubts:
        say(sentence)
    if gone := sorted(before - _students(results)):
        say(f"not in {options.submissions} any more, nor in the gradebook: {', '.join(gone)}")
    return int(any(_is_blank(results, entry) for entry in entries))


def _submissions(options: argparse.Namespace) -> list[Submission]:
    """What lies in the folder, but for the results, if they lie there too."""
    folder, out = options.submissions.resolve(), options.out.resolve()
    if folder == out:
        raise ValueError(f"{options.out} holds the submissions; the results need another folder")
    found = [one for one in submissions(options.submissions) if one.path.resolve() != out]
    if not found:
        raise ValueError(f"there is no submission in {options.submissions}")
    return found


def _jobs(text: str) -> int:
    if not (text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r} is not 1 or more")
    return int(text)


def _shard(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text!r} is not i/n with 1 <= i <= n")
    return int(part), int(parts)


def _entries(results: Results) -> list[Entry]:
    """What an earlier run listed."""
    return results.entries() if (results.folder / "index.json").exists() else []


def _students(results: Results) -> set[str]:
    """Who has a row that is somebody's work."""
    return {entry.student for entry in _entries(results) if entry.sha256 is not None}


def _refuse_to_lose_a_part(results: Results, shard: tuple[int, int]) -> None:
    """A part leaves alone what another part wrote: its gradebook would list itself alone.

    Who is missing is listed by the first part, whichever part they would have fallen to.
    """
    others = {
        entry.student
        for entry in _entries(results)
        if not (shard[0] == 1 if entry.sha256 is None else _is_in(entry.student, shard))
    }
    if others:
        raise ValueError(
            f"{results.folder} holds results of {', '.join(sorted(others)[:5])}, who are not in "
            f"part {shard[0]}/{shard[1]}; give each part a folder of its own, and merge them"
        )


def _is_in(student: str, shard: tuple[int, int]) -> bool:
    """Whether the hash of a student's name falls to this part."""
    part, parts = shard
    digest = hashlib.sha256(student.encode("utf-8", "surrogateescape")).digest()
    return int.from_bytes(digest[:8]) % parts == part - 1


def _is_blank(results: Results, entry: Entry) -> bool:
    if entry.sha256 is None:
        return False
    record = results.record(entry.exercise, entry.sha256)
    return record is None or record.is_blank
