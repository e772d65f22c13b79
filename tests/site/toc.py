"""What the table of contents lists."""

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


def pages() -> list[str]:
    """The pages of the English book in reading order, without suffix."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [toc["root"], *(c["file"] for part in toc["parts"] for c in part["chapters"])]
