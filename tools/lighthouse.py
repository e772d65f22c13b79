"""Let Lighthouse judge the site as GitHub Pages would serve it. `make lighthouse`.

Lighthouse is fetched by npm into _build/lighthouse. Its figures for speed depend on the machine and
on what else runs there; the tests therefore hold the site to what does not (test_weight.py).
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.site.serve import served

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "_build" / "lighthouse"
VERSION = "12.8.2"
# The start page, the heaviest chapter, its Korean twin, the front door.
PAGES = ("en/book/en/start", "en/lessons/en/04_scaling", "ko/lessons/ko/04_scaling", "index")
AT_LEAST = {"accessibility": 100, "best-practices": 100, "seo": 100}
SPEED = {"desktop": 95, "mobile": 85}


def command() -> Path:
    """Where Lighthouse is; it is fetched if it is not there."""
    program = FOLDER / "node_modules" / ".bin" / "lighthouse"
    if not program.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        quietly = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        install = ["npm", "install", *quietly, f"lighthouse@{VERSION}"]
        subprocess.run(install, cwd=FOLDER, check=True)
    return program


def scores(url: str, form: str) -> dict[str, int]:
    """Lighthouse's four scores for a page, from 0 to 100."""
    options = ["--quiet", "--output=json", "--output-path=stdout"]
    options += ["--chrome-flags=--headless=new --no-sandbox"]
    options += ["--preset=desktop"] if form == "desktop" else []
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
    ran = subprocess.run(
        [command(), url, *options],
        env=os.environ | {"CHROME_PATH": chromium},
        capture_output=True,
        text=True,
        check=True,
    )
    categories = json.loads(ran.stdout)["categories"]
    return {name: round(100 * category["score"]) for name, category in categories.items()}


def main() -> int:
    """Print the scores; 1 when one is too low."""
    low = 0
    with served(ROOT / "_build" / "html", "/site/") as address:
        for page in PAGES:
            for form, speed in SPEED.items():
                found = scores(f"{address}/{page}.html", form)
                wanted = AT_LEAST | {"performance": speed}
                low += any(found[name] < least for name, least in wanted.items())
                print(f"{page} ({form}): {', '.join(f'{n} {s}' for n, s in found.items())}")
    return min(low, 1)


if __name__ == "__main__":
    sys.exit(main())
