"""The figures that a reader can move: right to 1e-6, by keyboard, by mouse and by touch."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup
from numpy.random import default_rng
from numpy.testing import assert_allclose

from course_lib import cost, words
from tests.site.explorable_page import RUN, SET, SHOWN, play, url
from tests.site.explorables import EXPLORABLES, Explorable
from tests.site.look import opened

pytestmark = pytest.mark.browser

PAIRS = [(a, b) for i, a in enumerate(words.VECTORS) for b in list(words.VECTORS)[i + 1 :]]
LOGITS = ("hungry", "red", "kind", "car")

# What a reader has set, by the names of the controls, as arguments; and the cells that must follow.
READ: dict[str, Callable[[dict], list]] = {
    "word_map": lambda c: [c],
    "query_key": lambda c: [c["turn_q"], c["turn_k"], c["stretch"]],
    "temperature": lambda c: [2 ** c["width"], c["divide"], 10 ** c["temperature"]],
    "heads": lambda c: [c["swap"], c["first"], c["second"]],
    "waves": lambda c: [2 ** int(c["width"]), int(c["clock"]), int(c["t"]), int(c["delta"])],
    "masks": lambda c: [[[c[f"may-{i}-{j}"] for j in range(5)] for i in range(5)]],
    "gradient": lambda c: [[c[w] for w in LOGITS], LOGITS.index(c["came"]), c["smoothing"]],
    "conversation": lambda c: [
        {
            "num_layers": int(c["layers"]),
            "num_heads": 2 ** int(c["heads"]),
            "group": 2 ** int(c["group"]),
            "batch": 2 ** int(c["batch"]),
            "tokens": round(2 ** c["tokens"]),
            "bits": int(c["bits"]),
        }
    ],
}
TABLES: dict[str, dict[str, Callable[[dict], Any]]] = {
    "query_key": {
        "look": lambda r: np.stack([r["scores"], r["divided"], r["weights"]], axis=1),
        "back": lambda r: r["back"][:, None],
    },
    "temperature": {"key": lambda r: np.stack([r["scores"], r["inputs"], r["weights"]], axis=1)},
    "heads": {name: lambda r, name=name: r[name] for name in ("first", "second", "mean", "wide")},
    "masks": {"weight": lambda r: r},
    "gradient": {"word": lambda r: np.stack([r["p"], r["p_hat"], r["gradient"]], axis=1)},
}
NUMBERS = {
    "temperature": ("entropy", "jacobian"),
    "waves": ("frequency", "turn", "product", "sum", "share"),
    "gradient": ("loss", "entropy", "kl"),
    "conversation": ("parameters", "weights", "cache", "crossover", "seconds"),
}

# A number may be shown in another unit than it is kept in.
UNITS = {
    "parameters": 10**9,
    "weights": cost.GB,
    "cache": cost.GB,
    "gib": cost.GIB,
    "seconds": 1e-3,
}
EXPONENT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@pytest.fixture(scope="module", params=EXPLORABLES, ids=lambda spec: spec.script)
def explorable(request, browser, address) -> Iterator:
    """A chapter's page, its explorable, and what went wrong on the page so far."""
    with opened(browser, url(address, request.param), 1280, "light") as (page, faults):
        page.locator(".explorable").scroll_into_view_if_needed()
        yield page, page.locator(".explorable"), request.param
        assert faults == []


