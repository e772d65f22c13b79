"""A second build does what is needed and no more."""

import shutil
import subprocess

from tests.site.conftest import command
from tests.site.toc import ROOT


def test_a_page_that_joins_the_contents_appears_beside_every_page(tmp_path):
    shutil.copytree(ROOT / "book", tmp_path / "book")
    pages = tmp_path / "book" / "test"
    pages.mkdir()
    for name in ("_config.yml", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("first", "second"):
        (pages / f"{name}.md").write_text(f"# The {name} page\n", encoding="utf-8")
    toc = (
        "format: jb-book\nroot: book/test/first\n"
        "parts:\n- caption: All\n  chapters:\n  - file: book/test/second\n"
    )
    for joins in ("", "  - file: book/test/third\n"):
        if joins:
            (pages / "third.md").write_text("# The third page\n", encoding="utf-8")
        (tmp_path / "_toc.yml").write_text(toc + joins, encoding="utf-8")
        subprocess.run(command(tmp_path), cwd=tmp_path, check=True, capture_output=True)
        second = (tmp_path / "_build/html/book/test/second.html").read_text(encoding="utf-8")
        assert ('href="third.html"' in second) == bool(joins)
