"""Draw the pictures that stand for the site where someone links to it: book/_front/card.*.png.

To be run again when the drawing of the start page or the title changes; it needs Chromium.
"""

import io
import os
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
TITLES = {"en": "Attention, Recomputed", "ko": "다시 계산하는 어텐션"}
LINES = {
    "en": "A course on attention and the Transformer, every number computed.",
    "ko": "어텐션과 트랜스포머, 모든 수를 그 자리에서 계산하는 강의",
}
PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><style>
@font-face {{ font-family: "Source Serif 4"; font-weight: 200 900;
  src: url({fonts}/source-serif-4-latin-wght-normal.woff2) }}
body {{ margin: 0; width: 1200px; height: 630px; box-sizing: border-box; padding: 76px 90px;
  font-family: {family}; color: #222; background: #fff; }}
header {{ display: flex; align-items: center; gap: 28px; margin-bottom: 56px; }}
header svg {{ width: 74px; height: 74px; }}
h1 {{ font-size: 66px; font-weight: 600; margin: 0; letter-spacing: -0.01em; }}
svg.sentence {{ display: block; width: 930px; font-family: inherit; }}
svg.sentence .words {{ font-size: 22px; }}
svg.sentence .numbers {{ font-size: 16px; fill: #0072b2; }}
svg.sentence .weights {{ color: #0072b2; }}
p {{ font-size: 30px; color: #595959; margin: 36px 0 0; white-space: nowrap; }}
</style><header>{logo}<h1>{title}</h1></header>{drawing}<p>{line}</p></html>"""


def page(language: str) -> str:
    """The picture of one language as a page."""
    serif, sans = '"Source Serif 4", serif', '"Noto Sans CJK KR", sans-serif'
    return PAGE.format(
        language=language,
        fonts=(ROOT / "book" / "_static" / "fonts").as_uri(),
        family=serif if language == "en" else sans,
        logo=(ROOT / "book" / "_static" / "logo.svg").read_text(encoding="utf-8"),
        title=TITLES[language],
        drawing=(ROOT / "book" / language / "it.svg").read_text(encoding="utf-8"),
        line=LINES[language],
    )


def main() -> int:
    """Draw both cards."""
    executable = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable)
        for language in TITLES:
            tab = browser.new_page(viewport={"width": 1200, "height": 630})
            source = ROOT / "book" / "_front" / "card.html"
            source.write_text(page(language), encoding="utf-8")
            tab.goto(source.as_uri())  # from a file, so that it may load the fonts
            tab.evaluate("document.fonts.ready")
            picture = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
            source.unlink()
            small = picture.quantize(64, dither=Image.Dither.NONE)
            small.save(ROOT / "book" / "_front" / f"card.{language}.png", optimize=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
