"""A second build does what is needed and no more."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import build_site
import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_output

from tests.lessons.notebooks import code, markdown, notebook
from tests.site.toc import ROOT
from tools.normal_form import METADATA

TOC = """format: jb-book
root: book/{language}/first
parts:
- caption: All
  chapters:
  - file: book/{language}/second
"""


@pytest.fixture
def small(tmp_path) -> Path:
    """A repository with two books of two pages."""
    shutil.copytree(ROOT / "book", tmp_path / "book", ignore=shutil.ignore_patterns("*.md"))
    for name in ("_config.yml", "_config.ko.yml", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    for language, toc in (("en", "_toc.yml"), ("ko", "_toc.ko.yml")):
        (tmp_path / toc).write_text(TOC.format(language=language), encoding="utf-8")
        for name in ("first", "second"):
            write(tmp_path, language, name)
    return tmp_path


def write(root: Path, language: str, name: str, text: str = "Some words.") -> None:
    path = root / "book" / language / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"# The {name} page\n\n{text}\n", encoding="utf-8")


def add_lesson(root: Path, cell: NotebookNode, **metadata) -> None:
    """A lesson of one code cell, named for the cell, in the English contents."""
    whole = notebook(markdown("title", "# A title"), cell)
    whole.metadata = METADATA | metadata
    path = root / "lessons" / "en" / f"01_{cell.id}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(nbformat.writes(whole), encoding="utf-8")
    with (root / "_toc.yml").open("a", encoding="utf-8") as toc:
        toc.write(f"  - file: lessons/en/01_{cell.id}\n")


def second_page(root: Path) -> str:
    return (root / "_build/html/en/book/en/second.html").read_text(encoding="utf-8")


def test_a_page_that_joins_the_contents_appears_beside_every_page(small):
    build_site.build(small, small / "_build")
    assert 'href="third.html"' not in second_page(small)
    write(small, "en", "third")
    with (small / "_toc.yml").open("a", encoding="utf-8") as toc:
        toc.write("  - file: book/en/third\n")
    build_site.build(small, small / "_build")
    assert 'href="third.html"' in second_page(small)


def test_what_has_a_warning_has_it_again(small):
    write(small, "ko", "second", "[to nowhere](nowhere.md)")
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"nowhere\.md"):
            build_site.build(small, small / "_build")


def test_what_a_korean_page_is_warned_of_is_told_on_a_machine_with_another_encoding(small):
    write(small, "ko", "second", "[어디로](nowhere.md)")
    other = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    built = subprocess.run(
        [sys.executable, small / "book" / "_ext" / "build_site.py"],
        env=os.environ | other | {"PYTHONIOENCODING": "cp949"},
        capture_output=True,
        encoding="cp949",
    )
    assert built.returncode == 1
    assert "Traceback" not in built.stderr
    assert "nowhere.md" in built.stderr


def test_a_notebook_that_raised_or_was_not_run_is_not_published(small):  # H28
    raised = code("divide", "1 / 0")
    raised.execution_count = 1
    raised.outputs = [new_output("error", ename="ZeroDivisionError", evalue="by zero")]
    add_lesson(small, raised)
    add_lesson(small, code("print", "print(1)"))
    with pytest.raises(RuntimeError) as failure:
        build_site.build(small, small / "_build")
    said = str(failure.value)
    assert "lessons/en/01_divide.ipynb: WARNING: cell divide raised ZeroDivisionError" in said
    assert "lessons/en/01_print.ipynb: WARNING: cell print was not run" in said


def test_a_notebook_as_colab_saves_it_is_built(small):  # H32
    cell = code("bar", "for _ in tqdm([1]): pass")
    cell.execution_count = 1
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "b1"}, "text/plain": "a bar"}
    cell.outputs = [new_output("display_data", data=view)]
    widgets = {"application/vnd.jupyter.widget-state+json": {"b1": {"model_name": "HBoxModel"}}}
    add_lesson(small, cell, widgets=widgets)
    build_site.build(small, small / "_build")
    assert (small / "_build/html/en/lessons/en/01_bar.html").is_file()


def built(root: Path) -> dict[Path, int]:
    """When each page was last read (its doctree) and written (its HTML)."""
    found = [*root.glob("_build/*/_build/**/*.doctree"), *root.glob("_build/*/_build/html/*/*/*")]
    return {path: path.stat().st_mtime_ns for path in found if path.suffix in (".doctree", ".html")}


def test_a_changed_page_alone_is_read_and_written_again(small):
    cell = code("print", "print(1)")
    cell.execution_count = 1
    add_lesson(small, cell)
    build_site.build(small, small / "_build")
    before = built(small)
    assert {path.stem for path in before} >= {"first", "second", "01_print"}
    write(small, "en", "second", "Other words.")
    build_site.build(small, small / "_build")
    after = built(small)
    again = {path for path in before if after[path] != before[path]}
    assert all("/en/" in path.as_posix() for path in again)
    # The first page has the contents, which name the second.
    assert {path.name for path in again} == {"second.doctree", "second.html", "first.html"}
