"""What a learner waits for: all visible checks of an exercise, beside one second."""

from collections.abc import Iterator, Mapping
from typing import Any

from course_lib.grading.exercise import Exercise, exercises
from course_lib.grading.notebook import report
from tests.bench.measure import Row, processor_seconds
from tests.exercises.solutions import solved

SECOND = 1.0


def all_wrong(exercise: Exercise) -> dict[str, Any]:
    """A notebook with the last known misconception of every function: the longest to name."""
    return solved(exercise, **{m.replaces: m.function for m in exercise.misconceptions})


def seconds_of(exercise: Exercise, namespace: Mapping[str, Any], repetitions: int = 3) -> float:
    """The least processor time of all visible checks and their table, after a first run."""
    times = []
    for _ in range(repetitions + 1):
        before = processor_seconds()
        report(exercise.name, namespace)._repr_html_()
        times.append(processor_seconds() - before)
    return min(times[1:])


def rows() -> Iterator[Row]:
    for exercise in exercises():
        seconds = seconds_of(exercise, all_wrong(exercise))
        what = f"all visible checks of {exercise.name}, every function a misconception"
        yield Row(what, "one second", seconds / SECOND, 1.0, 1e3 * seconds)
