"""Reading a learner's notebook, whatever state it is in, and the command `grade check`."""

import json

import pytest

from course_lib.grading import cli
from course_lib.grading.cells import code_cells, exercise_of
from course_lib.grading.running import run_cells, without_magics


def write(path, *sources, **top):
    cells = [{"cell_type": "code", "source": source} for source in sources]
    path.write_text(json.dumps({"cells": cells, **top}), encoding="utf-8")
    return path


SOFTMAX = """
import numpy as np
def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
"""


def test_sources_are_read_as_text_or_lines_with_a_byte_order_mark_and_windows_line_ends(tmp_path):
    path = write(tmp_path / "a.ipynb", ["a = 1\n", "b = 2"], "c = '어텐션'")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))  # I18
    namespace, failed = run_cells(code_cells(path))
    assert (namespace["a"], namespace["b"], namespace["c"], failed) == (1, 2, "어텐션", [])


def test_a_python_file_is_one_cell(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("x = 3", encoding="utf-8")
    assert code_cells(path) == ["x = 3"]


@pytest.mark.parametrize(
    "marker", ["# In[{}]:", "# In[{}]:\r", "# In[ ]:", "# %%", "# %% [markdown] part {}"]
)
def test_a_script_exported_from_a_notebook_has_its_cells(tmp_path, marker):
    sources = (
        "get_ipython().run_line_magic('matplotlib', 'inline')",
        "a = 1\ntext = '''# In[3]: is no cell'''",
        "raise NotImplementedError",
        "b = a + 1",
    )
    path = tmp_path / "a.py"
    path.write_text(
        "".join(f"{marker.format(n)}\n\n{source}\n\n" for n, source in enumerate(sources)),
        encoding="utf-8",
    )
    namespace, failed = run_cells(code_cells(path))
    assert (namespace["a"], namespace["b"]) == (1, 2)
    assert [line.partition(" failed")[0] for line in failed] == ["code cell 4"]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"worksheets": 1}', '{"cells": [1]}'])
def test_what_is_no_notebook_is_refused_with_the_cause(tmp_path, content):  # I42
    path = tmp_path / "odd (1).ipynb"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"odd \(1\)\.ipynb is not a notebook"):
        code_cells(path)


def test_magics_are_left_out():
    assert without_magics("%matplotlib inline\nx = 1\nif x:\n    !pip install y") == (
        "pass\nx = 1\nif x:\n    pass"
    )
    assert without_magics("files = !ls\na = b = 1\n\n  a, b = %x") == "pass\na = b = 1\n\n  pass"
    assert without_magics("%%time\n" * 2000 + "x = 1") == "x = 1"
    for endless in (" " * 10**6, "\n" * 10**6, "a, " * 10**6):
        assert without_magics(endless + "(") == endless + "("
    assert without_magics("%%bash\nrm x") == ""
    assert (
        without_magics("np.sum?\n  ?f\nx = 1\nf??;\nwhy not?")
        == "pass\n  pass\nx = 1\npass\nwhy not?"
    )


def test_what_every_notebook_has_is_there_and_so_is_the_source_of_a_function():
    cells = [
        "import inspect\ndisplay(1, display_id=True)\ndef f(x):\n    return x + 1",
        "f?\nsource = inspect.getsource(f)",
    ]
    namespace, failed = run_cells(cells)
    assert failed == []
    assert namespace["source"] == "def f(x):\n    return x + 1"


def test_a_cell_that_fails_is_reported_and_the_others_count():
    namespace, failed = run_cells(["a = 1", "def f(:", "1 / 0", "raise SystemExit", "b = a + 1"])
    assert namespace["b"] == 2
    assert [line.split(":")[0] for line in failed] == [
        "code cell 2 failed with SyntaxError",
        "code cell 3 failed with ZeroDivisionError",
        "code cell 4 failed with SystemExit",
    ]


def test_the_exercise_is_found_by_its_checks():
    assert exercise_of(["x = 1", "check('ex04', 'softmax')"]) == "ex04"
    with pytest.raises(ValueError, match="use --exercise"):
        exercise_of(["x = 1"])


def test_grade_check_prints_each_check_once_and_says_by_its_status_how_it_went(tmp_path, capsys):
    cells = [SOFTMAX, 'from course_lib.grading import check\ncheck("ex04", "softmax")']
    path = write(tmp_path / "과제 4 [1].ipynb", *cells)  # I14
    assert cli.main(["check", str(path), "--task", "softmax"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("Three logits become three weights.") == 1
    assert "3 of 3 points" in printed
    assert cli.main(["check", str(path)]) == 1
    assert "There is no function called `scaled_scores`." in capsys.readouterr().out


def test_grade_check_says_in_one_line_what_it_could_not_read(tmp_path, capsys):
    assert cli.main(["check", str(tmp_path / "none.ipynb")]) == 2
    assert "none.ipynb" in capsys.readouterr().out
    assert cli.main(["check", str(write(tmp_path / "a.ipynb", "x = 1"))]) == 2
    assert "use --exercise" in capsys.readouterr().out


def test_printing_does_not_fail_on_a_console_without_the_signs(tmp_path, monkeypatch):  # I17
    import io
    import sys

    console = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", console)
    path = write(tmp_path / "a.ipynb", SOFTMAX, 'check("ex04")')
    assert cli.main(["check", str(path), "--task", "softmax"]) == 0
    console.flush()
    assert b"3 of 3 points" in console.buffer.getvalue()
