"""Grade the cells of one submission: both phases, each in a sandbox of its own, into a record."""

import hashlib
import hmac
import platform
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

from course_lib.grading.cells import language_of
from course_lib.grading.exercise import Exercise
from course_lib.grading.failures import InfraError
from course_lib.grading.feedback import case
from course_lib.grading.limits import Limits
from course_lib.grading.record import Check, Question, Record, total
from course_lib.grading.run import Outcome, run_checks
from course_lib.grading.sandboxed import SandboxedStudent
from course_lib.grading.worker_process import Sandbox
from course_lib.messages import translated

PHASES = ("visible", "hidden")  # apart, so that nothing of a hidden input can reach a visible text


def grade(
    cells: list[str],
    sha256: str,
    exercise: Exercise,
    sandbox: Sandbox,
    secret: str,
    limits: Limits,
) -> Record:
    """The record of a submission; its status is "infra_error" where grading itself failed."""
    language = language_of(cells)
    made_with = graded_with(exercise, sandbox.isolation, secret)
    try:
        outcomes, notes = _outcomes(cells, exercise, sandbox, secret, limits)
    except (InfraError, RuntimeError, OSError) as error:
        return blank(sha256, exercise.name, "infra_error", str(error), made_with)
    except Exception as error:  # ours, at something that nobody thought of; the class goes on
        problem = f"{type(error).__name__}: {error}"
        return blank(sha256, exercise.name, "infra_error", problem, made_with)
    questions = _questions(outcomes, language)
    return Record(
        sha256=sha256,
        exercise=exercise.name,
        status=_status_of_all(questions),
        graded_with=made_with,
        points=total(question.points for question in questions),
        worth=total(question.worth for question in questions),
        language=language,
        notes=[translated(note, language) for note in notes],
        questions=questions,
    )


def blank(
    sha256: str, exercise: str, status: str, reason: str, made_with: dict[str, str]
) -> Record:
    """The record of a submission that could not be graded."""
    return Record(sha256, exercise, status, made_with, None, "10", reason=reason)


def graded_with(exercise: Exercise, isolation: str, secret: str) -> dict[str, str]:
    """All on which a result depends besides the submission: versions, checks, inputs, isolation."""
    inputs = hmac.new(secret.encode(), exercise.name.encode(), hashlib.sha256).hexdigest()
    return {
        "checks": exercise.digest,
        "inputs": inputs[:16],
        "isolation": isolation,
        "python": platform.python_version(),
        **{name: _version(name) for name in ("attention-recomputed", "numpy", "torch")},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _outcomes(
    cells: list[str], exercise: Exercise, sandbox: Sandbox, secret: str, limits: Limits
) -> tuple[list[Outcome], list[str]]:
    """What came of each check, in the order of the file, and notes on the cells."""
    limits = limits._replace(cell_seconds=exercise.limits.get("cells", limits.cell_seconds))
    seconds_of = _seconds(exercise, limits)
    found: dict[str, Outcome] = {}
    notes: list[str] = []
    skipped: dict[int, str] = {}
    deadline = time.monotonic() + limits.submission_seconds
    for phase in PHASES:
        student = SandboxedStudent(cells, exercise.shortcuts, sandbox, limits, seconds_of, deadline)
        student.skipped |= skipped
        try:
            for outcome in run_checks(exercise, student, secret=secret, phase=phase):
                if outcome.is_hidden == (phase == "hidden"):
                    found[outcome.check] = outcome
                else:
                    found.setdefault(outcome.check, outcome)
        finally:
            student.close()
        notes, skipped = notes or student.notes, student.skipped
    return list(found.values()), notes


def _seconds(exercise: Exercise, limits: Limits) -> Callable[[str], float]:
    return lambda name: exercise.limits.get(name, limits.call_seconds)


def _questions(outcomes: list[Outcome], language: str) -> list[Question]:
    questions = []
    for task in dict.fromkeys(outcome.task for outcome in outcomes):
        checks = [_check(outcome, language) for outcome in outcomes if outcome.task == task]
        questions.append(
            Question(
                task=task,
                status=_status([check.status for check in checks]),
                points=total(check.points for check in checks),
                worth=total(check.worth for check in checks),
                checks=checks,
            )
        )
    return questions


def _check(outcome: Outcome, language: str) -> Check:
    """What is kept of a check. A hidden one says nothing that came out of the submission."""
    shown = not outcome.is_hidden
    return Check(
        check=outcome.check,
        title=translated(outcome.title, language),
        hidden=outcome.is_hidden,
        status=outcome.status,
        points=str(outcome.earned),
        worth=str(outcome.worth),
        reason=translated(outcome.reason, language) if shown else "",
        misconception=translated(outcome.misconception, language),
        case=case(outcome, language) if shown else [],
    )


def _status(statuses: list[str]) -> str:
    """A question is missing if its function is; else one call that hung or crashed names it."""
    if all(status == "missing" for status in statuses):
        return "missing"
    return next((status for status in ("timeout", "crashed") if status in statuses), "graded")


def _status_of_all(questions: list[Question]) -> str:
    """A submission of which every question hung, or crashed, did so itself."""
    statuses = {question.status for question in questions}
    return statuses.pop() if statuses in ({"timeout"}, {"crashed"}) else "graded"
