"""Results made by hand, and the strings that a submission may put into any field of them."""

import hashlib
import unicodedata
from dataclasses import replace
from pathlib import Path

from course_lib.grading.record import Check, Entry, Question, Record, Results, total

VERSIONS = {"checks": "c1", "inputs": "i1", "isolation": "bubblewrap", "python": "3.12.1"}
FORMULAS = [
    '=HYPERLINK("http://evil.example")',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "＝1+1",
]
HOSTILE = [
    *FORMULAS,
    "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "</style></title></pre></main><iframe src='http://evil.example'></iframe>",
    '" onmouseover="alert(3)" x="',
    "\x1b[2J\x1b[31mred\x1b]8;;http://evil.example\x07link\x9b1m",
    "\u202egnp.exe\u2066\u200b\ufeff\u2028",
    "nothing\x00here\ud800",
    "{earned} {0} {line.record} %s ${x}",
    "x" * 10**6,
    unicodedata.normalize("NFD", "홍길동"),
]


def sha(name: str) -> str:
    """A SHA-256."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


def check(name="test_one", worth="1", status="passed", **fields) -> Check:
    """A check that was passed, unless the fields say otherwise."""
    points = fields.pop("points", worth if status == "passed" else "0")
    fields = {"title": f"Title of {name}.", "hidden": False} | fields
    return Check(check=name, status=status, points=points, worth=worth, **fields)


def question(task="softmax", checks=None, status="graded") -> Question:
    """A question that is worth what its checks are."""
    checks = [check()] if checks is None else checks
    points, worth = (total(getattr(c, f) for c in checks) for f in ("points", "worth"))
    return Question(task, status, points, worth, checks)


def record(name="a", questions=None, exercise="ex04_scaling", **fields) -> Record:
    """A graded record that is worth what its questions are."""
    questions = [question()] if questions is None else questions
    points, worth = (total(getattr(q, f) for q in questions) for f in ("points", "worth"))
    made = Record(sha(name), exercise, "graded", dict(VERSIONS), points, worth, questions=questions)
    return replace(made, **fields)


def blank(name="a", status="unreadable", **fields) -> Record:
    """A record without points."""
    return record(name, [], **({"status": status, "points": None, "worth": "10"} | fields))


def results(folder: Path, *students, missing=()) -> Results:
    """A folder of results: pairs of a student and a record, or a student and an entry's fields."""
    made = Results(folder)
    entries = []
    for student, graded in students:
        made.save(graded)
        entries.append(Entry(student, f"{student}.ipynb", graded.exercise, graded.sha256))
    entries += [Entry(student, "", "ex04_scaling", None) for student in missing]
    made.save_entries(entries)
    return made


def half_right(hidden="failed") -> Record:
    """7/3 of 4 points: two visible checks passed, one visible and one hidden check were not."""
    checks = [
        check("test_a", "2"),
        check(
            "test_b",
            "2/3",
            "failed",
            reason="The values differ.",
            misconception="This looks like a sum.",
            case=["softmax([1. 2.])", "got       [[0.1],\n [0.9]]", "expected  [[0.3],\n [0.7]]"],
        ),
        check("test_c", "1/3"),
        check("test_d", "1", hidden, hidden=True, misconception="This looks like a mean."),
    ]
    return record("half", [question(checks=checks)])
