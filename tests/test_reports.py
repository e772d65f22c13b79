"""Every report in reports.tsv is answered by a test, whose comment names it."""

import io
import re
import tokenize
from pathlib import Path

TESTS = Path(__file__).resolve().parent
LINES = (TESTS / "reports.tsv").read_text(encoding="utf-8").splitlines()
REPORTS = [line.split("\t")[0] for line in LINES[1:]]
REPORT = re.compile(r"\b[A-I]\d\d\b")


def comments(path: Path) -> str:
    """All comments of a file."""
    source = io.StringIO(path.read_text(encoding="utf-8"))
    tokens = tokenize.generate_tokens(source.readline)
    return "\n".join(token.string for token in tokens if token.type == tokenize.COMMENT)


def test_each_report_is_listed_once_with_its_source():
    assert len(set(REPORTS)) == len(REPORTS) > 100
    assert [line for line in LINES[1:] if not re.fullmatch(r"\w+\t[\w.-]+/[\w.-]+#\d+", line)] == []


def test_each_report_has_a_test_and_each_test_names_reports_that_there_are():
    named = {name for path in TESTS.rglob("*.py") for name in REPORT.findall(comments(path))}
    assert named == set(REPORTS)
