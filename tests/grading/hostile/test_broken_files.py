"""Notebooks of odd forms, too large, damaged or closed: each has a status, and none more points."""

import json
import random
from pathlib import Path

import pytest

from course_lib.grading.choosing import answers
from course_lib.grading.record import STATUSES
from course_lib.grading.submissions import submissions
from tests.grading.hostile.files import DONE, answer_of, notebook, write
from tests.grading.hostile.kinds import ALL, GOOD


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is not a notebook: it is empty"),
        (DONE.encode()[:300], "is not a notebook: JSONDecodeError"),
        (DONE.encode("utf-16"), "is not UTF-8, at byte 0"),
        (b"\x80abc", "is not UTF-8, at byte 0"),
        (b"[" * 10**6, "is not a notebook: RecursionError"),
        (b"null", "is not a notebook: LookupError: it has no cells"),
        (b'"cells"', "is not a notebook: LookupError: it has no cells"),
        (b'{"doc_id": "x"}', "is not a notebook: LookupError: it has no cells"),
        (notebook("x <- 1", metadata={"language_info": {"name": "R"}}).encode(), "written in R"),
        (
            notebook("x", metadata={"kernelspec": {"language": "julia"}}).encode(),
            "written in julia",
        ),
    ],
)
def test_40_what_cannot_be_read_says_why(tmp_path, small_exercise, data, problem):  # I19, I42
    answer = answer_of(write(tmp_path / "kim.ipynb", data), small_exercise)
    assert problem in answer.problem
    assert "kim.ipynb" in answer.problem


def test_40_a_script_that_cannot_be_read_is_not_called_a_notebook(tmp_path, small_exercise):
    path = write(tmp_path / "kim.py", "# 어텐션\n".encode("cp949"))
    assert answer_of(path, small_exercise).problem == "kim.py is not UTF-8, at byte 2"


def test_40_a_marimo_notebook_whose_functions_nobody_can_reach_is_no_zero(tmp_path, small_exercise):
    inside = "    " + GOOD.replace("\n", "\n    ")
    source = f"import marimo\n\napp = marimo.App()\n\n@app.cell\ndef _():\n{inside}\n    return"
    answer = answer_of(write(tmp_path / "kim.py", source), small_exercise)
    assert "kim.py is a marimo notebook" in answer.problem