def agree(found: Any, expected: Any) -> None:
    """Fail unless all numbers agree, 1e-6 at most apart, and large ones in twelve digits."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            agree(found[key], value)
    else:
        found, expected = np.array(found, float), np.array(expected, float)
        assert_allclose(found, expected, rtol=1e-12, atol=1e-6, strict=True)


def written(text: str) -> tuple[float, float]:
    """The number that a reader sees, and half of its last digit (with some room for a tie)."""
    digits, _, power = text.replace("−", "-").replace(",", "").partition(" · 10")
    unit = 10.0 ** int(power.translate(EXPONENT) or 0)
    return float(digits) * unit, 0.5001 * unit * 10 ** -len(digits.partition(".")[2])


def cells(spec: Explorable, controls: dict) -> dict[str, float]:
    """The number that each cell must show for these settings, by course_lib."""
    if spec.script == "word_map":
        rows = [spec.expected(*(controls[word] for word in pair)) for pair in PAIRS]
        return {f"pair-{i}-{j}": x for i, row in enumerate(rows) for j, x in enumerate(row)}
    result = spec.expected(*READ[spec.script](controls))
    found = {name: result[name] for name in NUMBERS.get(spec.script, ())}
    for name, table in TABLES.get(spec.script, {}).items():
        found |= {f"{name}-{i}-{j}": x for (i, j), x in np.ndenumerate(table(result))}
    return found


def test_a_script_agrees_with_course_lib_at_twenty_random_settings(explorable):
    page, _, spec = explorable
    rng = default_rng(7)
    for _ in range(20):
        values = spec.settings(rng)
        agree(page.evaluate(RUN, [spec.function, values]), spec.expected(*values))


def test_what_is_shown_agrees_with_course_lib_after_keys_have_set_it(explorable):
    page, figure, spec = explorable
    rng = default_rng(11)
    seen = set()
    for _ in range(4):
        play(page, figure, rng)
        controls, shown = figure.evaluate(SET), figure.evaluate(SHOWN)
        expected = cells(spec, controls)
        seen.add(str(controls))
        assert expected.keys() <= shown.keys()
        agree({name: shown[name][0] for name in expected}, expected)
        for name, (value, text) in shown.items():
            number, half_a_digit = written(text)
            assert abs(number - value / UNITS.get(name, 1)) <= half_a_digit, name
        for slider in figure.locator("input[type=range]").all():
            said = slider.get_attribute("aria-valuetext")
            assert slider.locator("xpath=preceding-sibling::output").inner_text() == said != ""
    assert len(seen) > 2


def test_the_tab_key_reaches_every_control_and_the_reset_brings_back_the_start(explorable):
    page, figure, _ = explorable
    reset = figure.locator("button[name=reset]")
    reset.focus()
    page.keyboard.press("Enter")
    start = figure.evaluate(SET)
    play(page, figure, default_rng(3))
    assert figure.evaluate(SET) != start
    stops = "input:not([type=radio]), input:checked, .controls button, [tabindex='0']"
    expected = [stop.get_attribute("name") for stop in figure.locator(stops).all()]
    figure.locator(stops).first.focus()
    reached = []
    while page.evaluate("document.activeElement.closest('.explorable') !== null"):
        reached.append(page.evaluate("document.activeElement.getAttribute('name')"))
        ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert ring != "none", f"no focus to be seen on {reached[-1]}"
        page.keyboard.press("Tab")
    assert reached == expected
    reset.focus()
    page.keyboard.press("Space")
    assert figure.evaluate(SET) == start


def test_without_scripts_the_notebooks_own_output_stands_there_and_nothing_else(
    browser, address, explorable
):
    spec = explorable[2]
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(url(address, spec))
    output = page.locator(f"#cell-{spec.cell} .cell_output")
    assert output.locator("img, pre").first.is_visible()
    assert page.locator(f"#cell-{spec.cell} ~ .explorable").is_hidden()
    context.close()


def test_each_page_loads_its_own_explorable_and_other_pages_none(site):
    for path in (site / "en").rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        soup = BeautifulSoup(html if "explorable" in html else "", "html.parser")
        own = [spec.script for spec in EXPLORABLES if spec.chapter == path.stem]
        assert [place["data-explorable"] for place in soup.select(".explorable")] == own
        loaded = [tag["src"] for tag in soup.select("script[src*='explorables/']")]
        assert [re.search(r"explorables/(\w+)\.js", address)[1] for address in loaded] == own
        assert len(soup.select("link[href*='explorables/']")) == len(own)
