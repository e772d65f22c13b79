"""The two books of the site: which page of one is the twin of which page of the other."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml
from sphinx.application import Sphinx
from sphinx.config import Config

from course_site.repository import site_url

LANGUAGES = ("en", "ko")
TOCS = {"en": "_toc.yml", "ko": "_toc.ko.yml"}
SEARCH = "search"  # the page that both books have under one name


class Switch(NamedTuple):
    """Where the switch of language leads: a relative address, and whether a twin stands there."""

    language: str
    href: str
    twin: bool


@cache
def pages(root: Path, language: str) -> tuple[str, ...]:
    """The pages of a book in reading order, without suffix, the first one first."""
    toc = yaml.safe_load((root / TOCS[language]).read_text(encoding="utf-8"))
    found = [toc["root"]]
    for part in toc["parts"]:
        for chapter in part["chapters"]:
            found += [chapter["file"], *(s["file"] for s in chapter.get("sections", []))]
    return tuple(page.removesuffix(".ipynb") for page in found)


def twin(page: str, language: str) -> str:
    """The name that a page has in the book of `language`."""
    other = "en" if language == "ko" else "ko"
    for own, theirs in ((f"/{other}/", f"/{language}/"), (f".{other}", f".{language}")):
        if own in page:
            page = page.replace(own, theirs)
    return page


def switch(root: Path, page: str, language: str) -> Switch:
    """Where `page` of the book of `language` leads in the other book: its twin, or the start."""
    (other,) = set(LANGUAGES) - {language}
    theirs = pages(root, other)
    target = twin(page, other)
    found = target in theirs or target == SEARCH
    up = "../" * (page.count("/") + 1)
    return Switch(other, f"{up}{other}/{target if found else theirs[0]}.html", found)


def alternates(root: Path, page: str) -> dict[str, str]:
    """The page's address in each language that has it, and the one for any other reader."""
    site = site_url(root)
    found = {
        language: f"{site}{language}/{twin(page, language)}.html"
        for language in LANGUAGES
        if twin(page, language) in pages(root, language)
    }
    is_start = any(twin(page, language) == pages(root, language)[0] for language in found)
    return found | {"x-default": site if is_start else next(iter(found.values()))} if found else {}


def set_base(app: Sphinx, config: Config) -> None:
    """Say where the book is published, from which follow its pages' own addresses."""
    config.html_baseurl = f"{site_url(Path(app.srcdir))}{config.language}/"


def add_to_page(app: Sphinx, pagename: str, template: str, context: dict, doctree: object) -> None:
    """Hand the switch and the alternates to the template."""
    root = Path(app.srcdir)
    context["switch"] = switch(root, pagename, app.config.language)
    context["alternates"] = alternates(root, pagename)
    context["site_url"] = site_url(root)
