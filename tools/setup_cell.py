"""The first code cell of every notebook: it finds `course_lib` or installs it."""

import re
import tomllib
from pathlib import Path

from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parent.parent
CELL_ID = "setup"

TEMPLATE = """\
LANGUAGE = "{language}"

try:
    import course_lib
except ModuleNotFoundError:
    import importlib.util
    import site
    import subprocess
    import sys

    package = "{package} @ {repository}/archive/refs/heads/main.zip"
    command = [sys.executable, "-m", "pip", "install", "-qq", package]
    pip = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if site.ENABLE_USER_SITE:  # pip installs there when it may not write elsewhere
        site.addsitedir(site.getusersitepackages())
    importlib.invalidate_caches()
    if importlib.util.find_spec("course_lib") is None:
        print(f'course_lib is missing; run: pip install "{{package}}"', pip.stderr, sep="\\n")"""

IMPORTS_TORCH = re.compile(
    r"^(import torch\b|from torch\b|import course_lib\.nn\b|from course_lib\.nn\b"
    r"|from course_lib import .*\bnn\b)",
    re.MULTILINE,
)


def repository() -> str:
    """The repository's address, from its one place in pyproject.toml."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return pyproject["project"]["urls"]["Repository"]


def setup_cell(language: str, *, torch: bool) -> str:
    """The source of the cell; `torch` for notebooks that need PyTorch as well."""
    package = "attention-recomputed[torch]" if torch else "attention-recomputed"
    return TEMPLATE.format(language=language, package=package, repository=repository())


def setup_cell_of(path: Path, notebook: NotebookNode) -> str:
    """The source that the setup cell of `notebook`, stored at `path`, must have."""
    return setup_cell(language(path), torch=needs_torch(notebook))


def language(path: Path) -> str:
    """The language of a notebook: lessons/ko/01_….ipynb and exercises/…/ex01.ko.ipynb are "ko"."""
    for part in (path.parent.name, path.stem.rpartition(".")[2]):
        if part in ("en", "ko"):
            return part
    raise ValueError(f"neither the folder nor the name of {path} says en or ko")


def needs_torch(notebook: NotebookNode) -> bool:
    """True when a code cell imports PyTorch, itself or through course_lib.nn.

    An import inside `try` does not count: such a notebook runs without PyTorch.
    """
    return any(
        cell.cell_type == "code" and IMPORTS_TORCH.search(cell.source) for cell in notebook.cells
    )


def notebooks() -> list[Path]:
    """Every notebook of the course that begins with a setup cell."""
    return sorted([*ROOT.glob("lessons/*/*.ipynb"), *ROOT.glob("exercises/*/*.ipynb")])
