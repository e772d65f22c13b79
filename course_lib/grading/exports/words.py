"""What a student reads of a whole submission, in the language of the notebook."""

from collections.abc import Iterable
from fractions import Fraction

from course_lib.grading.exports.harmless import one_line
from course_lib.grading.exports.lines import Line
from course_lib.grading.feedback import as_text
from course_lib.grading.record import Check
from course_lib.messages import LANGUAGES, Text, translated

POINTS = "{earned} of {worth} points"
UNREADABLE = "The file could not be read, so there are no points yet: {reason}"
FAILED = (
    "Grading did not work, through no fault of your submission. There are no points yet; "
    "your instructor has been told."
)
MISSING = "Nothing was handed in."
TIMEOUT = "Everything that was run took too long and was stopped."
CRASHED = "Everything that was run ended the process in which it ran."
PUBLIC = "Public part: {earned} of {worth} points."
HIDDEN = "Hidden part: {earned} of {worth} points."
LATER = "Hidden part: graded later, {worth} points."


def language_of(line: Line) -> str:
    """The language of a submission, English where there is none that the course speaks."""
    language = line.record.language if line.record else "en"
    return language if language in LANGUAGES else "en"


def about(line: Line) -> str:
    """What came of the submission, in a sentence or two."""
    return " ".join(translated(sentence, language_of(line)) for sentence in _sentences(line))


def parts(line: Line) -> list[str]:
    """The points of the visible and of the hidden checks, where there are hidden ones."""
    visible, hidden = _checks(line)
    if not hidden or line.is_blank:
        return []
    if any(check.status == "not run" for check in hidden):
        return [_part(PUBLIC, visible, line), _later(hidden, line)]
    return [_part(PUBLIC, visible, line), _part(HIDDEN, hidden, line)]


def for_now(line: Line) -> str:
    """What may be read while the hidden part is not to be known, even if it has been graded."""
    visible, hidden = _checks(line)
    if not hidden or line.is_blank:
        return about(line)
    return f"{_part(PUBLIC, visible, line)} {_later(hidden, line)}"


def _sentences(line: Line) -> list[str]:
    if line.status == "unreadable" and line.record:
        return [Text(UNREADABLE, reason=one_line(line.record.reason))]
    if line.points is None or line.worth is None:
        return [FAILED]
    points = Text(POINTS, earned=as_text(line.points), worth=as_text(line.worth))
    reasons = {"missing": MISSING, "timeout": TIMEOUT, "crashed": CRASHED}
    return [reasons[line.status], points] if line.status in reasons else [points]


def _checks(line: Line) -> tuple[list[Check], list[Check]]:
    """The visible checks and the hidden ones."""
    checks = [check for question in line.questions for check in question.checks]
    return [c for c in checks if not c.hidden], [c for c in checks if c.hidden]


def _later(hidden: list[Check], line: Line) -> str:
    worth = as_text(_sum(check.worth for check in hidden))
    return translated(Text(LATER, worth=worth), language_of(line))


def _part(sentence: str, checks: list[Check], line: Line) -> str:
    earned, worth = _sum(check.points for check in checks), _sum(check.worth for check in checks)
    said = Text(sentence, earned=as_text(earned), worth=as_text(worth))
    return translated(said, language_of(line))


def _sum(points: Iterable[str]) -> Fraction:
    return sum(map(Fraction, points), Fraction(0))
