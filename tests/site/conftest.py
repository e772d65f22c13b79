"""The site, built once for all of its tests, served on this machine, and a browser to read it.

The tests run in several processes: the first that needs the site builds it, the others wait.
"""

from pathlib import Path
from urllib.parse import urlsplit

import build_site
import pytest
from course_site.repository import site_url
from filelock import FileLock

from tests.site.chromium import chromium
from tests.site.serve import served
from tests.site.toc import ROOT


def build(output: Path) -> str:
    """Build the site and return what was said if that fails."""
    try:
        build_site.build(ROOT, output)
    except RuntimeError as error:
        return str(error)
    return ""


@pytest.fixture(scope="session")
def site(tmp_path_factory, worker_id) -> Path:
    """The folder of the built site, with warnings as errors."""
    shared = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        shared = shared.parent
    output, said = shared / "site", shared / "site.log"
    with FileLock(shared / "site.lock"):
        if not said.exists():
            said.write_text(build(output), encoding="utf-8")
    if complaint := said.read_text(encoding="utf-8"):
        pytest.fail(f"the books do not build without warnings:\n{complaint}", pytrace=False)
    return output / "html"


@pytest.fixture(scope="session")
def address(site):
    """The address at which the site is served, below the repository's name as on Pages."""
    with served(site, urlsplit(site_url(ROOT)).path) as at:
        yield at


@pytest.fixture(scope="session")
def browser():
    """Chromium, which finds no host but this machine."""
    with chromium() as found:
        yield found
