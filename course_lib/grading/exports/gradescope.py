"""results.json for one submission, as Gradescope's autograder harness reads it.

The format: https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format
schemas/gradescope.schema.json was written from that page.
"""

import json
from fractions import Fraction
from typing import Any

from course_lib.grading.exports.harmless import one_line, visible
from course_lib.grading.exports.lines import Line
from course_lib.grading.exports.points import number
from course_lib.grading.exports.words import for_now
from course_lib.grading.record import Check, Entry, Question, Record

# The page: tests "after_published" keep the total from students until then; those that are
# "hidden" are never shown and do not, so they would give away the sum. The output is shown at once.
VISIBILITY_OF_HIDDEN_CHECKS = "after_published"


def as_json(record: Record) -> str:
    """The file for a submission, the same whenever it is made again."""
    return json.dumps(result(record), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def result(record: Record) -> dict[str, Any]:
    """What the file says. A submission that could not be graded has no score and no tests.

    Gradescope then says that the autograder failed, which is so, and asks the instructor.
    """
    line = Line(Entry("", "", record.exercise, record.sha256), record, None)
    said = {"output": for_now(line), "output_format": "text"}
    if line.points is None:
        return said
    tests = [_test(q, check) for q in record.questions for check in q.checks if _ran(check)]
    return said | {"score": number(line.points), "tests": tests}


def _ran(check: Check) -> bool:
    return check.status != "not run"


def _test(question: Question, check: Check) -> dict[str, Any]:
    return {
        "name": f"{one_line(question.task)}: {one_line(check.title)}",
        "name_format": "text",
        "score": number(Fraction(check.points)),
        "max_score": number(Fraction(check.worth)),
        "status": "passed" if check.status == "passed" else "failed",
        "output": _output(check),
        "output_format": "text",
        "visibility": VISIBILITY_OF_HIDDEN_CHECKS if check.hidden else "visible",
    }


def _output(check: Check) -> str:
    """What the student reads of a check; of a hidden one, the mistake that was recognised."""
    if check.status == "passed":
        return ""
    shown = [] if check.hidden else [check.reason]
    shown.append(check.misconception)
    if not check.hidden:
        shown += check.case
    return "\n".join(visible(text) for text in shown if text)
