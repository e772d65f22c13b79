"""Options that several commands share, and what they stand for."""

import argparse
import secrets
from pathlib import Path

from course_lib.grading.exercise import Exercise, exercises, find_exercise
from course_lib.grading.own_checks import refuse_faulty
from course_lib.grading.record import write_whole
from course_lib.grading.sandbox.choice import NAMES, choose


def add_grading_options(parser: argparse.ArgumentParser) -> None:
    """What decides how a submission is graded."""
    parser.add_argument(
        "--exercise",
        help="grade this one, such as ex04: files that name it, or no exercise of the course",
    )
    parser.add_argument(
        "--checks", type=Path, metavar="DIR", help="a folder of your own with checks.py"
    )
    parser.add_argument(
        "--secret-file", type=Path, metavar="FILE", help="its text decides the inputs of the checks"
    )
    parser.add_argument("--sandbox", choices=NAMES, help="use this one alone")
    parser.add_argument(
        "--unsafe",
        action="store_true",
        help="grade without any isolation, which is stamped into every result",
    )


def chosen_exercises(options: argparse.Namespace) -> list[Exercise]:
    """The exercises that submissions may answer: all, the one named, or the instructor's own."""
    if options.checks is not None:
        if not (options.checks / "checks.py").is_file():
            raise ValueError(f"there is no checks.py in {options.checks}")
        folder = str(options.checks.resolve())
        if "[" in folder or "::" in folder:  # pytest takes these for parts of a test's name
            raise ValueError(f"{folder} has [ or :: in its name; give it another")
        own = Exercise(options.checks.resolve())
        if options.exercise not in (None, own.name, own.short_name):
            raise ValueError(f"--checks is {own.name}, --exercise is {options.exercise}: give one")
        refuse_faulty(own)
        return [own]
    return [find_exercise(options.exercise)] if options.exercise else exercises()


def chosen_isolation(options: argparse.Namespace, private: list[Path]) -> str:
    """The tier that holds here, found by attacking it; "none" only where the user says --unsafe."""
    return "none" if options.unsafe else choose(private, options.sandbox)


def chosen_secret(options: argparse.Namespace, default: Path) -> str:
    """The course's secret; without a file of the user's, one is made at `default` and kept."""
    path = options.secret_file or default
    if options.secret_file is None and not path.exists():
        write_whole(path, secrets.token_hex(16) + "\n")
    return secret_in(path)


def secret_in(path: Path) -> str:
    """The text of a file; ValueError where it holds none."""
    try:
        secret = path.read_text(encoding="utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not text in UTF-8: {error}") from None
    if not secret:
        raise ValueError(f"{path} is empty, and the inputs of the checks come from its text")
    return secret
