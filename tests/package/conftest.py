"""What the tests of the package share."""

import pytest

from tests.package.environments import build_wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The built wheel."""
    return build_wheel(tmp_path_factory.mktemp("dist"))


@pytest.fixture(autouse=True)
def no_paths_from_outside(monkeypatch):
    """The environments see neither this one's paths nor the user's own packages."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("PYTHONNOUSERSITE", "1")
