"""What is printed in columns stands in columns, Hangul or not, with the fonts that a device has."""

import pytest

from tests.site.look import opened

pytestmark = pytest.mark.browser

# How far each word of Hangul begins and ends from a whole number of digits, at most.
OFF = """() => Math.max(...[...document.querySelectorAll(".output pre .columns")].map((word) => {
  const pre = word.closest("pre"), digits = document.createElement("span");
  digits.textContent = "0".repeat(40);
  pre.append(digits);
  const digit = digits.getBoundingClientRect().width / 40;
  digits.remove();
  const left = pre.getBoundingClientRect().left + parseFloat(getComputedStyle(pre).paddingLeft)
    + parseFloat(getComputedStyle(pre).borderLeftWidth);
  const box = word.getBoundingClientRect();
  const places = [box.left, box.right].map((x) => (x - left) / digit);
  return Math.max(...places.map((n) => Math.abs(n - Math.round(n))));
}))"""


@pytest.mark.parametrize(
    "page",
    [
        "ko/lessons/ko/05_multi_head",
        "ko/lessons/ko/12_kv_cache",
        "en/lessons/en/09_encoder_decoder",
    ],
)
def test_a_printed_syllable_is_as_wide_as_two_digits(browser, address, page):
    with opened(browser, f"{address}/{page}.html", 390, "light") as (tab, _):
        assert tab.locator(".output .columns").count() > 5
        assert tab.evaluate(OFF) < 0.05
        line = tab.locator(".output.stream pre:has(.columns)").first
        assert line.inner_text() == line.evaluate("(pre) => pre.textContent")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_name_in_a_table_is_not_broken_on_a_phone(browser, address, language):
    url = f"{address}/{language}/book/{language}/notation.html"
    with opened(browser, url, 390, "light") as (page, _):
        words = page.locator("table code .pre")
        broken = "(all) => all.filter((e) => e.getClientRects().length > 1).map((e) => e.innerText)"
        assert words.count() > 30
        assert words.evaluate_all(broken) == []
