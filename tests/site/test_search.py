"""The search finds words of both languages in both books, as readers type them."""

import random
import re
import unicodedata
from pathlib import Path
from urllib.parse import quote

import pytest
from course_site.search_words import PARTICLES, SearchCourse

from tests.site.look import faults_of, opened
from tests.site.toc import ROOT, pages
from tools.normal_form import read

KOREAN = sorted(ROOT.glob("lessons/ko/*.ipynb"))
WORDS = SearchCourse({})
COMMON = "은 는 이 가 을 를 의 에 에서 에게 으로 로 와 과 도 만 까지 부터 보다 처럼 이다 이라 라는"
BOOK = {f"{page}.html" for page in pages("en")}
TERMS = ["쿼리", "토큰", "어텐션", "셀프어텐션", "셀프 어텐션"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("쿼리는 토큰에서도 키와 값을", ["쿼리", "토큰", "키", "값"]),
        ("softmax를 d_k로", ["softmax", "d_k"]),
        ("어텐션(attention)이란", ["어텐션", "attent"]),
        ("마스크처럼 헤드마다 층까지만", ["마스크", "헤드", "층"]),
        ("로짓이다, 우도라는 임베딩이므로", ["로짓", "우도", "임베딩"]),
        ("matrices and embeddings", ["matric", "embed"]),
    ],
)
def test_a_word_is_indexed_without_what_follows_it(text, terms):
    stems = (WORDS.stem(word).lower() for word in WORDS.split(text))
    assert [stem for stem in stems if WORDS.word_filter(stem)] == terms


@pytest.mark.parametrize("particle", COMMON.split())
def test_every_common_particle_is_known(particle):
    assert particle in PARTICLES
    assert WORDS.stem(f"헤드{particle}") == "헤드"


def prose(chapter: Path) -> str:
    return "\n".join(c.source for c in read(chapter).cells if c.cell_type == "markdown")


def words_before(particles: str, text: str) -> set[str]:
    return set(re.findall(rf"(?<![가-힣])([가-힣]{{2,5}})(?:{particles})\b", text))


ALL_PROSE = "\n".join(map(prose, KOREAN))
NOUNS = words_before("을|를", ALL_PROSE) & words_before("의", ALL_PROSE)


def words_with_particles(chapter: Path) -> list[str]:
    """Ten nouns of a chapter's prose, drawn by chance, each with a particle behind it there."""
    joined = sorted(NOUNS & words_before("을|를|에서|은|는", prose(chapter)))
    return random.Random(chapter.stem).sample(joined, 10)


@pytest.fixture(scope="module")
def find(browser, address):
    """The pages that a search in one of the books finds, in its order."""
    context = browser.new_context()
    page = context.new_page()

    def search(language: str, query: str) -> list[str]:
        page.goto(f"{address}/{language}/search.html?q={quote(query)}")
        page.wait_for_function("document.querySelector('.search-summary')?.innerText")
        links = page.locator("#search-results ul.search li > a")
        return [link.get_attribute("href") for link in links.all()]

    yield search
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("query", [*TERMS, "쿼리는", "값", "내적을"])
def test_korean_words_are_found_in_the_korean_book(find, query):  # H34
    found = find("ko", query)
    assert any("lessons/ko/" in link for link in found), found
    assert any("book/ko/glossary" in link for link in found), found


@pytest.mark.browser
def test_a_word_pasted_from_a_mac_with_its_letters_apart_is_found(find):
    assert find("ko", unicodedata.normalize("NFD", "쿼리를")) == find("ko", "쿼리를") != []


@pytest.mark.browser
@pytest.mark.parametrize("chapter", KOREAN, ids=lambda path: path.stem)
def test_ten_words_of_a_korean_chapter_are_found_though_particles_follow_them(find, chapter):
    words = words_with_particles(chapter)
    found = {word: find("ko", word) for word in words}
    lost = [w for w, links in found.items() if not any(chapter.stem in link for link in links)]
    assert lost == []


@pytest.mark.browser
@pytest.mark.parametrize(("part", "whole"), [("베이스", "데이터베이스"), ("디언", "그래디언트")])
def test_a_part_of_a_compound_finds_the_pages_that_have_the_whole(find, part, whole):  # H36
    found = find("ko", part)
    assert found
    assert set(find("ko", whole)) <= set(found)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("language", "query"),
    [("ko", "임베딩 캐시"), ("ko", "그래디언트 캐시 쿼리"), ("en", "cosine KV")],
)
def test_short_words_too_must_all_be_on_a_page_that_is_found(find, language, query):
    def found(words: str) -> set[str]:
        return {link.partition("#")[0] for link in find(language, words)}

    assert found(query)
    assert found(query) == set.intersection(*map(found, query.split()))


@pytest.mark.browser
def test_a_scrap_that_no_page_has_hides_none(find):
    assert find("en", "vs") == []
    assert find("en", "attention vs rnn") == find("en", "attention rnn") != []


@pytest.mark.browser
@pytest.mark.parametrize("query", ["constructor", "__proto__"])
def test_a_word_that_every_object_of_a_script_has_leads_to_pages_or_nowhere(find, query):
    assert {link.partition("#")[0] for link in find("en", query)} <= BOOK


@pytest.mark.browser
@pytest.mark.parametrize("query", [*TERMS, "멀티헤드"])
def test_korean_terms_are_found_in_the_english_glossary(find, query):
    assert any("book/en/glossary" in link for link in find("en", query))


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("query", ["softmax", "embedding", "PyTorch", "RoPE"])
def test_english_words_are_found_in_both_books(find, language, query):
    assert any(f"lessons/{language}/" in link for link in find(language, query))


@pytest.mark.browser
@pytest.mark.parametrize(
    ("language", "nothing"),
    [("en", "No page has these words."), ("ko", "이 말이 나오는 페이지가 없다.")],
)
def test_a_search_that_finds_nothing_says_so(browser, address, language, nothing):
    with opened(browser, f"{address}/{language}/search.html?q=xylophone", 390, "light") as (
        page,
        _,
    ):
        page.wait_for_function("(said) => document.body.innerText.includes(said)", arg=nothing)
        assert page.locator("#search-results li").count() == 0


@pytest.mark.browser
def test_a_result_shows_prose_and_nothing_is_wrong_with_the_page(browser, address):
    for language, query in (("en", "transpose"), ("ko", "전치")):
        url = f"{address}/{language}/search.html?q={quote(query)}"
        with opened(browser, url, 390, "light") as (page, faults):
            page.wait_for_selector(f"#search-results a[href*='book/{language}/notation']")
            page.wait_for_selector("#search-results p.context")
            assert faults + faults_of(page, "light") == []


@pytest.mark.browser
def test_javascript_stems_every_word_of_the_books_as_python_does(browser, address, site):
    words = set()
    for page in site.glob("*/lessons/*/*.html"):
        words |= set(WORDS.split(re.sub(r"<[^>]+>", " ", page.read_text(encoding="utf-8"))))
    words = sorted({word.lower() for word in words if word.isalpha()})
    page = browser.new_page()
    page.goto(f"{address}/ko/search.html")
    stems = page.evaluate("(words) => words.map((word) => new Stemmer().stemWord(word))", words)
    page.close()
    differing = [
        (word, stem) for word, stem in zip(words, stems, strict=True) if stem != WORDS.stem(word)
    ]
    assert [pair for pair in differing if re.match("[가-힣]", pair[0])] == []
    assert len(differing) < 0.01 * len(words)  # the two Porter stemmers differ on a few words
