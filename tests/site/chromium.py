"""The browser of the tests. Without one, CI fails; elsewhere the tests are reported as skipped."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

NO_HOST_BUT_THIS = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"


def path() -> str:
    """Where Chromium is: $CHROMIUM, or the one on the path."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if found:
        return found
    missing = "no Chromium: install it, or say where it is in $CHROMIUM"
    if os.environ.get("CI"):
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser that can reach nothing but this machine."""
    executable = path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=[NO_HOST_BUT_THIS])
        yield browser
        browser.close()
