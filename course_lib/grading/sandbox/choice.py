"""The strongest sandbox that holds on this machine, found by attacking each."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from course_lib.grading.exercise import Exercise
from course_lib.grading.failures import InfraError
from course_lib.grading.sandbox import library
from course_lib.grading.sandbox.bubblewrap import Bubblewrap
from course_lib.grading.sandbox.container import Container
from course_lib.grading.sandbox.forked import ForkedBubblewrap
from course_lib.grading.sandbox.restricted import Restricted
from course_lib.grading.sandbox.self_test import breaches
from course_lib.grading.sandbox.unsafe import Unsafe
from course_lib.grading.worker_process import Sandbox

Tier = type[Bubblewrap | Container | Restricted]
TIERS: tuple[Tier, ...] = (ForkedBubblewrap, Bubblewrap, Container, Restricted)
NAMES = tuple(tier.isolation for tier in TIERS)


class Verdict(NamedTuple):
    """A tier, and what speaks against it here; empty if it holds."""

    isolation: str
    against: str


def examine(private: list[Path], only: str | None = None) -> Iterator[Verdict]:
    """Each tier with its verdict, the strongest first."""
    for tier in TIERS:
        if only not in (None, tier.isolation):
            continue
        against = tier.missing()
        if not against:
            against = _attacked(tier, private)
        yield Verdict(tier.isolation, against)


def choose(private: list[Path], only: str | None = None) -> str:
    """The first tier that holds; ValueError with all verdicts if none does."""
    verdicts = []
    for verdict in examine(private, only):
        if not verdict.against:
            return verdict.isolation
        verdicts.append(f"{verdict.isolation}: {verdict.against}")
    raise ValueError("no sandbox holds on this machine; " + "; ".join(verdicts))


def _attacked(tier: Tier, private: list[Path]) -> str:
    try:
        with _library([]) as folder:
            found = breaches(tier(folder), private)
    except InfraError as error:
        return str(error)
    return f"an attack succeeded: {', '.join(found)}" if found else ""


@contextmanager
def sandboxes(isolation: str, exercises: Iterable[Exercise]) -> Iterator[dict[str, Sandbox]]:
    """A sandbox for each exercise, by its name, as long as the run lasts."""
    make: dict[str, Callable[[Path], Sandbox]] = {tier.isolation: tier for tier in TIERS}
    make[Unsafe.isolation] = Unsafe
    with tempfile.TemporaryDirectory(prefix="grade-") as name:
        Path(name).chmod(0o755)
        yield {
            exercise.name: make[isolation](
                library.build(Path(name) / exercise.name, exercise.closed_paths)
            )
            for exercise in exercises
        }


@contextmanager
def _library(closed: list[str]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="grade-") as name:
        Path(name).chmod(0o755)
        yield library.build(Path(name) / "library", closed)
