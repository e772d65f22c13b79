"""What stands around the two books: the front door, the page for lost readers, the site's map."""

import shutil
from collections.abc import Iterator
from datetime import date
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from course_site.about import last_changes
from course_site.languages import LANGUAGES, alternates, pages
from course_site.repository import site_url

# What Jupyter Book leaves in its output that no page of ours loads or links to.
LEFT_BEHIND = (
    "_static/vendor",
    "_static/webpack-macros.html",
    "_static/sbt-webpack-macros.html",
    "_static/locales",
    "_static/scripts",
    "_static/page.png",
    "_static/images",
    "_static/file.png",
    "_static/minus.png",
    "_static/plus.png",
    "_sources/book",
    "_panels_static",
    "_sphinx_design_static",
    "objects.inv",
    ".buildinfo",
)


def adopt(book: Path, target: Path) -> None:
    """Copy a built book into the site, without what no page needs."""
    shutil.copytree(book, target)
    for name in LEFT_BEHIND:
        path = target / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def write(root: Path, site: Path) -> None:
    """Write what belongs to neither book."""
    templates = Environment(
        loader=FileSystemLoader(root / "book" / "_front"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
    )
    home = site_url(root)
    values = {
        "site": home,
        "starts": {
            language: f"{language}/{pages(root, language)[0]}.html" for language in LANGUAGES
        },
    }
    for name, base in (("index.html", ""), ("404.html", urlsplit(home).path)):
        html = templates.get_template(name).render(values, base=base)
        (site / name).write_text(html, encoding="utf-8")
    for language in LANGUAGES:
        shutil.copy(root / "book" / "_front" / f"card.{language}.png", site)
    shutil.copy(root / "book" / "_static" / "favicon.svg", site)
    (site / "sitemap.xml").write_text(sitemap(root), encoding="utf-8")
    (site / "robots.txt").write_text(f"User-agent: *\nAllow: /\n\nSitemap: {home}sitemap.xml\n")
    (site / ".nojekyll").touch()


def sitemap(root: Path) -> str:
    """All pages of both books, each with its twin, as sitemaps.org and Google have it."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:xhtml="http://www.w3.org/1999/xhtml">',
        *_entry(site_url(root), {}, ""),
    ]
    changes = last_changes(root)
    for language in LANGUAGES:
        for page in pages(root, language):
            suffix = ".ipynb" if page.startswith(("lessons/", "exercises/")) else ".md"
            links = alternates(root, page)
            lines += _entry(links[language], links, changes.get(page + suffix, ""))
    return "\n".join([*lines, "</urlset>", ""])


def _entry(address: str, links: dict[str, str], changed: str) -> Iterator[str]:
    yield f"<url><loc>{escape(address)}</loc>"
    if changed:
        yield f"<lastmod>{date.fromisoformat(changed)}</lastmod>"
    for language, link in links.items():
        yield f'<xhtml:link rel="alternate" hreflang="{language}" href="{escape(link)}"/>'
    yield "</url>"
