"""The furniture by keyboard, by touch, and without JavaScript."""

import pytest

from tests.site.toc import pages

pytestmark = pytest.mark.browser
CHAPTER = "en/lessons/en/04_scaling.html"

# Where the focus is: a short name, whether one can see it, and its place in the document.
FOCUS = """() => {
  const at = document.activeElement, box = at.getBoundingClientRect();
  const style = getComputedStyle(at);
  return {
    name: at.className + " " + at.tagName,
    part: ["bd-sidebar-primary", "bd-header-article", "bd-article", "prev-next-area",
      "bd-sidebar-secondary", "bd-footer-content"].find((part) => at.closest("." + part)) ?? "",
    seen: box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth
      && style.visibility === "visible" && style.opacity !== "0",
    place: [...document.querySelectorAll("*")].indexOf(at),
  };
}"""


@pytest.fixture
def open_page(browser, address):
    """A page of the site at a width, closed after the test."""
    contexts = []

    def open_at(path: str, width: int = 1280, **options):
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **options))
        page = contexts[-1].new_page()
        page.goto(f"{address}/{path}")
        return page

    yield open_at
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_focus_goes_through_what_one_sees_in_the_order_of_the_page(open_page, width):
    page = open_page(f"en/{pages()[0]}.html", width)
    stops = []
    for _ in range(120):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS))
        if stops[-1]["part"] == "bd-footer-content":
            break
    assert "skip-link" in stops[0]["name"]
    assert [stop["name"] for stop in stops if not stop["seen"]] == []
    places = [stop["place"] for stop in stops]
    assert places == sorted(places)
    parts = list(dict.fromkeys(stop["part"] for stop in stops[1:]))
    sides = ["bd-sidebar-primary"] if width == 1280 else []
    contents = ["bd-sidebar-secondary"] if width == 1280 else []
    middle = ["bd-header-article", "bd-article", "prev-next-area"]
    assert parts == [*sides, *middle, *contents, "bd-footer-content"]


def test_the_first_stop_leads_past_the_list_of_chapters(open_page):
    page = open_page(CHAPTER)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**#main-content")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUS)["part"] == "bd-header-article"


@pytest.mark.parametrize("which", ["primary", "secondary"])
def test_on_a_phone_a_list_slides_in_takes_the_focus_and_gives_it_back(open_page, which):
    page = open_page(CHAPTER, 390)
    side, button = page.locator(f".bd-sidebar-{which}"), page.locator(f".{which}-toggle")
    assert not side.is_visible()
    button.press("Enter")
    side.locator("a").first.wait_for(state="visible")
    page.wait_for_function(
        f"document.querySelector('.bd-sidebar-{which}').contains(document.activeElement)"
    )
    page.keyboard.press("Escape")
    side.wait_for(state="hidden")
    page.wait_for_function(f"document.activeElement.matches('.{which}-toggle')")


def test_the_search_opens_by_keyboard_and_finds(open_page):
    page = open_page(f"ko/{pages('ko')[0]}.html")
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")
    assert not page.locator(".search-dialog").is_visible()
    page.keyboard.press("Control+K")
    page.keyboard.type("쿼리")
    page.keyboard.press("Enter")
    page.wait_for_selector("#search-results a[href*='03_query_key_value']")
    page.keyboard.press("Control+k")
    assert page.evaluate("document.activeElement.name") == "q"


def test_the_theme_is_kept_from_page_to_page(open_page):
    page = open_page(CHAPTER, color_scheme="light")
    page.locator(".theme-switch-button").press("Enter")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.click(".right-next")
    page.wait_for_url("**/exercises/**")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_button_copies_the_code_and_no_other(open_page):
    page = open_page(CHAPTER, permissions=["clipboard-read", "clipboard-write"])
    cell = page.locator("#cell-imports, div.cell_input").first
    button = cell.locator("button.copy")
    button.focus()
    button.press("Enter")
    copied = "async (code) => await navigator.clipboard.readText() === code"
    page.wait_for_function(copied, arg=cell.locator("pre").inner_text().strip())
    assert page.locator(".cell_output button.copy").count() == 0


def test_the_section_that_one_reads_is_marked(open_page):
    page = open_page(f"{CHAPTER}#in-pytorch")
    page.wait_for_selector(".bd-toc-nav a.active[href='#in-pytorch']")


def test_without_javascript_a_page_can_be_read_and_left(open_page):
    page = open_page(CHAPTER, java_script_enabled=False)
    assert page.locator("article h1").is_visible()
    assert page.locator(".bd-sidebar-primary a >> nth=3").is_visible()
    assert page.locator("a.language-switch").is_visible()
    page.click(".search-field")
    page.wait_for_url("**/search.html")
