"""Which of a submission's files is the answer to which exercise."""

import hashlib
import re
from typing import NamedTuple

from course_lib.grading.cells import cells_of, exercise_of
from course_lib.grading.exercise import Exercise
from course_lib.grading.exercise import exercises as all_exercises
from course_lib.grading.submissions import Member, Submission, is_script

MOST_NAMED = 4  # files that one student may well hand in
UNKNOWN = "unknown"
ANOTHER = "another"  # exercise of the course than those that are graded


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
    scripts = [member for member in members if is_script(member.name)]
    notebooks = [member for member in members if member not in scripts]
    read = [_answer(member, exercises) for member in notebooks or scripts]
    kept = [answer for answer in read if answer.exercise != ANOTHER]  # graded with that one
    if kept:
        return [
            _the_one([answer for answer in kept if answer.exercise == name])
            for name in sorted({answer.exercise for answer in kept})
        ]
    if read:
        problem = "; ".join(dict.fromkeys(answer.problem for answer in read))
        return [_with_problem(read, problem)._replace(exercise=_only(exercises))]
    return [_unreadable(submission, "no notebook and no .py file in it", exercises)]


def lost(submission: Submission, exercises: list[Exercise]) -> Answer:
    """A submission that nobody has read, told by its name alone."""
    return _unreadable(submission, "it was not read", exercises)


def _answer(member: Member, exercises: list[Exercise]) -> Answer:
    digest = hashlib.sha256(member.data).hexdigest()
    cells, problem = [], ""
    try:
        cells = cells_of(member.data, member.name)
    except ValueError as error:
        problem = str(error)
    short = _said(cells, member.name)
    exercise = _exercise(short, exercises)
    if exercise is not None:
        return Answer(member.name, exercise.name, digest, cells, problem)
    wanted = ", ".join(exercise.short_name for exercise in exercises)
    belongs = f"{member.name} belongs to {short or 'no exercise that it names'}, not to {wanted}"
    name = ANOTHER if _is_the_courses(short) else _only(exercises)
    return Answer(member.name, name, digest, [], problem or belongs)


def _said(cells: list[str], name: str) -> str:
    """What its check cells name; else what the file's name does; else nothing."""
    try:
        return exercise_of(cells)
    except ValueError:
        said = re.search(r"(?<![a-zA-Z])ex\d\d(?!\d)", name)  # not in alex2024.ipynb
        return said[0] if said else ""


def _exercise(short: str, exercises: list[Exercise]) -> Exercise | None:
    """The one that is named; else the only one there is."""
    for exercise in exercises:
        if short and short in (exercise.name, exercise.short_name):
            return exercise
    # An instructor's own exercise may have a name that no notebook knows.
    only = exercises[0] if len(exercises) == 1 else None
    return None if only and short and _is_the_courses(only.short_name) else only


def _is_the_courses(short: str) -> bool:
    return any(short in (known.name, known.short_name) for known in all_exercises())


def _the_one(candidates: list[Answer]) -> Answer:
    """The answer to an exercise; two that differ are left to a person, as is one that is broken."""
    differ = len({candidate.sha256 for candidate in candidates}) > 1
    problems = [candidate.problem for candidate in candidates if candidate.problem]
    if differ and len(problems) < len(candidates):  # what cannot be read may be the newest
        names = ", ".join(candidate.file for candidate in candidates[:MOST_NAMED])
        advice = "leave one"
        if (others := len(candidates) - MOST_NAMED) > 0:  # may be a whole class in one folder
            names += f" and {others} more"
            advice += ", or if each is another student's, grade this folder itself"
        problems.insert(0, f"several files for one exercise: {names}; {advice}")
    if problems:
        return _with_problem(candidates, "; ".join(dict.fromkeys(problems)))
    return candidates[0]


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
