"""The command line used wrongly, on odd machines and consoles, with odd folders."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.grading import cli
from course_lib.grading.record import Results
from course_lib.grading.say import say
from tests.grading.hostile.commands import refused
from tests.grading.hostile.files import notebook, write
from tests.grading.hostile.kinds import GOOD

CHECKS = Path(__file__).parent


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--jobs", "0"], "'0' is not 1 or more"),
        (["--jobs", "-1"], "'-1' is not 1 or more"),
        (["--shard", "0/2"], "'0/2' is not i/n with 1 <= i <= n"),
        (["--shard", "3/2"], "'3/2' is not i/n"),
        (["--shard", "half"], "'half' is not i/n"),
    ],
)
def test_numbers_out_of_range_are_refused(folder, tmp_path, capsys, options, says):
    assert says in refused(capsys, "run", folder, "--out", tmp_path / "out", *options)


def test_an_empty_folder_is_no_class(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    said = refused(capsys, "run", tmp_path / "in", "--out", tmp_path / "out")
    assert f"there is no submission in {tmp_path / 'in'}" in said


@pytest.mark.parametrize("content", [None, b"", b" \n", "a word".encode("utf-16")])
@pytest.mark.parametrize("command", ["run", "one"])
def test_a_secret_that_is_none_is_refused(folder, tmp_path, capsys, content, command):
    if content is not None:
        write(tmp_path / "secret", content)
    where = folder if command == "run" else folder / "kim.ipynb"
    options = ["--out", tmp_path / "out"] if command == "run" else []
    said = refused(capsys, command, where, *options, "--secret-file", tmp_path / "secret")
    if content is None:
        assert "No such file" in said
    else:
        assert ("secret is empty" if not content.strip() else "secret is not text in UTF-8") in said


@pytest.mark.parametrize("content", [None, "이름\n".encode("cp949")])
def test_a_roster_is_read_before_anybody_is_graded(folder, tmp_path, capsys, content):
    roster = tmp_path / "roster.csv"
    if content is not None:
        write(roster, content)
    options = ["--out", tmp_path / "out", "--checks", CHECKS, "--roster", roster]
    assert "roster.csv" in refused(capsys, "run", folder, *options)
    assert not (tmp_path / "out" / "records").exists()


def test_results_among_the_submissions_are_nobodys(folder, capsys):
    options = ["--checks", str(CHECKS), "--jobs", "1", "--out"]
    for _ in range(2):
        assert cli.main(["run", str(folder), *options, str(folder / "results")]) == 0
    entries = Results(folder / "results").entries()
    assert [entry.student for entry in entries] == ["kim"]
    assert "another folder" in refused(capsys, "run", folder, *options, folder)


def test_a_second_part_does_not_take_the_place_of_the_first(tmp_path, capsys):
    for name in ("kim", "lee", "park", "choi"):
        write(tmp_path / "in" / f"{name}.ipynb", notebook(GOOD, f"# {name}"))
    roster = write(tmp_path / "roster.txt", "\n".join(f"absent {n}" for n in range(5)))
    out = tmp_path / "out"
    command = ["run", tmp_path / "in", "--out", out, "--checks", CHECKS, "--roster", roster]
    for _ in range(2):
        assert cli.main([*map(str, command), "--shard", "1/2"]) == 0
    kept = {path: path.read_bytes() for path in (out / "index.json", out / "gradebook.csv")}
    said = refused(capsys, *command, "--shard", "2/2")
    assert "who are not in part 2/2; give each part a folder of its own, and merge them" in said
    assert {path: path.read_bytes() for path in kept} == kept
    assert len(list(out.glob("records/*/*.json"))) < 4  # it was said before anything was graded
    assert cli.main([*map(str, command)]) == 0  # the whole class takes the place of a part
    whole = Results(out).entries()
    assert {"kim", "lee", "park", "choi"} < {entry.student for entry in whole}
    assert "not in part 1/2" in refused(capsys, *command, "--shard", "1/2")
    assert Results(out).entries() == whole


def test_a_file_for_one_result_is_not_written_for_one_of_two(tmp_path, capsys):
    for name in ("ex04", "ex05"):
        write(tmp_path / "kim" / f"{name}.ipynb", notebook(GOOD, f'check("{name}")'))
    said = refused(capsys, "one", tmp_path / "kim", "--unsafe", "--json", tmp_path / "kim.json")
    assert "kim answers ex04_scaling, ex05_" in said
    assert "and a file holds one: use --exercise" in said
    assert not (tmp_path / "kim.json").exists()


def test_who_is_gone_from_the_folder_is_named(folder, tmp_path, capsys):
    write(folder / "lee.ipynb", notebook(GOOD, "# lee"))
    command = ["run", str(folder), "--out", str(tmp_path / "out"), "--checks", str(CHECKS)]
    assert cli.main(command) == 0
    assert "any more" not in capsys.readouterr().out
    (folder / "kim.ipynb").unlink()
    assert cli.main(command) == 0
    assert f"not in {folder} any more, nor in the gradebook: kim\n" in capsys.readouterr().out


def test_a_files_name_tells_the_terminal_nothing(capsys):
    say("not in it any more: a\x1b]0;title\x07b\u202e.ipynb")
    assert capsys.readouterr().out == "not in it any more: a␛]0;title␇b⟨U+202E⟩.ipynb\n"


def test_who_reads_one_line_alone_gets_no_traceback():
    doctor = [sys.executable, "-m", "course_lib.grading.cli", "doctor"]
    with subprocess.Popen(doctor, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_hangul_survives_a_console_and_a_system_that_know_ascii_alone(tmp_path, locale):  # I17
    for name in ("홍길동", "김민수"):
        write(tmp_path / "in" / f"{name}.ipynb", notebook(GOOD, f"# {name}"))
    variables = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    options = ["--out", tmp_path / "out", "--checks", CHECKS, "--jobs", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "course_lib.grading.cli", "run", tmp_path / "in", *options],
        capture_output=True,
        env=os.environ | variables,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    students = [entry.student for entry in Results(tmp_path / "out").entries()]
    assert students == ["김민수", "홍길동"]
    assert len(list((tmp_path / "out" / "reports").glob("홍길동*.html"))) == 1


@pytest.mark.parametrize("command", [[], *([name] for name in cli.COMMANDS), ["export", "canvas"]])
def test_every_help_can_be_printed_on_an_ascii_console(command):
    done = subprocess.run(
        [sys.executable, "-m", "course_lib.grading.cli", *command, "--help"],
        capture_output=True,
        env=os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"usage: grade" in done.stdout


WITHOUT_UNIX = """
import ctypes, os, sys
load = ctypes.CDLL
def library(name, *rest, **options):
    if name is None:
        raise TypeError("argument of type 'NoneType' is not iterable")
    return load(name, *rest, **options)
ctypes.CDLL = library
import asyncio, concurrent.futures.process, multiprocessing, numpy, pytest, subprocess, tqdm
import course_lib.grading.exercise
sys.platform = "win32"
sys.modules["resource"] = sys.modules["fcntl"] = None
for name in ("getuid", "fork", "sysconf", "setsid"):
    delattr(os, name)
from course_lib.grading import cli
from course_lib.grading.class_list import students
sys.exit(cli.main(sys.argv[1:]))
"""


def test_where_there_is_no_unix_one_can_check_and_is_told_why_one_cannot_grade(folder):
    def run(*arguments):
        command = [sys.executable, "-c", WITHOUT_UNIX, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True)

    done = run("check", folder / "kim.ipynb", "--exercise", "ex04", "--task", "softmax")
    assert (done.returncode, done.stderr) == (1, "")
    assert "There is no function called `softmax`" in done.stdout
    done = run("doctor")
    assert (done.returncode, done.stderr) == (2, "")
    assert "bubblewrap  not for win32" in done.stdout
