"""What can be said of the built pages without a browser: where links lead, how chapters begin."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from bs4 import BeautifulSoup

from tests.site.toc import LANGUAGES, ROOT, site_pages
from tools.setup_cell import repository

HANGUL = re.compile("[가-힣]")
PAGES = site_pages()
LESSONS = [page for page in PAGES if page[3:].startswith("lessons/")]
NOTEBOOKS = [page for page in PAGES if page[3:].startswith(("lessons/", "exercises/"))]
OTHERS = ["index", *(f"{language}/search" for language in LANGUAGES)]


@cache
def parsed(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(path: Path) -> set[str]:
    return {tag["id"] for tag in parsed(path).find_all(id=True)}


def targets(soup: BeautifulSoup) -> list[str]:
    """The local addresses that a page links to or loads."""
    found = [tag.get(name) for name in ("href", "src") for tag in soup.find_all(attrs={name: True})]
    return [address for address in found if not urlsplit(address).scheme]


def dead(site: Path, page: Path, address: str) -> bool:
    """Whether a page's local address leads nowhere, or to an anchor that is not there."""
    path, anchor = urldefrag(address)
    file = page if not path else (page.parent / unquote(path.partition("?")[0])).resolve()
    if not file.is_relative_to(site) or not file.is_file():
        return True
    return bool(anchor) and unquote(anchor) not in anchors(file)


@pytest.mark.parametrize("page", [*PAGES, *OTHERS])
def test_every_link_inside_the_site_leads_somewhere(site, page):
    path = site / f"{page}.html"
    links = targets(parsed(path))
    assert [address for address in links if dead(site, path, address)] == []


def test_a_dead_link_is_noticed(site):
    page = site / "en/book/en/start.html"
    assert not dead(site, page, "notation.html#rows-are-tokens")
    assert dead(site, page, "notation.html#columns-are-tokens")
    assert dead(site, page, "none.html")
    assert dead(site, page, "../../../../../etc/passwd")


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_the_colab_link_opens_this_notebook_on_the_main_branch(site, page):  # H04, H05, H06
    link = parsed(site / f"{page}.html").select_one("ul.chapter-links a[href*=colab]")["href"]
    owner_and_name = repository().removeprefix("https://github.com/")
    prefix = f"https://colab.research.google.com/github/{owner_and_name}/blob/main/"
    assert link.startswith(prefix)
    assert (ROOT / link.removeprefix(prefix)).is_file()
    assert link.removeprefix(prefix) == f"{page[3:]}.ipynb"


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_the_download_is_the_notebook_itself(site, page):
    path = site / f"{page}.html"
    link = parsed(path).select_one("ul.chapter-links a[download]")["href"]
    assert (path.parent / link).read_bytes() == (ROOT / f"{page[3:]}.ipynb").read_bytes()


@pytest.mark.parametrize("page", LESSONS)
def test_a_chapter_bears_the_number_of_its_file(site, page):
    heading = parsed(site / f"{page}.html").select_one("article h1")
    number = int(Path(page).name[:2])
    assert heading.select_one(".section-number").get_text(strip=True) == f"{number}."


def test_korean_in_an_english_page_is_marked_as_korean(site):
    found, unmarked = 0, []
    for page in PAGES:
        soup = parsed(site / f"{page}.html")
        for text in soup.article.find_all(string=HANGUL) if page[:2] == "en" else []:
            found += 1
            unmarked += [] if text.find_parent(lang=True)["lang"] == "ko" else [(page, text)]
    assert found > 100
    assert unmarked == []


def test_titles_are_plain_words_on_the_page_and_wherever_pages_are_listed(site):  # H22, H23
    plain = set()
    for page in PAGES:
        soup = parsed(site / f"{page}.html")
        titles = [soup.title, soup.select_one("article h1"), *soup.select("nav a, a[rel]")]
        assert not any(title.select(".math") for title in titles), page
        plain |= {title.get_text() for title in titles}
    assert len(plain) > len(PAGES)
    assert [title for title in plain if any(mark in title for mark in "$\\^{}")] == []


def test_mathjax_is_loaded_where_there_is_mathematics_and_nowhere_else(site):
    loads, has = set(), set()
    for page in PAGES:
        soup = parsed(site / f"{page}.html")
        loads |= {page} if soup.select("script[src*='maths.js']") else set()
        has |= {page} if soup.select("article .math") else set()
    assert loads == has
    assert "en/book/en/notation" in has
    assert "en/book/en/references" not in has


def test_every_figure_has_its_size(site):
    figures = [
        image
        for page in LESSONS
        for image in parsed(site / f"{page}.html").select(".cell_output img")
    ]
    assert figures
    assert [image["src"] for image in figures if not image.has_attr("height")] == []


def test_what_is_vendored_comes_with_its_licence():
    for licence in (
        "book/_vendor/mathjax/LICENSE",
        "book/_static/fonts/OFL.txt",
        "tests/site/axe/LICENSE",
    ):
        assert (ROOT / licence).stat().st_size > 1000
