"""The book, built once for all tests of the site, served on this machine, and a browser to read it.

The tests run in several processes: the first that needs the book builds it, the others wait.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from tests.site.chromium import chromium
from tests.site.serve import served

ROOT = Path(__file__).resolve().parents[2]


def command(output: Path) -> list[str]:
    """The command that builds the book in the current folder into `output`/_build/html."""
    jupyter_book = str(Path(sys.executable).with_name("jupyter-book"))
    return [jupyter_book, "build", ".", "-W", "-n", "--keep-going", "--path-output", str(output)]


def build(output: Path) -> str:
    """Build the book and return what was said if that fails."""
    ran = subprocess.run(command(output), cwd=ROOT, capture_output=True, text=True)
    return "" if ran.returncode == 0 else ran.stdout + ran.stderr


@pytest.fixture(scope="session")
def book(tmp_path_factory, worker_id) -> Path:
    """The folder of the built book, with warnings as errors."""
    shared = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        shared = shared.parent
    output, said = shared / "book", shared / "book.log"
    with FileLock(shared / "book.lock"):
        if not said.exists():
            said.write_text(build(output), encoding="utf-8")
    if complaint := said.read_text(encoding="utf-8"):
        pytest.fail(f"the book does not build without warnings:\n{complaint}", pytrace=False)
    return output / "_build" / "html"


@pytest.fixture(scope="session")
def address(book):
    """The address at which the book is served."""
    with served(book) as at:
        yield at


@pytest.fixture(scope="session")
def browser():
    """Chromium, which finds no host but this machine."""
    with chromium() as found:
        yield found
