"""What is copied beside the pages: our style, fonts and logo, and MathJax, which comes from here too."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

BOOK = Path(__file__).resolve().parents[2]


def add_static_paths(app: Sphinx, config: Config) -> None:
    """Copy book/_static and book/_vendor.

    Named in _config.yml, Jupyter Book would put each script below them on each page; MathJax
    belongs only on pages with mathematics, where Sphinx itself puts it.
    """
    config.html_static_path += [str(BOOK / "_static"), str(BOOK / "_vendor")]


def add_files(app: Sphinx) -> None:
    """Put our style and script on each page, after the theme's own."""
    app.add_css_file("course.css", priority=900)
    app.add_js_file("course.js", defer="defer")
