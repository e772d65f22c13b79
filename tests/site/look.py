"""Look at a page as a reader would see it, and list what is wrong."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page

HERE = Path(__file__).resolve().parent
AXE = (HERE / "axe" / "axe.min.js").read_text(encoding="utf-8")
SETTLE, FAULTS, AXE_FINDINGS = (
    (HERE / "in_page" / f"{name}.js").read_text(encoding="utf-8")
    for name in ("settle", "faults", "axe_findings")
)
# The pages around the books have no theme but the device's.
IN_THEME = "(theme) => (document.documentElement.dataset.theme ?? theme) === theme"


@contextmanager
def opened(
    browser: Browser, url: str, width: int, theme: str, *, has_touch: bool = False
) -> Iterator[tuple[Page, list[str]]]:
    """The page at `url`, settled, with its folds open, and what went wrong while it loaded."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=theme,
        reduced_motion="reduce",
        has_touch=has_touch,
    )
    page, faults = context.new_page(), []
    page.on("console", lambda m: m.type == "error" and faults.append(f"console: {m.text}"))
    page.on("pageerror", lambda error: faults.append(f"error in a script: {error}"))
    page.on(
        "response", lambda r: r.status >= 400 and faults.append(f"answer {r.status} for {r.url}")
    )
    page.on("request", lambda request: faults.extend(_external(request.url, url)))
    assert page.goto(url).ok, f"no page at {url}"
    page.evaluate(SETTLE)
    yield page, faults
    context.close()


def faults_of(page: Page, theme: str) -> list[str]:
    """What is wrong with the page in this theme, axe's findings included."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(IN_THEME, arg=theme)
    page.evaluate(AXE)
    return page.evaluate(FAULTS) + page.evaluate(AXE_FINDINGS, theme)


def report(browser: Browser, url: str, width: int) -> str:
    """All that is wrong with a page at this width, light and dark, as a text to read."""
    with opened(browser, url, width, "light") as (page, faults):
        for theme in ("light", "dark"):
            faults += [f"{theme}: {fault}" for fault in faults_of(page, theme)]
    return "\n".join(faults)


def _external(requested: str, page_url: str) -> list[str]:
    ours, theirs = urlsplit(page_url), urlsplit(requested)
    local = theirs.scheme in ("data", "blob") or theirs.netloc == ours.netloc
    return [] if local else [f"request to another host: {json.dumps(requested)}"]
