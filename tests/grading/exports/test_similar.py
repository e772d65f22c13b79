"""The folder for JPlag and copydetect: code alone, one file a student, all of it parsable."""

import ast
import json
import warnings

from course_lib.grading.exercise import find_exercise
from course_lib.grading.exports import similar
from course_lib.grading.exports.lines import lines_of
from course_lib.grading.record import Entry
from tests.grading.exports.made import results, sha


def notebook(*sources):
    cells = [{"cell_type": "code", "source": source} for source in sources]
    return json.dumps({"cells": [{"cell_type": "markdown", "source": "# Text"}, *cells]}).encode()


def test_cells_become_one_file_that_can_be_parsed():
    cells = ["%matplotlib inline\nx = 1", "def f(:\n  return 2", "%%bash\nrm x", "y = '\\d'", "\0"]
    code = similar.python_of(cells)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(code)
    assert code.startswith("pass\nx = 1\n")
    assert "\ny = " in code
    assert "# def f(:\n#   return 2" in code
    assert "rm x" not in code.replace("# rm x", "")


def test_each_student_gets_a_file_and_what_has_no_code_is_said(tmp_path):
    handed_in = tmp_path / "handed in"
    handed_in.mkdir()
    contents = {
        "홍길동.ipynb": notebook("a = 1"),
        "Jane.py": b"b = 2",
        "broken.ipynb": b"{",
    }
    entries = []
    for name, data in contents.items():
        (handed_in / name).write_bytes(data)
        digest = sha(data.decode())
        entries.append(Entry(name.split(".")[0], name, "ex04_scaling", digest))
    made = results(tmp_path / "results")
    made.save_entries([*entries, Entry("absent", "", "ex04_scaling", None)])
    exercise = find_exercise("ex04")
    out = tmp_path / "out"
    problems = similar.write(lines_of(made), handed_in, [exercise], out)
    written = out / "ex04_scaling" / "submissions"
    assert {path.name: path.read_text() for path in written.iterdir()} == {
        "홍길동 ex04.py": "a = 1\n",
        "Jane ex04.py": "b = 2\n",
    }
    assert problems == ["broken (broken.ipynb) has no code that can be compared"]
    given = (out / "ex04_scaling" / "given" / "ex04_scaling.en.py").read_text(encoding="utf-8")
    assert "def softmax(x: np.ndarray)" in given
