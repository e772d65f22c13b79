"""The Korean book is Korean to its last button."""

import json
import re

import pytest
from bs4 import BeautifulSoup
from course_site import chapters, claims_page
from course_site.words import SEARCH_SAYS, WORDS, say_date

from tests.site.test_built_site import parsed
from tests.site.toc import ROOT, contents, pages

# What is alike in both languages: names, licences, the other language's own label, keys.
NAMES = r"(?<![A-Za-z])(?:CC BY 4\.0|MIT|Colab|Ctrl K|EN|PyTorch|KV|RNN|RoPE|ALiBi|GPU)(?![A-Za-z])"
READ_ALOUD = ("aria-label", "title", "placeholder", "alt")
KOREAN = [f"ko/{page}" for page in [*pages("ko"), "search"]]


def furniture(soup: BeautifulSoup) -> list[str]:
    """All that a page says or has read aloud beside its own text."""
    body = BeautifulSoup(str(soup.body), "html.parser")
    said = []
    links = body.select_one("ul.chapter-links")
    for text in [links] if links else []:
        said += [text["aria-label"], *text.stripped_strings]
    said += [summary.get_text() for summary in body.select("div.cell details.hide > summary")]
    for own in body.select("article, .bd-toc-nav ul, script, style, noscript, [lang=en]"):
        own.decompose()
    said += list(body.stripped_strings)
    for tag in body.find_all(True):
        said += [tag[name] for name in READ_ALOUD if tag.get(name)]
    said += json.loads(soup.body["data-words"]).values()
    return [re.sub(NAMES, "", text) for text in said]


@pytest.mark.parametrize("page", KOREAN)
def test_no_english_word_is_left_in_the_furniture(site, page):
    soup = parsed(site / f"{page}.html")
    assert soup.html["lang"] == "ko"
    said = furniture(soup)
    assert len(said) > 20  # titles of pages among them
    assert [text for text in said if re.search(r"[A-Za-z]{2,}", text)] == []


def test_an_english_word_would_be_noticed(site):
    soup = parsed(site / "en" / f"{pages('en')[0]}.html")
    assert "Skip to the text" in furniture(soup)


@pytest.mark.parametrize("labels", [WORDS, SEARCH_SAYS, chapters.LABELS, claims_page.LABELS])
def test_every_word_of_the_furniture_has_its_korean(labels):
    assert labels["en"].keys() == labels["ko"].keys()
    for key, korean in labels["ko"].items():
        assert re.search("[가-힣]", korean), key


def test_the_words_of_the_furniture_are_said_once():
    for path in (ROOT / "book" / "_templates").glob("*.html"):
        text = re.sub(
            r"\{[{%#].*?[}%#]\}|<script.*?</script>|<[^>]*>", "", path.read_text(), flags=re.S
        )
        words = re.sub("Ctrl K", "", text)
        assert re.findall(r"[A-Za-z가-힣]{2,}", words) == [], path.name


def test_a_day_is_written_as_each_language_writes_it():
    assert say_date("en", "2026-11-09") == "9 November 2026"
    assert say_date("ko", "2026-11-09") == "2026년 11월 9일"


@pytest.mark.browser
def test_korean_lines_break_between_words(browser, address):
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.goto(f"{address}/ko/{pages('ko')[0]}.html")
    style = "(what) => getComputedStyle(document.querySelector('article p'))[what]"
    assert page.evaluate(style, "wordBreak") == "keep-all"
    assert "Noto Sans" in page.evaluate(style, "fontFamily")
    page.close()


def test_the_captions_of_the_contents_are_korean():
    captions = [part["caption"] for part in contents("ko")["parts"]]
    assert all(re.fullmatch(r"[가-힣 ]+", caption) for caption in captions)
