"""The site's two drawings show numbers of the course, as the library computes them."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from course_lib import words
from course_lib.reference import attention_weights, causal_mask
from tests.site.toc import ROOT

STATIC = ROOT / "book" / "_static"


def test_the_logo_is_the_causal_attention_of_cat_car_and_it():
    x = words.embed("cat", "car", "it")
    weights = attention_weights(x @ words.W_Q, x @ words.W_K, causal_mask(3))
    logo = (STATIC / "logo.svg").read_text(encoding="utf-8")
    cells = re.findall(r'<rect x="(\d+)" y="(\d+)".*? opacity="([\d.]+)"', logo)
    shown = np.zeros((3, 3))
    for x_corner, y_corner, opacity in cells:
        shown[int(y_corner) // 11, int(x_corner) // 11] = float(opacity)
    assert_allclose(shown, weights, atol=5e-4, rtol=0, strict=True)
    assert (STATIC / "favicon.svg").read_text(encoding="utf-8") == logo


@pytest.mark.claim("A12")
@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_drawing_of_the_start_page_shows_the_weights_of_it(language):
    x = words.embed("it", "cat", "car")
    weights = attention_weights(x[:1] @ words.W_Q, x[1:] @ words.W_K)[0]
    drawing = (ROOT / "book" / language / "it.svg").read_text(encoding="utf-8")
    numbers = [float(n) for n in re.findall(r"<text [^>]*>([\d.]+)</text>", drawing)]
    widths = [float(n) for n in re.findall(r'stroke-width="([\d.]+)"', drawing)]
    assert_allclose(numbers, weights, atol=5e-4, rtol=0, strict=True)
    assert_allclose(widths, 10 * weights, atol=5e-3, rtol=0, strict=True)
    assert all(f"{weight:.3f}" in drawing.partition("</title>")[0] for weight in weights)
