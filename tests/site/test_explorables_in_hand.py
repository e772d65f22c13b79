"""The explorables on a phone, under a mouse and under a finger."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from playwright.sync_api import expect

from tests.site.explorable_page import SET, SHOWN, url
from tests.site.explorables import EXPLORABLES
from tests.site.look import opened

pytestmark = pytest.mark.browser

# The contrast of each text of a drawing, which axe does not measure.
CONTRAST = """(figure) => {
  const rgb = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (c) => rgb(c).map((x) => x / 255)
    .map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
    .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0.05);
  const paper = light(getComputedStyle(document.body).backgroundColor);
  return [...figure.querySelectorAll("svg text")].map((text) => {
    const ink = light(getComputedStyle(text).fill);
    return [text.textContent, Math.max(ink, paper) / Math.min(ink, paper)];
  });
}"""
# What sticks out of the frame.
WIDE = """(figure) => [...figure.querySelectorAll("*:not(svg *)")]
  .filter((e) => e.getBoundingClientRect().right > figure.getBoundingClientRect().right + 0.5)
  .map((e) => e.outerHTML.slice(0, 100))"""

# A finger comes down, moves by 90 pixels in two steps, and is lifted.
FINGER = ("touchStart", [0]), ("touchMove", [20]), ("touchMove", [90]), ("touchEnd", [])


@pytest.mark.parametrize("spec", EXPLORABLES, ids=lambda spec: spec.script)
def test_a_phone_shows_it_whole_and_legible_at_every_extreme(browser, address, spec):
    with opened(browser, url(address, spec), 390, "light") as (page, faults):
        figure = page.locator(".explorable")
        for key, theme in ("Home", "light"), ("End", "dark"):
            page.emulate_media(color_scheme=theme)
            page.wait_for_function("(t) => document.documentElement.dataset.theme === t", arg=theme)
            for slider in figure.locator("input[type=range]").all():
                slider.press(key)
            assert figure.evaluate(WIDE) == []
            assert page.evaluate("document.documentElement.scrollWidth") == 390
            texts = figure.evaluate(CONTRAST)
            assert [text for text, ratio in texts if ratio < 4.5] == []
        assert faults == []


def test_a_mouse_and_a_finger_drag_a_word(browser, address):
    there = url(address, EXPLORABLES[0])
    with opened(browser, there, 390, "light", has_touch=True) as (page, faults):
        figure, dog = page.locator(".explorable"), page.locator("[data-handle=dog]")
        figure.scroll_into_view_if_needed()
        scrolled = page.evaluate("scrollY")

        def middle() -> tuple[float, float]:
            box = dog.bounding_box()
            return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        x, y = middle()
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 40, y - 60, steps=5)
        page.mouse.up()
        assert_allclose(middle(), (x - 40, y - 60), atol=2)

        touch = page.context.new_cdp_session(page)
        for kind, shifts in FINGER:
            points = [{"x": x - 40, "y": y - 60 + shift} for shift in shifts]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        assert_allclose(middle(), (x - 40, y + 30), atol=2)
        assert_allclose(page.evaluate("scrollY"), scrolled, atol=2)
        vectors = figure.evaluate(SET)
        shown = figure.evaluate(SHOWN)["pair-0-0"][0]
        assert_allclose(shown, np.dot(vectors["dog"], vectors["cat"]), atol=1e-9)
        assert faults == []


def test_a_tap_turns_a_cell_of_the_mask_over_and_a_held_mouse_paints(browser, address):
    there = url(address, EXPLORABLES[5])
    with opened(browser, there, 390, "light", has_touch=True) as (page, faults):
        figure = page.locator(".explorable")
        cell = {
            (i, j): figure.locator(f"[data-name=may-{i}-{j}]") for i in range(5) for j in range(5)
        }
        cell[0, 0].tap()
        said = re.compile("Row 1 may see nothing, and its weights are zeros.$")
        expect(figure.locator(".outcome")).to_have_text(said)
        assert figure.evaluate(SHOWN)["weight-0-0"] == [0, "0.00"]
        cell[0, 3].hover()
        page.mouse.down()
        cell[0, 4].hover()
        cell[1, 4].hover()
        page.mouse.up()
        pressed = figure.evaluate(SET)
        assert [pressed[f"may-{i}-{j}"] for i, j in ((0, 3), (0, 4), (1, 4))] == [True] * 3
        said = figure.locator(".outcome").inner_text()
        assert "Row 1 sees a later token: this mask leaks." in said
        cell[0, 3].press("Space")
        assert not figure.evaluate(SET)["may-0-3"]
        assert faults == []
