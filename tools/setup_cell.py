"""The first code cell of every notebook: it finds `course_lib` or installs it."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

TEMPLATE = """\
LANGUAGE = "{language}"

try:
    import course_lib
except ModuleNotFoundError:
    import importlib
    import subprocess
    import sys

    package = "{package} @ {repository}/archive/refs/heads/main.zip"
    command = [sys.executable, "-m", "pip", "install", "--quiet", package]
    if subprocess.run(command, capture_output=True).returncode:
        print(f'course_lib is missing and could not be fetched; run: pip install "{{package}}"')
    importlib.invalidate_caches()"""


def repository() -> str:
    """The repository's address, from its one place in pyproject.toml."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return pyproject["project"]["urls"]["Repository"]


def setup_cell(language: str, *, torch: bool) -> str:
    """The source of the cell; `torch` for notebooks that need PyTorch as well."""
    package = "attention-recomputed[torch]" if torch else "attention-recomputed"
    return TEMPLATE.format(language=language, package=package, repository=repository())