VERSION_3 = json.dumps(
    {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": GOOD}]}]}
)
PLAIN = json.dumps({"cells": [{"cell_type": "code", "source": GOOD.splitlines(keepends=True)}]})

TWICE = json.dumps(
    {"cells": [{"cell_type": "code", "id": "same", "source": s} for s in (GOOD, "total = total")]}
)

# As Colab saves a progress bar: the widgets have no "state", for which nbformat asks.
WIDGETS = {"application/vnd.jupyter.widget-state+json": {"b1": {"model_name": "HBoxModel"}}}

WITH_A_BAR = notebook(GOOD, metadata={"colab": {}, "widgets": WIDGETS})

ODD_KERNEL = notebook(GOOD, metadata={"kernelspec": {"name": "conda-env-foo-py"}})


@pytest.mark.parametrize(
    "data",
    [
        "\ufeff" + DONE,
        DONE.replace("\n", "\r\n"),
        VERSION_3,
        PLAIN,
        TWICE,
        ODD_KERNEL,
        notebook(GOOD, metadata={"kernelspec": None, "language_info": None}),
        notebook(GOOD, metadata={"kernelspec": {"language": ""}, "language_info": {"name": ""}}),
        notebook(GOOD, metadata=[]),
        WITH_A_BAR,
    ],
)
def test_40_odd_forms_of_a_good_notebook_are_graded(
    tmp_path, small_exercise, graded, data
):  # H33, I04, I18, I19, I20, I42
    answer = answer_of(write(tmp_path / "kim.ipynb", data), small_exercise)
    assert answer.problem == ""
    assert graded(*answer.cells).points == ALL


def test_40_a_notebook_of_100_mb_of_output_is_read(tmp_path, small_exercise):  # I28
    outputs = [{"output_type": "stream", "name": "stdout", "text": "x" * 10**8}]
    big = json.dumps({"cells": [{"cell_type": "code", "source": GOOD, "outputs": outputs}]})
    answer = answer_of(write(tmp_path / "kim.ipynb", big), small_exercise)
    assert answer.cells == [GOOD]


def test_a_folder_that_is_closed_to_the_instructor_stops_nobody(
    tmp_path, small_exercise, monkeypatch
):
    write(tmp_path / "kim_1234_assignsubmission_file_" / "closed.ipynb", DONE)
    write(tmp_path / "lee.ipynb", DONE)
    is_file = Path.is_file

    def closed(path):
        if path.name == "closed.ipynb":
            raise PermissionError(13, "Permission denied", str(path))
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", closed)
    kim, lee = (answers(one, [small_exercise])[0].problem for one in submissions(tmp_path))
    assert kim == "kim_1234_assignsubmission_file_ cannot be read: Permission denied"
    assert lee == ""


def test_a_folder_that_holds_too_much_is_refused(tmp_path, small_exercise, monkeypatch):
    monkeypatch.setattr("course_lib.grading.submissions.LARGEST", 2 * len(DONE))
    for name in ("a.ipynb", "b.ipynb"):
        write(tmp_path / "kim" / name, DONE)
    assert answer_of(tmp_path / "kim", small_exercise).problem == ""
    write(tmp_path / "kim" / "c.ipynb", DONE)
    problem = answer_of(tmp_path / "kim", small_exercise).problem
    assert problem == f"kim holds more than {2 * len(DONE)} bytes of code"


def damaged(rng: random.Random, data: bytes) -> bytes:
    """The notebook with bytes cut, flipped or doubled."""
    place, length = rng.randrange(len(data)), rng.randint(1, 40)
    return rng.choice(
        [
            data[:place] + data[place + length :],
            data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :],
            data[: place + length] + data[place:],
            data[:place],
        ]
    )


def test_fifty_random_damages_get_a_status_each_and_no_point_more(tmp_path, small_exercise, graded):
    rng = random.Random(1)
    statuses = []
    for number in range(50):
        data = damaged(rng, notebook(GOOD, "print('done')").encode())
        answer = answer_of(write(tmp_path / f"{number}.ipynb", data), small_exercise)
        if answer.problem:
            statuses.append("unreadable")
            continue
        record = graded(*answer.cells)
        statuses.append(record.status)
        assert int(record.points) <= 10
    assert set(statuses) <= set(STATUSES) - {"infra_error"}
    assert len(statuses) == 50
    assert len(set(statuses)) > 1


def test_a_file_that_cannot_be_read_does_not_tell_where_the_instructor_keeps_it(
    tmp_path, small_exercise, monkeypatch
):
    path = write(tmp_path / "kim.ipynb", DONE)
    closed = PermissionError(13, "Permission denied", str(path))
    monkeypatch.setattr("pathlib.Path.read_bytes", lambda _: (_ for _ in ()).throw(closed))
    answer = answer_of(path, small_exercise)
    assert answer.problem == "kim.ipynb cannot be read: Permission denied"


def test_a_notebook_that_would_fill_the_judges_memory_is_refused(tmp_path, small_exercise):
    crowded = '{"cells": [' + "{}," * 21_000_000 + "{}]}"
    answer = answer_of(write(tmp_path / "kim.ipynb", crowded), small_exercise)
    assert "lists, objects and values, more than 40000000" in answer.problem
    long = notebook("x = 1\n" * 2_000_000)
    answer = answer_of(write(tmp_path / "kim.ipynb", long), small_exercise)
    assert "kim.ipynb has 12000000 characters of code, more than 10000000" in answer.problem


def test_a_long_cell_among_many_is_graded(tmp_path, small_exercise, graded):
    cells = [GOOD, f"image = '{'A' * 2_000_000}'", *["x = 1"] * 200]
    answer = answer_of(write(tmp_path / "kim.ipynb", notebook(*cells)), small_exercise)
    assert graded(*answer.cells).points == ALL
