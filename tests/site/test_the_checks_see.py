"""The checks of the pages, checked: a page with every fault, and the sentence that names each."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

from tests.site.look import report
from tests.site.serve import served

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
MATHJAX = yaml.safe_load((ROOT / "_config.yml").read_text())["sphinx"]["config"]["mathjax3_config"]

PAGE = """<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>html[data-theme=dark] body {{ background: #111; color: #eee }}</style><script>
const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
dark.onchange = dress;
dress();
MathJax = {mathjax};
</script><script defer src="mathjax/startup.js"></script></head>
<body><main><article><h1>A page</h1>{body}</article></main></body></html>"""
DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="

FAULTS = {
    r"<p>\(\frac{1}\)</p>": "TeX error: Missing argument for \\frac",
    r"<p>\(\sofmax x\)</p>": "TeX error: Undefined control sequence \\sofmax",
    r"<h2>Why \(d\)?</h2>": "mathematics in a heading",
    rf"<p>\({'2.000 + ' * 9}x\) it is.</p>": "a formula within a sentence is",
    r"<p>The factor $\sqrt d stays.</p>": "raw TeX or Markdown: $\\sqrt",
    "<p>A **word**is</p>": "** **",
    f'<img src="{DOT}">': f'image without a description ({DOT}): ""',
    f'<img src="{DOT}" alt="../_images/a1b2.png">': '"../_images/a1b2.png"',
    f'<img src="{DOT}" alt="A figure">': '"A figure"',
    "<svg></svg>": "drawing without a title",
    '<img src="https://pictures.example.org/" alt="A cat that sits elsewhere">': (
        'request to another host: "https://pictures.example.org/"'
    ),
    "<style>@font-face { font-family: x; src: url(https://fonts.example.org/x) }</style>"
    '<p style="font-family: x">Set in x.</p>': (
        'request to another host: "https://fonts.example.org/x"'
    ),
    '<script src="none.js"></script>': "answer 404",
    "<script>null.x</script>": "error in a script: Cannot read properties of null",
    "<script>console.error('alas')</script>": "console: alas",
    '<div style="width: 500px">wide</div>': "scrolls sideways: HTML is",
    '<p style="color: #999; background: #fff">pale</p>': "light: axe color-contrast (serious)",
    '<p style="color: #222">black</p>': "dark: axe color-contrast (serious)",
    '<button aria-label="Find">Search</button>': "axe label-content-name-mismatch",
    "<table><tr><th></th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>": (
        "axe empty-table-header (minor)"
    ),
}


@pytest.fixture(scope="module")
def look_at(browser, tmp_path_factory):
    """What the checks say of a page with this body."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(ROOT / "book" / "_vendor" / "mathjax", folder / "mathjax")

    def look(body: str, width: int = 390) -> str:
        page = PAGE.format(mathjax=json.dumps(MATHJAX), body=body)
        (folder / "page.html").write_text(page, encoding="utf-8")
        with served(folder) as at:
            return report(browser, f"{at}/page.html", width)

    return look


@pytest.fixture(scope="module")
def faulty(look_at):
    """What the checks say of a page that has all faults."""
    return look_at("\n".join(FAULTS))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named(faulty, fault):
    assert FAULTS[fault] in faulty


def test_a_good_page_is_left_in_peace(look_at):
    good = rf'<p>All is \(\sqrt d\), well.</p><img src="{DOT}" alt="A dot, one pixel wide">'
    assert look_at(good) == ""


def test_a_formula_that_is_cut_off_is_named_on_a_wide_screen_only(look_at):
    scrolls = "<style>mjx-container { display: block; max-width: 720px; overflow-x: auto }</style>"
    long = scrolls + r"<p>\[" + " + ".join(["x^2"] * 60) + r"\]</p>"
    assert "a formula is" in look_at(long, width=1280)
    assert "a formula is" not in look_at(long)
