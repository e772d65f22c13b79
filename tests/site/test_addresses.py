"""What pages say of themselves to search engines and to whoever links to them."""

import re
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from course_site import about, languages
from course_site.repository import site_url
from PIL import Image

from tests.site.test_built_site import dead, parsed, targets
from tests.site.toc import LANGUAGES, ROOT, pages, site_pages

HOME = site_url(ROOT)
PAGES = site_pages()
INDEXED = ["index", *PAGES]
PUBLISHED = {"", ".html", ".css", ".js", ".ipynb", ".xml", ".txt"}
PUBLISHED |= {".woff", ".woff2", ".svg", ".webp", ".png"}


def links(site: Path, page: str, **attributes: str) -> list[str]:
    return [link["href"] for link in parsed(site / f"{page}.html").find_all("link", attributes)]


def meta(site: Path, page: str, name: str) -> str:
    soup = parsed(site / f"{page}.html")
    (tag,) = soup.select(f'meta[name="{name}"], meta[property="{name}"]')
    return tag["content"]


def file_at(site: Path, address: str) -> Path:
    """The file that a whole address of the site leads to."""
    assert address.startswith(HOME)
    path = site / address.removeprefix(HOME)
    return path / "index.html" if path.is_dir() else path


def repository_at(folder: Path, address: str) -> Path:
    (folder / "pyproject.toml").write_text(f'[project.urls]\nRepository = "{address}"\n')
    return folder


@pytest.mark.parametrize(
    ("repository", "home"),
    [
        ("https://github.com/ada/attention", "https://ada.github.io/attention/"),
        ("https://github.com/Ada/Attention", "https://ada.github.io/Attention/"),
        ("https://github.com/ada/ada.github.io", "https://ada.github.io/"),
    ],
)
def test_pages_are_published_where_github_publishes_them(tmp_path, repository, home):
    assert site_url(repository_at(tmp_path, repository)) == home


@pytest.mark.parametrize("page", INDEXED)
def test_a_page_names_its_own_address_and_those_of_its_twin(site, page):
    (own,) = links(site, page, rel="canonical")
    assert file_at(site, own) == site / f"{page}.html"
    soup = parsed(site / f"{page}.html")
    alternates = {link["hreflang"]: link["href"] for link in soup.find_all("link", hreflang=True)}
    assert set(alternates) == {*LANGUAGES, "x-default"}
    for language in LANGUAGES:
        twin = file_at(site, alternates[language])
        assert twin.is_file()
        if page != "index":
            back = parsed(twin).find_all("link", hreflang=page[:2])
            assert [link["href"] for link in back] == [own]


@pytest.mark.parametrize("page", [*PAGES, "en/search", "ko/search"])
def test_the_switch_leads_to_the_same_page_in_the_other_language(site, page):
    path = site / f"{page}.html"
    (switch,) = parsed(path).select("a.language-switch")
    (other,) = set(LANGUAGES) - {page[:2]}
    target = (path.parent / switch["href"]).resolve().relative_to(site)
    assert str(target) == f"{other}/{languages.twin(page[3:], other)}.html"
    assert switch["lang"] == switch["hreflang"] == other
    assert switch.get_text(strip=True).startswith(other.upper())


def test_a_page_without_a_twin_leads_to_the_first_page(tmp_path, monkeypatch):
    for language, toc in languages.TOCS.items():
        extra = "  - file: book/en/extra\n" if language == "en" else "  - file: book/ko/second\n"
        start = f"root: book/{language}/start\nparts:\n- caption: All\n  chapters:\n"
        (tmp_path / toc).write_text(start + extra)
    repository_at(tmp_path, "https://github.com/ada/attention")
    assert languages.switch(tmp_path, "book/en/extra", "en") == (
        "ko",
        "../../../ko/book/ko/start.html",
        False,
    )
    assert languages.alternates(tmp_path, "book/en/extra").keys() == {"en", "x-default"}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_described_in_a_sentence_or_two_of_its_own_language(site, page):
    description = meta(site, page, "description")
    assert about.SHORTEST / 2 <= len(description) <= about.LONGEST
    assert not re.search(r"[\\$*`]|\{\{", description)
    assert bool(re.search("[가-힣]{2}", description)) == (page[:2] == "ko")
    assert meta(site, page, "og:description") == description


