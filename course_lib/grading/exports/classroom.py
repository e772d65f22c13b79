"""The result that GitHub Classroom's autograding reporter takes. It is practice, not a grade.

The fields are those that the reporter reads and that Classroom's own graders write:
https://github.com/classroom-resources/autograding-grading-reporter
https://docs.github.com/en/education/manage-coursework-with-github-classroom/teach-with-github-classroom/use-autograding
schemas/classroom.schema.json was written from them. Students can edit the workflow that runs in
their own repository, so what it reports is theirs; each test says that it is practice.
"""

import json
from fractions import Fraction
from typing import Any

from course_lib.grading.exports.harmless import one_line
from course_lib.grading.exports.lines import Line
from course_lib.grading.exports.points import number
from course_lib.grading.exports.words import about
from course_lib.grading.record import Check, Entry, Question, Record

VERSION = 1
PRACTICE = "Practice: "


def as_json(record: Record) -> str:
    """The result of a submission, the same whenever it is made again."""
    return json.dumps(result(record), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def result(record: Record) -> dict[str, Any]:
    """What is reported: the visible checks alone, since a student's repository can show the rest.

    Without `max_score` the reporter sends no points: so for a submission that is blank.
    """
    line = Line(Entry("", "", record.exercise, record.sha256), record, None)
    if line.points is None:
        test = {"name": PRACTICE + record.exercise, "status": "error", "message": about(line)}
        return {"version": VERSION, "status": "error", "tests": [test]}
    shown = [(q, check) for q in record.questions for check in q.checks if not check.hidden]
    most = sum((Fraction(check.worth) for _, check in shown), Fraction(0))
    passed = all(check.status == "passed" for _, check in shown)
    return {
        "version": VERSION,
        "status": "pass" if passed else "fail",
        "max_score": number(most),
        "tests": [_test(question, check) for question, check in shown],
    }


def _test(question: Question, check: Check) -> dict[str, Any]:
    passed = check.status == "passed"
    said = " ".join(one_line(text) for text in (check.reason, check.misconception) if text)
    return {
        "name": f"{PRACTICE}{one_line(question.task)}: {one_line(check.title)}",
        "status": "pass" if passed else "fail",
        "score": number(Fraction(check.points)),
        "message": None if passed else said or one_line(check.title),
    }
