"""Which of a submission's files is the answer to which exercise."""

import hashlib
import re
from typing import NamedTuple

from course_lib.grading.cells import cells_of, exercise_of
from course_lib.grading.exercise import Exercise
from course_lib.grading.exercise import exercises as all_exercises
from course_lib.grading.submissions import Member, Submission

UNKNOWN = "unknown"


class Answer(NamedTuple):
    """A file that answers an exercise, or that cannot be read; then `problem` says why."""

    file: str
    exercise: str
    sha256: str
    cells: list[str]
    problem: str = ""


def answers(submission: Submission, exercises: list[Exercise]) -> list[Answer]:
    """One answer for each exercise that the submission answers; at least one, readable or not.

    With a single exercise to grade, a file need not say that it belongs to it.
    """
    try:
        members = list(submission.members())
    except ValueError as error:
        return [_unreadable(submission, str(error), exercises)]
    except OSError as error:  # its own words name the instructor's folders
        problem = f"{submission.name} cannot be read: {error.strerror}"
        return [_unreadable(submission, problem, exercises)]
    notebooks = [member for member in members if member.name.endswith(".ipynb")] or members
    read = [_answer(member, exercises) for member in notebooks]
    fitting = [answer for answer in read if not answer.problem]
    if fitting:
        return [
            _the_one([a for a in fitting if a.exercise == name])
            for name in sorted({answer.exercise for answer in fitting})
        ]
    if read:
        problem = "; ".join(dict.fromkeys(answer.problem for answer in read))
        return [_with_problem(read, problem)]
    return [_unreadable(submission, "no notebook and no .py file in it", exercises)]


def lost(submission: Submission, exercises: list[Exercise]) -> Answer:
    """A submission that nobody has read, told by its name alone."""
    return _unreadable(submission, "it was not read", exercises)


def _answer(member: Member, exercises: list[Exercise]) -> Answer:
    digest = hashlib.sha256(member.data).hexdigest()
    try:
        cells = cells_of(member.data, member.name)
        exercise = _exercise(cells, member.name, exercises)
    except ValueError as error:
        return Answer(member.name, _only(exercises), digest, [], str(error))
    return Answer(member.name, exercise.name, digest, cells)


def _exercise(cells: list[str], name: str, exercises: list[Exercise]) -> Exercise:
    """What its check cells name; else what the file's name does; else the only one there is."""
    said = re.search(r"(?<![a-zA-Z])ex\d\d(?!\d)", name)  # not in alex2024.ipynb
    try:
        short = exercise_of(cells)
    except ValueError:
        short = said[0] if said else ""
    for exercise in exercises:
        if short and short in (exercise.name, exercise.short_name):
            return exercise
    # An instructor's own exercise may have a name that no notebook knows.
    if len(exercises) == 1 and (not short or not _is_the_courses(exercises[0])):
        return exercises[0]
    wanted = ", ".join(exercise.short_name for exercise in exercises)
    raise ValueError(f"{name} belongs to {short or 'no exercise that it names'}, not to {wanted}")


def _is_the_courses(exercise: Exercise) -> bool:
    return exercise.short_name in {known.short_name for known in all_exercises()}


def _the_one(candidates: list[Answer]) -> Answer:
    """The answer to an exercise; two that differ are left to a person."""
    if len({candidate.sha256 for candidate in candidates}) == 1:
        return candidates[0]
    names = ", ".join(candidate.file for candidate in candidates)
    return _with_problem(candidates, f"several files for one exercise: {names}; leave one")


def _with_problem(read: list[Answer], problem: str) -> Answer:
    """The files together as one that can't be graded.

    Its hash is nobody else's: another student may have handed in one of these files alone.
    """
    whole = "\0".join([problem, *(answer.sha256 for answer in read)])
    return read[0]._replace(sha256=_digest(whole), cells=[], problem=problem)


def _unreadable(submission: Submission, problem: str, exercises: list[Exercise]) -> Answer:
    name = submission.name
    return Answer(name, _only(exercises), _digest(f"{name}\0{problem}"), [], problem)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _only(exercises: list[Exercise]) -> str:
    return exercises[0].name if len(exercises) == 1 else UNKNOWN
