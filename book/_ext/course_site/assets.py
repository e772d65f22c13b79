"""What the pages load: our style, fonts and logo, and MathJax, all of it from the site itself."""

from pathlib import Path

from docutils import nodes
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


def keep_mathjax_to_mathematics(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document
) -> None:
    """Take MathJax off a page without mathematics; Sphinx gives it to the parents of such too."""
    if not app.env.get_domain("math").data["has_equations"].get(pagename):
        context["script_files"] = [
            script
            for script in context["script_files"]
            if "mathjax" not in f"{script.filename} {script.attributes.get('body')}".lower()
        ]
