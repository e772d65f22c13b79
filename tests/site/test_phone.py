"""Every page on a phone, light and dark."""

import pytest

from tests.site.look import opened, report
from tests.site.toc import pages, site_pages

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("page", [*site_pages(), "en/search", "ko/search", "index", "404"])
def test_a_phone_shows_nothing_wrong(browser, address, page):
    assert report(browser, f"{address}/{page}.html", width=390) == ""


def test_a_page_opened_in_the_dark_is_dark_from_the_first(browser, address):
    with opened(browser, f"{address}/en/{pages()[0]}.html", 390, "dark") as (page, _):
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        red, green, blue = map(int, paper.removeprefix("rgb(").removesuffix(")").split(","))
        assert max(red, green, blue) < 40
