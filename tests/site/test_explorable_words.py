"""The words of the explorables, in both languages."""

import re
from collections.abc import Iterator

import pytest

from course_lib import words
from course_lib.messages import catalogue, translated
from tests.site.explorable_page import url
from tests.site.explorables import EXPLORABLES
from tests.site.look import opened

pytestmark = pytest.mark.browser

# Names, units and signs that are the same in every language.
UNTRANSLATED = re.compile(r"Llama|NVIDIA|SXM|GiB|model|KL|PE\(|cos\b|ln\b|\bms\b")
ENGLISH_WORD = re.compile(r"[A-Za-z]{3,}")
HANGUL = re.compile(r"[가-힣]")
OTHER_STYLES = re.compile(r"(세요|시오|습니다|합니다|입니다|해요|에요|예요)")

# Functions are called with letters in place of their numbers.
TEXTS = """async ([folder, name]) => {
  const { TEXTS } = await import(`${folder}/${name}.js`);
  const plain = (x) => typeof x === "function" ? x("a", "b", "c", "d", "e")
    : typeof x === "object" ? Object.fromEntries(Object.entries(x).map(([k, v]) => [k, plain(v)]))
    : x;
  return plain(TEXTS);
}"""


@pytest.fixture(scope="module")
def first_page(browser, address) -> Iterator:
    """The page of an explorable, from which the modules of all can be read."""
    with opened(browser, url(address, EXPLORABLES[0]), 1280, "light") as (page, _):
        source = page.evaluate("document.querySelector('script[src*=explorables]').src")
        yield page, source.rpartition("/")[0]


def flat(texts: dict, prefix: str = "") -> dict[str, str]:
    """Nested texts by the path of their keys."""
    found = {}
    for key, value in texts.items():
        path = f"{prefix}{key}"
        found |= flat(value, f"{path}.") if isinstance(value, dict) else {path: value}
    return found


@pytest.mark.parametrize("spec", EXPLORABLES, ids=lambda spec: spec.script)
def test_every_text_is_there_in_both_languages(first_page, spec):
    page, folder = first_page
    texts = page.evaluate(TEXTS, [folder, spec.script])
    english, korean = flat(texts["en"]), flat(texts["ko"])
    assert texts.keys() == {"en", "ko"}
    assert english.keys() == korean.keys()
    for key, text in english.items():
        assert text, key
        assert korean[key], key
        if ENGLISH_WORD.search(UNTRANSLATED.sub("", text)):
            assert HANGUL.search(korean[key]), key
        assert not ENGLISH_WORD.search(UNTRANSLATED.sub("", korean[key])), key
        assert not HANGUL.search(text), key
        assert not OTHER_STYLES.search(korean[key]), key
        # What a notebook says as well, it says in the same words.
        assert korean[key] == catalogue("ko").get(text, korean[key])


def test_the_documents_words_have_the_names_that_the_notebooks_give_them(first_page):
    page, folder = first_page
    names = page.evaluate("async (f) => (await import(`${f}/formulas/words.js`)).NAMES", folder)
    for language, of_words in names.items():
        assert of_words == {word: translated(word, language) for word in words.VECTORS}


@pytest.mark.parametrize("spec", EXPLORABLES, ids=lambda spec: spec.script)
def test_a_korean_page_has_a_korean_explorable(browser, address, spec):
    page = browser.new_page()
    page.goto(url(address, spec, "ko"))
    figure = page.locator(".explorable")
    said = [figure.inner_text(), *figure.locator("svg title").all_text_contents()]
    said += [tag.get_attribute("aria-label") for tag in figure.locator("[aria-label]").all()]
    english = ENGLISH_WORD.findall(UNTRANSLATED.sub("", " ".join(said)))
    assert HANGUL.search(said[0])
    assert english == []
    page.close()
