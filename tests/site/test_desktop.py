"""Every page on a wide screen, light and dark. (The phone has its own file, to run beside it.)"""

import pytest

from tests.site.look import report
from tests.site.toc import site_pages

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("page", [*site_pages(), "en/search", "ko/search", "index", "404"])
def test_a_wide_screen_shows_nothing_wrong(browser, address, page):
    assert report(browser, f"{address}/{page}.html", width=1280) == ""
