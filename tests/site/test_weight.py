"""What a reader's phone has to fetch, counted in bytes and not in seconds, which vary."""

import gzip
import re
from pathlib import Path

import numpy as np
import pytest
from course_site import lean
from PIL import Image

from tests.site.test_built_site import parsed
from tests.site.toc import site_pages

COMPRESSED = {".html", ".css", ".js", ".svg"}


def weight(path: Path) -> int:
    """The bytes that are sent for a file."""
    content = path.read_bytes()
    return len(gzip.compress(content)) if path.suffix in COMPRESSED else len(content)


def loaded(site: Path, page: str) -> list[Path]:
    """What a page asks for before its reader scrolls: style, scripts, fonts named in its head."""
    path = site / f"{page}.html"
    head = parsed(path).head
    named = [tag.get("src") or tag.get("href") for tag in head.select("script[src], link[as=font]")]
    named += [tag["href"] for tag in head.select("link[rel=stylesheet]")]
    return [(path.parent / name.partition("?")[0]).resolve() for name in named]


@pytest.mark.parametrize("page", site_pages())
def test_a_page_comes_quickly_on_a_slow_line(site, page):
    files = [site / f"{page}.html", *loaded(site, page)]
    assert sum(map(weight, files)) < 150_000  # 0.7 s at the 1.6 Mbit/s of Lighthouse's phone
    assert len(files) <= 8


@pytest.mark.parametrize("page", site_pages())
def test_nothing_keeps_a_page_from_being_shown_but_its_style(site, page):
    head = parsed(site / f"{page}.html").head
    assert len(head.select("link[rel=stylesheet]")) <= 2  # the second of an explorable
    blocking = [script for script in head.select("script[src]") if not script.has_attr("defer")]
    assert [script["src"] for script in blocking if script.get("type") != "module"] == []
    assert parsed(site / f"{page}.html").body.find_all("script") == []


@pytest.mark.parametrize("page", site_pages())
def test_a_page_has_no_more_elements_than_a_phone_lays_out_at_once(site, page):
    assert len(parsed(site / f"{page}.html").find_all(True)) < 4000


def test_figures_come_as_webp(site):
    pictures = list(site.glob("*/_images/*"))
    assert {picture.suffix for picture in pictures} == {".webp"}
    assert max(picture.stat().st_size for picture in pictures) < 120_000


def test_a_figure_is_the_same_to_the_pixel_in_fewer_bytes(tmp_path):
    drawing = np.full((300, 400, 3), 255, dtype=np.uint8)
    drawing[40:90, 30:370] = np.linspace(0, 255, 340)[:, None]
    drawing[120:250, 100:103] = (0, 114, 178)
    (tmp_path / "images").mkdir()
    png = tmp_path / "images" / "figure.png"
    Image.fromarray(drawing).save(png)
    before = png.stat().st_size
    lean.shrink_figures(tmp_path / "images", tmp_path / "cache")
    with Image.open(tmp_path / "images" / "figure.webp") as figure:
        np.testing.assert_array_equal(np.asarray(figure), drawing, strict=True)
    assert (tmp_path / "images" / "figure.webp").stat().st_size < 0.7 * before
    assert not png.exists()


def test_the_sheet_keeps_the_rules_that_are_used_and_no_others():
    css = """@charset "utf-8"; /* a.comment { } */
    .used, .unused { color: red }
    .unused > a { color: blue }
    p:not(.unused) { margin: 0 }
    :is(.used, .unused) b { margin: 1px }
    .icon.used { --icon: url('data:image/svg+xml,<svg style="a{b}">;') }
    @media print { .unused { top: 0 } .used { top: 1px } }
    @media screen { .unused { top: 0 } }
    @font-face { font-family: x; src: url(x) }
    #here a[href^="#"] { top: 2px }"""
    kept = lean.purged(css, {"used", "icon", "here"})
    assert re.sub(r"\s", "", kept) == re.sub(
        r"\s",
        "",
        """.used { color: red }
        p:not(.unused) { margin: 0 }
        :is(.used, .unused) b { margin: 1px }
        .icon.used { --icon: url('data:image/svg+xml,<svg style="a{b}">;') }
        @media print { .used { top: 1px } }
        @font-face { font-family: x; src: url(x) }
        #here a[href^="#"] { top: 2px }""",
    )
