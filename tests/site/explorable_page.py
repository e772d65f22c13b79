"""A page with an explorable, as a test opens it, sets it and reads it."""

from numpy.random import Generator
from playwright.sync_api import Locator, Page

from tests.site.explorables import Explorable

# What a reader has set, by the names of the controls.
SET = """(figure) => {
  const all = (selector, name, value) =>
    [...figure.querySelectorAll(selector)].map((e) => [name(e), value(e)]);
  return Object.fromEntries([
    ...all("input[type=range]", (e) => e.name, (e) => e.valueAsNumber),
    ...all("input[type=checkbox]", (e) => e.name, (e) => e.checked),
    ...all("input[type=radio]:checked", (e) => e.name, (e) => e.value),
    ...all(".handle", (e) => e.dataset.handle, (e) => JSON.parse(e.dataset.value)),
    ...all(".grid button", (e) => e.dataset.name, (e) => e.ariaPressed === "true"),
  ]);
}"""

# What is shown: each number in all its digits, and as it is written.
SHOWN = """(figure) => Object.fromEntries([...figure.querySelectorAll("[data-name][data-value]")]
  .map((cell) => [cell.dataset.name, [Number(cell.dataset.value), cell.textContent]]))"""

# What a function of the page's own script returns.
RUN = """async ([name, values]) => {
  const script = document.querySelector("script[type=module][src*=explorables]");
  return (await import(script.src))[name](...values);
}"""


def url(address: str, spec: Explorable, language: str = "en") -> str:
    """Where the explorable's chapter is."""
    return f"{address}/{language}/lessons/{language}/{spec.chapter}.html"


def play(page: Page, figure: Locator, rng: Generator) -> None:
    """Set every control at random, by keys alone."""
    for place in figure.locator("input[type=range], .handle").all():
        place.focus()
        for key in rng.choice(["ArrowRight", "ArrowLeft", "ArrowUp", "PageUp", "ArrowDown"], 4):
            page.keyboard.press(key)
    for box in figure.locator("input[type=checkbox], .grid [tabindex='0']").all():
        box.focus()
        for key in rng.choice(["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"], 5):
            page.keyboard.press("Space")
            page.keyboard.press(key)
    for radio in figure.locator("input[type=radio]:checked").all():
        radio.focus()
        page.keyboard.press(rng.choice(["ArrowRight", "ArrowLeft"]))
