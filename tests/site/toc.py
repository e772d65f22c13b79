"""What the table of contents lists."""

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


def pages() -> list[str]:
    """The pages of the English book in reading order, without suffix."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    found = [toc["root"]]
    for part in toc["parts"]:
        for chapter in part["chapters"]:
            found += [chapter["file"], *(s["file"] for s in chapter.get("sections", []))]
    return [page.removesuffix(".ipynb") for page in found]
