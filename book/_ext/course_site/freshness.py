"""What all pages depend on: when it changes, every page is written again."""

import hashlib
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

BOOK = Path(__file__).resolve().parents[2]
SHARED = ("_ext/**/*.py", "_static/*.*", "_templates/**/*.html", "_interactive/**/*.*")


def watch_shared_files(app: Sphinx, config: Config) -> None:
    """Put a digest of the contents, templates, styles, address and this extension into the config.

    Sphinx compares the config with that of the last build. By itself it would leave each page
    whose own text is unchanged with the navigation and the looks that it had.
    """
    files = [Path(config.external_toc_path), BOOK.parent / "pyproject.toml"]
    files += sorted(path for pattern in SHARED for path in BOOK.glob(pattern))
    digest = hashlib.sha256(b"".join((Path(app.srcdir) / path).read_bytes() for path in files))
    config.shared_files = digest.hexdigest()
