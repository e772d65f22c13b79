"""The class joined with what was graded: one line for each student and exercise."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from course_lib.grading.record import BLANK, Entry, Question, Record, Results


@dataclass
class Line:
    """A submission, or that there is none, and its record."""

    entry: Entry
    record: Record | None
    exercise_worth: str | None  # where the record does not tell

    @property
    def status(self) -> str:
        """ "missing" without a submission; without a readable record, it was not graded."""
        if self.entry.sha256 is None:
            return "missing"
        return self.record.status if self.record else "infra_error"

    @property
    def is_blank(self) -> bool:
        """Whether there are no points to give, which is not the same as 0 points."""
        if self.status == "missing":
            return False
        if self.record is None or self.record.is_blank or self.record.points is None:
            return True
        return any(question.status in BLANK for question in self.record.questions)

    @property
    def points(self) -> Fraction | None:
        """What it came to, exactly; None where it is blank."""
        if self.is_blank:
            return None
        return Fraction(self.record.points or 0) if self.record else Fraction(0)

    @property
    def worth(self) -> Fraction | None:
        """The most that it could come to, if anything tells."""
        worth = self.exercise_worth
        if self.record and (self.record.questions or worth is None):  # a blank one cannot know
            worth = self.record.worth
        return None if worth is None else Fraction(worth)

    @property
    def questions(self) -> list[Question]:
        """Its questions, as far as it was graded."""
        return self.record.questions if self.record else []

    @property
    def not_run(self) -> Fraction:
        """The points of checks that have not been run yet, such as hidden ones."""
        checks = (check for question in self.questions for check in question.checks)
        worths = (Fraction(check.worth) for check in checks if check.status == "not run")
        return sum(worths, Fraction(0))


def lines_of(results: Results, exercise: str | None = None) -> list[Line]:
    """The class in the order of the gradebook, of one exercise alone if it is named."""
    entries = [entry for entry in results.entries() if is_named(entry.exercise, exercise)]
    if exercise is not None and not entries:
        known = ", ".join(sorted({entry.exercise for entry in results.entries()})) or "nothing"
        raise ValueError(f"{results.folder} holds no results of {exercise}; it holds {known}")
    pairs = [(entry, _record(results, entry)) for entry in entries]
    worths = {
        record.exercise: record.worth
        for _, record in reversed(pairs)
        if record is not None and record.questions
    }
    return [Line(entry, record, worths.get(entry.exercise)) for entry, record in pairs]


def is_named(exercise: str, name: str | None) -> bool:
    """Whether `name`, "ex04" or "ex04_scaling", means the exercise; None means each."""
    return name in (None, exercise, exercise.split("_")[0])


def only_exercise(lines: Iterable[Line]) -> str:
    """The exercise that all lines are of; a gradebook's column can hold no more than one."""
    names = sorted({line.entry.exercise for line in lines})
    if len(names) != 1:
        raise ValueError(f"the results are of {', '.join(names) or 'nothing'}; use --exercise")
    return names[0]


def _record(results: Results, entry: Entry) -> Record | None:
    return results.record(entry.exercise, entry.sha256) if entry.sha256 else None
