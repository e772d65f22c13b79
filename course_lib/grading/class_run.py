"""Grade a folder of submissions, as many at a time as there are processors, and lose nothing.

A record is kept as soon as it is made. Run again, and what has been graded with the same checks,
inputs and versions is kept; everything else is graded anew, its old record removed before.
"""

import ctypes
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import active_children, get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import NamedTuple

from course_lib.grading import timings
from course_lib.grading.choosing import Answer, answers, lost
from course_lib.grading.exercise import Exercise
from course_lib.grading.grade import blank, grade, graded_with
from course_lib.grading.limits import Limits
from course_lib.grading.record import Entry, Results
from course_lib.grading.spellings import same
from course_lib.grading.submissions import Submission
from course_lib.grading.worker_process import Sandbox

PARENT_DIES = 1  # prctl's PR_SET_PDEATHSIG
LIVES = 100  # submissions that one process grades before a new one takes its place


class Settings(NamedTuple):
    """What a run has to know besides the submissions."""

    exercises: list[Exercise]
    sandboxes: dict[str, Sandbox]
    secret: str
    limits: Limits
    results: Path


def run_class(
    submissions: list[Submission], settings: Settings, at_once: int
) -> Iterator[list[Entry]]:
    """Grade them; yields the entries of each as it is done, in whatever order."""
    waiting = list(submissions)
    while waiting:
        done: set[Submission] = set()
        try:
            with _pool(settings, at_once) as pool:
                futures = {
                    pool.submit(_grade_submission, one): one for one in _next(waiting, at_once)
                }
                for future in as_completed(futures):
                    yield future.result()
                    done.add(futures[future])
        except BrokenProcessPool:
            waiting = [one for one in waiting if one not in done]
            yield _grade_alone(waiting[0], settings)
            done.add(waiting[0])
        waiting = [one for one in waiting if one not in done]


def _next(waiting: list[Submission], at_once: int) -> list[Submission]:
    """As many as the processes grade in their lives. (CPython's own count of tasks can hang.)"""
    return waiting[: LIVES * at_once]


@contextmanager
def _pool(settings: Settings, at_once: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that grade; what ends the run early, such as Ctrl-C, ends them with it."""
    context = get_context("spawn")
    places = context.SimpleQueue()
    for place in range(at_once):
        places.put((place, at_once))
    pool = ProcessPoolExecutor(
        at_once,
        mp_context=context,
        initializer=_begin,
        initargs=(settings, os.getpid(), places),
    )
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            process.kill()
        raise
    finally:
        pool.shutdown()


def _grade_alone(submission: Submission, settings: Settings) -> list[Entry]:
    """The one at which a whole process was lost, in a process that nobody shares."""
    try:
        with _pool(settings, 1) as pool:
            return pool.submit(_grade_submission, submission).result()
    except BrokenProcessPool:
        answer = lost(submission, settings.exercises)  # to read it here might cost this process too
        problem = "the judge's own process was lost"
        record = blank(answer.sha256, answer.exercise, "infra_error", problem, _stamp(settings))
        Results(settings.results).save(record)
        return [Entry(submission.student, answer.file, answer.exercise, answer.sha256)]


_settings: Settings | None = None


def _begin(settings: Settings, parent: int, places: SimpleQueue) -> None:
    """Prepare a process of the pool: it ends with the run, and leaves Ctrl-C to it."""
    global _settings
    _settings = settings
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DIES, signal.SIGKILL)
    if os.getppid() != parent:  # it was gone before the line above
        os._exit(1)
    if hasattr(os, "sched_setaffinity"):
        with suppress(OSError):  # where it is not allowed, all share all
            os.sched_setaffinity(0, share_of_processors(*places.get()))
    os.environ["OMP_NUM_THREADS"] = "1"


def share_of_processors(place: int, at_once: int) -> set[int]:
    """Those that one of so many processes has for itself and its workers.

    Sixty loops in one submission then take no time from another, whose seconds are counted.
    """
    processors = sorted(os.sched_getaffinity(0))
    return set(processors[place::at_once]) or {processors[place % len(processors)]}


def _grade_submission(submission: Submission) -> list[Entry]:
    """Grade what one student handed in; a record for each exercise that it answers."""
    assert _settings is not None
    entries = []
    for answer in answers(submission, _settings.exercises):
        _grade_answer(answer, _settings)
        entries.append(Entry(submission.student, answer.file, answer.exercise, answer.sha256))
    return entries


def _grade_answer(answer: Answer, settings: Settings) -> None:
    results = Results(settings.results)
    exercise = next((e for e in settings.exercises if e.name == answer.exercise), None)
    sandbox = settings.sandboxes.get(answer.exercise)
    if answer.problem or exercise is None or sandbox is None:
        problem = answer.problem or "it belongs to no exercise"
        stamp = _stamp(settings)
        results.save(blank(answer.sha256, answer.exercise, "unreadable", problem, stamp))
        return
    made_with = graded_with(exercise, sandbox.isolation, settings.secret)
    old = results.record(exercise.name, answer.sha256)
    if old is not None and old.graded_with == made_with and old.status != "infra_error":
        return
    results.record_path(exercise.name, answer.sha256).unlink(missing_ok=True)
    with timings.kept(settings.results, answer):
        record = grade(
            answer.cells, answer.sha256, exercise, sandbox, settings.secret, settings.limits
        )
    results.save(record)


def _stamp(settings: Settings) -> dict[str, str]:
    """What even a record without points says: in what isolation it was made."""
    return {"isolation": next((one.isolation for one in settings.sandboxes.values()), "none")}


def with_notes(entries: list[Entry]) -> list[Entry]:
    """The class in order, with a note where one student handed in an exercise more than once."""
    ordered = sorted(entries, key=lambda e: (same(e.student), e.exercise, e.file, e.sha256 or ""))
    often = Counter((same(e.student), e.exercise) for e in entries if e.sha256 is not None)
    for entry in ordered:
        count = often[same(entry.student), entry.exercise]
        entry.note = f"one of {count} submissions under this name" if count > 1 else ""
    return ordered
