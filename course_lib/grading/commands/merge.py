"""`grade merge`: the results of shards in one folder."""

import argparse
from pathlib import Path

from course_lib.grading.exports.lines import lines_of
from course_lib.grading.exports.standard import write_standard
from course_lib.grading.merge import absent, merge
from course_lib.grading.record import Results
from course_lib.grading.say import say

EXAMPLE = """\
example:
  grade run downloads/ --out shard-1 --shard 1/2 --secret-file secret.txt
  grade run downloads/ --out shard-2 --shard 2/2 --secret-file secret.txt
  grade merge shard-1 shard-2 --into results

Shards that were graded with other checks, versions, inputs or isolation are refused, with both
values. The exit code is 0 if every submission has its points, 1 if some are blank or have no
record or a shard is not there, 2 if the shards can't be merged.
"""


def add(commands: argparse._SubParsersAction) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "merge",
        help="join the results of shards into one folder",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shards", type=Path, nargs="+", help="folders that grade run wrote")
    parser.add_argument("--into", type=Path, required=True, metavar="RESULTS")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Merge, then write the gradebook and the reports; list what has no record."""
    gaps = merge(options.shards, options.into)
    results = Results(options.into)
    write_standard(results)
    for entry in gaps:
        say(f"no record: {entry.student}, {entry.file}; grade its shard again")
    gone = absent(results.parts())
    for part in gone:
        say(f"no folder holds part {part}: who is in it is not in the gradebook")
    lines = lines_of(results)
    blank = sum(line.is_blank for line in lines)
    say(f"{len(lines)} submissions, {blank} of them blank: {options.into}")
    return int(blank > 0 or bool(gone))
