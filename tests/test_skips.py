"""A skipped test fails in continuous integration, so that a missing tool cannot hide."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SKIPS = {
    "tool": "import pytest\ndef test_tool(): pytest.skip('no chromium')",
    "mark": "import pytest\n@pytest.mark.skip(reason='later')\ndef test_mark(): pass",
    "xfail": "import pytest\n@pytest.mark.xfail\ndef test_xfail(): raise OSError",
    "module": "import pytest\npytest.importorskip('no_such_module')",
}
ALLOWED = {
    "gpu": "import pytest\ndef test_gpu(): pytest.skip('no accelerator')",
    "plain": "def test_plain(): pass",
}


def outcomes(folder: Path, tests: dict[str, str], ci: dict[str, str]) -> str:
    """The closing line of pytest over `tests`, with the variables `ci` in its environment."""
    for name, source in tests.items():
        (folder / f"test_{name}.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-c", os.devnull]
    command.append("--continue-on-collection-errors")
    environment = {key: value for key, value in os.environ.items() if key != "CI"} | ci
    result = subprocess.run(
        [*command, folder], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    return result.stdout.splitlines()[-1]


def test_in_continuous_integration_a_skip_fails_unless_an_accelerator_is_missing(tmp_path):
    closing = outcomes(tmp_path, SKIPS | ALLOWED, {"CI": "1"})
    assert "2 failed, 1 passed, 1 skipped, 2 errors" in closing


def test_a_skip_is_no_error_at_home(tmp_path):
    assert "1 passed, 4 skipped, 1 xfailed" in outcomes(tmp_path, SKIPS | ALLOWED, {})
