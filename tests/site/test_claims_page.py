"""The page of the documents shows the whole ledger, and each claim can be linked to."""

import pytest
from bs4 import BeautifulSoup
from course_site import ledger

from tests.site.toc import ROOT

CLAIMS, TESTS = ledger.read(ROOT), ledger.tests(ROOT)


@pytest.fixture(scope="module")
def page(site) -> BeautifulSoup:
    html = (site / "en/book/en/documents_checked.html").read_text(encoding="utf-8")
    return BeautifulSoup(html, "html.parser")


def test_every_claim_has_an_anchor_in_the_order_of_the_ledger(page):
    assert [term["id"] for term in page.select("dl.claims > dt")] == [key.lower() for key in CLAIMS]


@pytest.mark.parametrize("key", CLAIMS)
def test_a_claim_shows_its_figures_its_chapters_and_its_tests(page, key):
    entry = page.select_one(f"dt#{key.lower()} + dd")
    figures = entry.select_one(".figures")
    assert (figures.text.split(" · ") if figures else []) == list(CLAIMS[key].figures)
    places = [link["href"] for link in entry.select(".place a")]
    chapters = {shown.partition("/")[0] for shown in CLAIMS[key].shown}
    assert {place.rpartition("/")[2].partition(".html#cell-")[0] for place in places} == chapters
    assert [name.text for name in entry.select("details code")] == [
        test.name for test in TESTS[key]
    ]


def test_the_page_says_how_many_claims_and_tests_there_are(page):
    tests = {test for marked in TESTS.values() for test in marked}
    opening = page.select_one("article section").text
    assert f"{len(CLAIMS)} entries, held up by {len(tests)} tests" in " ".join(opening.split())
