"""`grade export`, `merge`, `report` and `release` as they are typed."""

import csv
import json
import os
import subprocess
import sys

import pytest

from course_lib.grading import cli
from tests.grading.exports.made import blank, half_right, record, results


@pytest.fixture
def graded(tmp_path):
    """The folder of a class of three: one right, one that could not be graded, one missing."""
    folder = tmp_path / "results"
    results(folder, ("Jane Doe", half_right()), ("홍길동", blank("b")), missing=["absent"])
    return folder


@pytest.mark.parametrize("command", ["export", "merge", "report", "release"])
def test_help_says_what_it_does_gives_an_example_and_explains_the_exit_code(capsys, command):
    with pytest.raises(SystemExit) as done:
        cli.main([command, "--help"])
    said = capsys.readouterr().out
    assert done.value.code == 0
    assert f"\n  grade {command} " in said
    assert "exit code" in said
    assert max(map(len, said.split("\n"))) <= 100


def test_every_format_has_help_of_its_own(capsys):
    for name in ("gradebook", "gradescope", "classroom", "canvas", "moodle", "similar"):
        with pytest.raises(SystemExit):
            cli.main(["export", name, "--help"])
        said = capsys.readouterr().out
        assert "--out" in said
        assert ("--roster" in said) == (name in ("canvas", "moodle"))


def test_the_gradebook_is_written_and_who_is_blank_is_said(graded, tmp_path, capsys):
    out = tmp_path / "grades.csv"
    assert cli.main(["export", "gradebook", str(graded), "--out", str(out)]) == 1
    rows = list(csv.DictReader(out.read_text(encoding="utf-8-sig").splitlines()))
    assert [(row["student"], row["points"]) for row in rows] == [
        ("Jane Doe", "2.33"),
        ("홍길동", ""),
        ("absent", "0"),
    ]
    said = capsys.readouterr().out
    assert "홍길동 (홍길동.ipynb) has no points" in said
    assert "3 submissions, 1 of them blank" in said


def test_without_blanks_the_exit_code_is_0(tmp_path, capsys):
    results(tmp_path / "results", ("a", record()))
    out = tmp_path / "grades.csv"
    assert cli.main(["export", "gradebook", str(tmp_path / "results"), "--out", str(out)]) == 0
    assert capsys.readouterr().out.startswith("1 submissions, 0 of them blank")


@pytest.mark.parametrize("platform", ["gradescope", "classroom"])
def test_a_platform_gets_a_file_for_each_submission(graded, tmp_path, platform):
    out = tmp_path / "out"
    assert cli.main(["export", platform, str(graded), "--out", str(out)]) == 1
    assert sorted(path.name for path in out.iterdir()) == ["Jane Doe ex04.json", "홍길동 ex04.json"]
    for path in out.iterdir():
        json.loads(path.read_text(encoding="utf-8"))


def test_canvas_is_filled_from_its_own_export(graded, tmp_path, capsys):
    roster = tmp_path / "canvas.csv"
    roster.write_text('Student,ID,Section,ex04 (7)\n"Doe, Jane",1,A,\n', encoding="utf-8")
    command = ["export", "canvas", str(graded), "--roster", str(roster), "--out"]
    assert cli.main([*command, str(tmp_path / "filled.csv")]) == 1
    filled = (tmp_path / "filled.csv").read_text(encoding="utf-8")
    assert filled == 'Student,ID,Section,ex04 (7)\n"Doe, Jane",1,A,2.33\n'
    assert "absent () is in no row" in capsys.readouterr().out


def test_code_is_exported_for_comparison(graded, tmp_path):
    handed_in = tmp_path / "handed in"
    handed_in.mkdir()
    command = ["export", "similar", str(graded), "--submissions", str(handed_in), "--out"]
    assert cli.main([*command, str(tmp_path / "out")]) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["export", "gradebook", "nowhere", "--out", "x"], "nowhere"),
        (["report", "nowhere"], "nowhere"),
        (["merge", "nowhere", "--into", "x"], "nowhere holds no results"),
        (["release", "ex99", "--out", "x"], "there is no exercise 'ex99'"),
    ],
)
def test_what_could_not_be_done_is_said_in_one_line(tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert cli.main(arguments) == 2
    printed = capsys.readouterr().out
    assert printed.startswith("grade: ")
    assert said in printed
    assert printed.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_merge_writes_the_gradebook_and_the_pages_and_lists_gaps(tmp_path, capsys):
    one = results(tmp_path / "1", ("a", record("a")))
    results(tmp_path / "2", ("b", record("b")))
    command = ["merge", str(tmp_path / "1"), str(tmp_path / "2"), "--into"]
    assert cli.main([*command, str(tmp_path / "whole")]) == 0
    written = {path.name for path in (tmp_path / "whole").iterdir()}
    assert written >= {"index.json", "records", "gradebook.csv", "reports"}
    of_a = tmp_path / "whole" / "gradescope" / "ex04_scaling" / f"{record('a').sha256}.json"
    assert of_a.exists()
    one.record_path("ex04_scaling", record("a").sha256).unlink()
    assert cli.main([*command, str(tmp_path / "whole")]) == 1
    assert not of_a.exists()
    assert "no record: a, a.ipynb; grade its shard again" in capsys.readouterr().out


def test_a_whole_part_that_is_not_there_is_missed(tmp_path, capsys):
    for part in (1, 2, 3):
        here = results(tmp_path / str(part), (f"s{part}", record(f"s{part}")))
        here.save_parts({f"{part}/3"})
    one, two, three, whole = (str(tmp_path / name) for name in ("1", "2", "3", "whole"))
    assert cli.main(["merge", one, three, "--into", whole]) == 1
    said = "no folder holds part 2/3: who is in it is not in the gradebook"
    assert said in capsys.readouterr().out
    assert cli.main(["merge", whole, two, "--into", whole]) == 0
    assert said not in capsys.readouterr().out


def test_reports_are_written_again_from_the_records(graded, capsys):
    assert cli.main(["report", str(graded)]) == 1
    names = sorted(path.name for path in (graded / "reports").iterdir())
    assert names == ["Jane Doe ex04.html", "absent ex04.html", "홍길동 ex04.html"]
    assert "3 pages in" in capsys.readouterr().out


@pytest.mark.parametrize("encoding", ["ascii", "cp949"])
def test_exports_are_utf_8_whatever_the_console_speaks(graded, tmp_path, encoding):  # I17, I45
    out = tmp_path / "grades.csv"
    # Each file that is opened without an encoding is an error.
    strict = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    command = [sys.executable, *strict, "-m", "course_lib.grading.cli"]
    variables = os.environ | {"PYTHONIOENCODING": f"{encoding}:strict"}
    for arguments in (["export", "gradebook", graded, "--out", out], ["report", graded]):
        done = subprocess.run([*command, *arguments], env=variables, capture_output=True)
        assert (done.returncode, done.stderr) == (1, b""), done.stdout
    assert "홍길동" in out.read_text(encoding="utf-8-sig")
    page = (graded / "reports" / "홍길동 ex04.html").read_text(encoding="utf-8")
    assert "홍길동" in page
