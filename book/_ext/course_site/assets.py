"""What the pages load: our style, fonts and logo, and MathJax, all of it from the site itself."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from course_site.languages import SEARCH

BOOK = Path(__file__).resolve().parents[2]


def add_static_paths(app: Sphinx, config: Config) -> None:
    """Copy book/_static and book/_vendor.

    Named in _config.yml, Jupyter Book would put each script below them on each page; MathJax
    belongs only on pages with mathematics, and comes when these stand.
    """
    config.html_static_path += [str(BOOK / "_static"), str(BOOK / "_vendor")]


def add_files(app: Sphinx) -> None:
    """Put our style and script on each page, after the theme's own."""
    app.add_css_file("course.css", priority=900)
    app.add_js_file("course.js", defer="defer")
    app.add_js_file("maths.js", priority=900, defer="defer")


def keep_what_the_page_needs(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document
) -> None:
    """Leave out what only mathematics needs, what only the search needs, and what no page does.

    MathJax itself is fetched by maths.js.
    """
    unneeded = ["sphinx-book-theme.js", "translations.js", ".pagename", "mathjax/"]
    if pagename != SEARCH:
        unneeded += ["documentation_options.js", "doctools.js", "sphinx_highlight.js"]
    if not app.env.get_domain("math").data["has_equations"].get(pagename):
        unneeded += ["maths.js", "window.MathJax"]
    context["script_files"] = [
        script
        for script in context["script_files"]
        if not any(
            part in f"{script.filename} {script.attributes.get('body')}" for part in unneeded
        )
    ]
