"""Line breaks in Korean text."""

import pytest

from tests.site.look import opened

pytestmark = pytest.mark.browser

# The formula and the particle behind it stand side by side, unless both are wider than a line.
PARTED = """() => [...document.querySelectorAll(".unbroken:not(.loose)")].filter((together) => {
    const [formula, particle] = together.childNodes;
    const range = document.createRange();
    range.selectNodeContents(particle);
    return range.getBoundingClientRect().left < formula.getBoundingClientRect().right - 2;
}).map((together) => together.textContent)"""


@pytest.mark.parametrize("chapter", ["03_query_key_value", "04_scaling"])
def test_no_line_breaks_between_a_formula_and_its_particle(browser, address, chapter):
    url = f"{address}/ko/lessons/ko/{chapter}.html"
    with opened(browser, url, 390, "light") as (page, _):
        assert page.locator(".unbroken").count() > 20
        assert page.evaluate(PARTED) == []
        assert page.locator(".unbroken.loose").count() <= 3
