"""Every page on a phone, light and dark."""

import pytest

from tests.site.look import faults_of, opened, report
from tests.site.toc import pages

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("page", [*pages(), "search"])
def test_a_phone_shows_nothing_wrong(browser, address, page):
    assert report(browser, f"{address}/{page}.html", width=390) == ""


def test_the_front_door_leads_to_the_start_page(browser, address):
    page = browser.new_page()
    page.goto(f"{address}/index.html")
    page.wait_for_url("**/book/en/start.html")
    page.close()


def test_a_search_finds_a_page_and_shows_its_prose(browser, address):
    found = "#search-results a[href*='book/en/notation']"
    with opened(browser, f"{address}/search.html?q=transpose", 390, "light") as (page, faults):
        page.wait_for_selector(found)
        page.wait_for_selector("#search-results p.context")
        assert faults + faults_of(page, "light") == []
    with opened(browser, f"{address}/search.html?q=xylophone", 390, "light") as (page, _):
        page.wait_for_function("document.body.innerText.includes('did not match')")
        assert page.locator(found).count() == 0


def test_a_page_opened_in_the_dark_is_dark_from_the_first(browser, address):
    with opened(browser, f"{address}/{pages()[0]}.html", 390, "dark") as (page, _):
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        red, green, blue = map(int, paper.removeprefix("rgb(").removesuffix(")").split(","))
        assert max(red, green, blue) < 40
