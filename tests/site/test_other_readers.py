"""Other readers: without scripts, storage or server, with few colours, little room, on paper."""

from urllib.parse import quote

import pytest

from tests.site.toc import pages, site_pages

pytestmark = pytest.mark.browser
CHAPTER = "en/lessons/en/05_multi_head.html"
PAPER = "getComputedStyle(document.body).backgroundColor"
INK = "getComputedStyle(document.querySelector('article p')).color"
RIGHT_BELOW_THE_BAR = """(id) => {
  const { top } = document.getElementById(id).getBoundingClientRect();
  const { bottom } = document.querySelector(".bd-header-article").getBoundingClientRect();
  return bottom <= top && top < bottom + 30;
}"""
WHITE, DARK_INK = "rgb(255, 255, 255)", "rgb(34, 34, 34)"
DENY_STORAGE = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied') } })"
)


@pytest.fixture
def open_page(browser, address):
    """A page of the site, or a whole address, closed after the test."""
    contexts = []

    def open_at(path: str, width: int = 1280, script: str = "", **options):
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **options))
        if script:
            contexts[-1].add_init_script(script)
        page = contexts[-1].new_page()
        page.goto(path if "://" in path else f"{address}/{path}")
        return page

    yield open_at
    for context in contexts:
        context.close()


def test_without_scripts_a_page_is_light_on_a_dark_device_too(open_page):
    page = open_page(CHAPTER, java_script_enabled=False, color_scheme="dark")
    assert page.evaluate(PAPER) == WHITE
    assert page.evaluate(INK) == DARK_INK
    assert not page.locator(".primary-toggle").is_visible()  # it would do nothing


def test_where_the_storage_is_denied_the_theme_is_the_devices_and_can_be_changed(open_page):
    page = open_page(CHAPTER, script=DENY_STORAGE, color_scheme="dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.click(".theme-switch-button")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


def test_what_another_site_of_the_same_owner_stored_is_no_theme(open_page):
    page = open_page(CHAPTER, script="localStorage.setItem('mode', '')", color_scheme="dark")
    assert page.evaluate("[document.documentElement.dataset.mode]") == ["auto"]
    assert page.locator(".theme-switch-button i[data-mode=auto]").is_visible()


def test_a_file_read_without_a_server_shows_no_hole_where_a_script_may_not_run(open_page, site):
    page = open_page((site / CHAPTER).as_uri())
    page.wait_for_function("!document.querySelector('.explorable')")
    page.wait_for_selector("article mjx-container")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_link_to_a_section_ends_there_when_all_formulas_are_set(open_page, width):
    page = open_page("en/lessons/en/04_scaling.html#what-to-remember", width)
    page.wait_for_selector("html[data-maths=set]")
    page.wait_for_function(
        RIGHT_BELOW_THE_BAR, arg="what-to-remember"
    )  # the browser moves it there


@pytest.mark.parametrize("language", ["en", "ko"])
def test_on_the_narrowest_phone_no_page_is_too_wide_not_even_before_formulas_are_set(
    open_page, address, language
):
    page = open_page(f"{language}/search.html", 320, java_script_enabled=False)
    wide = {}
    for name in site_pages():
        if name.startswith(language):
            page.goto(f"{address}/{name}.html")
            wide[name] = page.evaluate("document.documentElement.scrollWidth")
    assert len(wide) > 20
    assert {name for name, width in wide.items() if width > 320} == set()


def test_in_forced_colours_the_icons_are_seen(open_page):
    page = open_page(CHAPTER, forced_colors="active")
    icon, button = page.locator(".primary-toggle i"), page.locator(".primary-toggle")
    ink = icon.evaluate("(e) => getComputedStyle(e).backgroundColor")
    assert ink != button.evaluate("(e) => getComputedStyle(document.body).backgroundColor")
    assert icon.evaluate("(e) => getComputedStyle(e).forcedColorAdjust") == "none"


def test_what_is_printed_is_light_with_its_folds_open_and_its_code_whole(open_page):
    page = open_page(CHAPTER, color_scheme="dark")
    folds = page.locator("article details")
    shut = folds.evaluate_all("(all) => all.filter((fold) => !fold.open).length")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(PAPER) == WHITE
    assert page.evaluate(INK) == DARK_INK
    assert folds.evaluate_all("(all) => all.every((fold) => fold.open)")
    cut = "(all) => all.filter((pre) => pre.scrollWidth > pre.clientWidth).length"
    assert page.locator("article pre").evaluate_all(cut) == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert folds.evaluate_all("(all) => all.filter((fold) => !fold.open).length") == shut > 0


def test_a_korean_heading_has_an_anchor_of_its_own_words(open_page):
    page = open_page(f"ko/lessons/ko/04_scaling.html#{quote('재어-보기')}")
    assert page.locator("section:target > h2").inner_text().startswith("재어 보기")
    numbered = "(all) => all.map(({ id }) => id).filter((id) => /^id\\d+$/.test(id))"
    for name in pages("ko"):
        page.goto(page.url.partition("/ko/")[0] + f"/ko/{name}.html")
        assert page.locator("article section").evaluate_all(numbered) == [], name


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_folder_of_a_book_leads_to_its_first_page(open_page, language):
    page = open_page(f"{language}/")
    page.wait_for_url(f"**/{language}/{pages(language)[0]}.html")