def test_no_two_pages_of_a_book_have_one_description_or_one_title(site):
    for language in LANGUAGES:
        own = [f"{language}/{page}" for page in pages(language)]
        assert len({meta(site, page, "description") for page in own}) == len(own)
        assert len({parsed(site / f"{page}.html").title.text for page in own}) == len(own)


@pytest.mark.parametrize(
    ("text", "shortened"),
    [
        ("Short.", "Short."),
        (
            "A " * 40 + "end. " + "More and more. " * 9,
            "A " * 40 + "end. " + ("More and more. " * 5)[:-1],
        ),
        ("word " * 40, ("word " * 31).strip() + "…"),
    ],
)
def test_a_long_description_ends_with_a_sentence_or_else_with_a_word(text, shortened):
    assert about.shortened(text) == shortened


@pytest.mark.parametrize("page", INDEXED)
def test_a_link_to_a_page_has_a_picture(site, page):
    card = file_at(site, meta(site, page, "og:image"))
    with Image.open(card) as picture:
        assert picture.size == (1200, 630)
    assert card.stat().st_size < 60_000
    assert meta(site, page, "og:url") == links(site, page, rel="canonical")[0]
    assert meta(site, page, "twitter:card") == "summary_large_image"


def test_the_map_of_the_site_lists_every_page_once(site):
    tree = ElementTree.parse(site / "sitemap.xml")
    names = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    listed = [entry.findtext(f"{names}loc") for entry in tree.iter(f"{names}url")]
    assert listed == [HOME, *(f"{HOME}{page}.html" for page in PAGES)]
    assert f"Sitemap: {HOME}sitemap.xml" in (site / "robots.txt").read_text()


def test_a_page_says_when_its_source_was_last_changed(site):
    shallow = about.last_changes(ROOT)
    for page in PAGES:
        source = next(
            path for path in (f"{page[3:]}.md", f"{page[3:]}.ipynb") if (ROOT / path).exists()
        )
        times = parsed(site / f"{page}.html").select("footer time")
        assert (
            [time["datetime"] for time in times] == [shallow[source]] if source in shallow else []
        )


def test_without_git_no_page_claims_a_day(tmp_path):
    assert about.last_changes(tmp_path) == {}


@pytest.mark.parametrize("depth", ["", "none.html", "en/lessons/none.html", "a/b/c/d"])
@pytest.mark.browser
def test_a_lost_reader_finds_both_books_from_any_depth(browser, site, address, depth):
    page = browser.new_page()
    answer = page.goto(f"{address}/{depth}")
    assert answer.status == (404 if depth else 200)
    doors = page.locator(".doors a")
    assert doors.count() == 2
    doors.nth(1).click()
    page.wait_for_url(f"**/ko/{pages('ko')[0]}.html")
    page.close()


def test_the_front_door_offers_both_books_and_runs_nothing(site):
    soup = parsed(site / "index.html")
    assert [link["hreflang"] for link in soup.select("main a")] == list(LANGUAGES)
    assert soup.find_all("script") == []
    assert soup.find_all("meta", {"http-equiv": True}) == []
    assert not any(dead(site, site / "index.html", target) for target in targets(soup))


def test_the_page_for_lost_readers_loads_nothing_by_a_relative_path(site):
    base = urlsplit(HOME).path
    assert all(target.startswith(base) for target in targets(parsed(site / "404.html")))
    assert f"url({base}" in (site / "404.html").read_text(encoding="utf-8")


def test_what_no_page_needs_is_left_behind(site):
    sizes: dict[str, int] = {}
    for path in filter(Path.is_file, site.rglob("*")):
        sizes[path.suffix] = sizes.get(path.suffix, 0) + path.stat().st_size
    assert sizes.keys() <= PUBLISHED
    assert sizes[".png"] < 100_000  # the cards
    assert sizes[".css"] < 300_000
