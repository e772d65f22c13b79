"""The grader: beside nbgrader's batch mode, one submission more, and its memory.

All times here are of the clock on the wall, since a judge that waits keeps an instructor waiting.
"""

import csv
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from course_lib.grading.cells import code_cells
from course_lib.grading.exercise import Exercise, find_exercise
from tests.bench._memory import WORKERS
from tests.bench._nbgrader import VERSION, CannotBeMade, Course
from tests.bench.measure import Row, compare
from tests.exercises.solutions import solution_cells
from tests.grading.hostile.files import notebook, write
from tests.grading.hostile.kinds import GOOD

CLASS = 10  # submissions that both systems grade
NUMPY, TORCH = 20, 8  # submissions of the shorter of two runs
FEW, MANY = 30, 300  # submissions between which memory is to stay as it is

WITH_TORCH = """\
import torch

def softmax(x):
    exponentials = torch.exp(torch.tensor(x - x.max(axis=-1, keepdims=True)))
    return (exponentials / exponentials.sum(dim=-1, keepdim=True)).numpy()
"""
KINDS = {"NumPy": (NUMPY, 0.4, []), "torch": (TORCH, 1.0, [WITH_TORCH])}


def rows() -> Iterator[Row]:
    exercise = find_exercise("ex04")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield beside_nbgrader(exercise, folder / "beside")
        for kind, (count, limit, more) in KINDS.items():
            each = marginal_seconds([*good_cells(exercise), *more], count, folder / kind)
            what = f"one more good {kind} submission, {WORKERS} workers, by the clock"
            yield Row(what, f"{limit} s", each / limit, 1.0, 1e3 * each)
        yield memory(folder / "memory")


def good_cells(exercise: Exercise) -> list[str]:
    """The code cells of a solved notebook."""
    released = code_cells(exercise.folder / f"{exercise.name}.en.ipynb")
    return [*released, *solution_cells(exercise)]


def hand_in(cells: list[str], count: int, folder: Path) -> Path:
    """A folder of notebooks, no two of them the same."""
    for number in range(count):
        write(folder / f"student {number}.ipynb", notebook(*cells, f"# {number}"))
    return folder


def graded(submissions: Path, out: Path) -> None:
    """Grade a folder from the command line; everybody must get everything."""
    command = [sys.executable, "-m", "course_lib.grading.cli", "run", submissions, "--out", out]
    command += ["--exercise", "ex04", "--jobs", WORKERS]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    with open(out / "gradebook.csv", encoding="utf-8-sig", newline="") as file:
        points = [row["points"] for row in csv.DictReader(file)]
    assert points == ["10"] * len(list(submissions.iterdir())), points


def beside_nbgrader(exercise: Exercise, folder: Path) -> Row:
    """Ten good submissions under both; where nbgrader can't be installed, the row says so."""
    what = f"one of {CLASS} good submissions, {WORKERS} workers, by the clock"
    theirs = f"nbgrader {VERSION} autograde"
    try:
        students = [f"student{number}" for number in range(CLASS)]
        course = Course(folder / "course", exercise, students)
    except CannotBeMade as reason:
        return Row(what, f"{theirs}, which cannot be installed here ({reason})", math.nan, 1 / 3, 0)
    submissions = hand_in(good_cells(exercise), CLASS, folder / "submissions")
    fresh = fresh_folders(folder / "out")
    row = compare(
        what,
        lambda: graded(submissions, next(fresh)),
        theirs,
        course.autograde,
        limit=1 / 3,
        repetitions=3,
        clock=time.monotonic,
    )
    assert course.points() == [10.0] * CLASS, course.points()
    return row._replace(milliseconds=row.milliseconds / CLASS)


def marginal_seconds(cells: list[str], count: int, folder: Path) -> float:
    """What a submission adds: a run of twice as many less one of `count`, for each of them."""
    few = hand_in(cells, count, folder / "few")
    many = hand_in(cells, 2 * count, folder / "many")
    fresh = fresh_folders(folder / "out")
    differences = []
    for _ in range(3):
        longer = seconds(lambda: graded(many, next(fresh)))
        differences.append(longer - seconds(lambda: graded(few, next(fresh))))
    return statistics.median(differences) / count


def seconds(run: Callable[[], object]) -> float:
    """How long it took, by the clock on the wall."""
    start = time.monotonic()
    run()
    return time.monotonic() - start


def fresh_folders(above: Path) -> Iterator[Path]:
    """Folders that are not there yet."""
    number = 0
    while True:
        yield above / str(number)
        number += 1


def memory(folder: Path) -> Row:
    """The judge's resident memory after many submissions beside that after few."""
    submissions = hand_in([GOOD], MANY, folder / "submissions")
    command = [sys.executable, "-m", "tests.bench._memory", str(submissions), str(folder / "out")]
    held = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    after_few, after_many = int(held[FEW - 1]), int(held[MANY - 1])
    what = f"memory of the judge after {MANY} submissions, {after_many / 1e6:.0f} MB"
    compared_with = f"after {FEW}, {after_few / 1e6:.0f} MB"
    return Row(what, compared_with, after_many / after_few, 1.1, 0)
