"""The repository's address, read from its one place, and the links that are made from it."""

import tomllib
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

BRANCH = "main"
COLAB = "https://colab.research.google.com"


def address(root: Path) -> str:
    """The address in pyproject.toml, such as https://github.com/owner/name."""
    pyproject = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return pyproject["project"]["urls"]["Repository"]


def set_address(app: Sphinx, config: Config) -> None:
    """Hand the address to the theme, so that _config.yml need not repeat it."""
    config.html_theme_options |= {
        "repository_url": address(Path(app.srcdir)),
        "repository_branch": BRANCH,
        "path_to_docs": "",
    }


def fill_address(app: Sphinx, docname: str, source: list[str]) -> None:
    """Write the address where a page says {{ repository }}."""
    source[0] = source[0].replace("{{ repository }}", address(Path(app.srcdir)))


def site_url(root: Path) -> str:
    """Where GitHub Pages publishes the repository's site, with a slash at the end."""
    owner, _, name = address(root).removeprefix("https://github.com/").partition("/")
    host = f"{owner.lower()}.github.io"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


def colab_url(root: Path, path: str) -> str:
    """The address that opens the notebook at `path`, relative to the root, in Colab."""
    owner_and_name = address(root).removeprefix("https://github.com/")
    return f"{COLAB}/github/{owner_and_name}/blob/{BRANCH}/{path}"


def file_url(root: Path, path: str) -> str:
    """The address of a file in the repository; empty while the repository's is not set."""
    at = address(root)
    return "" if "/OWNER/" in at else f"{at}/blob/{BRANCH}/{path}"
