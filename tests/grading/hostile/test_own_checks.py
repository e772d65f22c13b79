"""An instructor's own checks: what is wrong with them is said before anybody is graded."""

from pathlib import Path

import pytest

from tests.grading.hostile.commands import refused
from tests.grading.hostile.files import write

CHECKS = Path(__file__).parent


@pytest.mark.parametrize("source", ["def broken(:", "import nowhere", "1 / 0"])
def test_checks_that_cannot_be_loaded_are_named(folder, tmp_path, capsys, source):
    write(tmp_path / "ours" / "checks.py", source)
    options = ["--out", tmp_path / "out", "--checks", tmp_path / "ours"]
    assert "checks.py cannot be loaded: " in refused(capsys, "run", folder, *options)


GOOD_CHECK = """
from course_lib.grading import points

@points(2, task="softmax")
def test_softmax(student):
    assert student.softmax([0.0]) == 1
"""

IN_A_CLASS = GOOD_CHECK.replace("@points", "class TestIt:\n  @points").replace("\ndef ", "\n  def ")

RETURNED = IN_A_CLASS.replace("(student)", "(self, student)").replace("assert", "return")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("", "holds no check, a function whose name begins test_"),
        (GOOD_CHECK.replace("test_softmax", "check_softmax"), "holds no check"),
        (GOOD_CHECK + "\ndef test_more(student): pass", "are broken: test_more has no points"),
        (GOOD_CHECK + GOOD_CHECK, "checks.py defines test_softmax twice; the last one counts"),
        (GOOD_CHECK.replace("(2", "(-2"), "ValueError: a check is worth -2 points, less than none"),
        (GOOD_CHECK.replace("assert", "return"), "test_softmax in "),
        (GOOD_CHECK.replace("assert", "return"), "returns a value: assert it instead"),
        (RETURNED, "returns a value: assert it instead"),
        (GOOD_CHECK.replace("assert", "yield"), "are broken: "),
        (GOOD_CHECK.replace("def", "async def"), "are broken: test_softmax: "),
        (
            GOOD_CHECK.replace("(student)", "(studnet)"),
            "test_softmax: FixtureLookupError('studnet'",
        ),
        (GOOD_CHECK + "\nraise SystemExit(3)", "checks.py cannot be loaded: SystemExit: 3"),
    ],
)
def test_faulty_checks_are_refused_before_anybody_is_graded(folder, tmp_path, capsys, source, says):
    ours = tmp_path / tmp_path.name  # a process loads checks of one name once
    write(ours / "checks.py", source)
    options = ["--out", tmp_path / "out", "--checks", ours]
    assert says in refused(capsys, "run", folder, *options)
    assert not (tmp_path / "out").exists()


def test_mistakes_that_cannot_be_loaded_are_refused_before_anybody_is_graded(
    folder, tmp_path, capsys
):
    write(tmp_path / "mine" / "checks.py", GOOD_CHECK)
    write(tmp_path / "mine" / "misconceptions.py", "def broken(:")
    options = ["--out", tmp_path / "out", "--checks", tmp_path / "mine"]
    assert "misconceptions.py cannot be loaded: " in refused(capsys, "run", folder, *options)


def test_a_folder_of_checks_that_pytest_cannot_name_is_refused(folder, tmp_path, capsys):
    write(tmp_path / "ours [1]" / "checks.py", "")
    options = ["--out", tmp_path / "out", "--checks", tmp_path / "ours [1]"]
    assert "ours [1] has [ or :: in its name" in refused(capsys, "run", folder, *options)


def test_an_exercise_that_is_not_that_of_the_checks_is_refused(folder, tmp_path, capsys):
    options = ["--out", tmp_path / "out", "--checks", CHECKS, "--exercise", "ex05"]
    said = refused(capsys, "run", folder, *options)
    assert "--checks is hostile, --exercise is ex05: give one" in said
