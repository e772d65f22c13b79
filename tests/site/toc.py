"""What the tables of contents list."""

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("en", "ko")
TOCS = {"en": "_toc.yml", "ko": "_toc.ko.yml"}


def contents(language: str) -> dict:
    """A table of contents as it stands."""
    return yaml.safe_load((ROOT / TOCS[language]).read_text(encoding="utf-8"))


def pages(language: str = "en") -> list[str]:
    """The pages of a book in reading order, without suffix."""
    toc = contents(language)
    found = [toc["root"]]
    for part in toc["parts"]:
        for chapter in part["chapters"]:
            found += [chapter["file"], *(s["file"] for s in chapter.get("sections", []))]
    return [page.removesuffix(".ipynb") for page in found]


def site_pages() -> list[str]:
    """The pages of both books as the site has them: en/book/en/start."""
    return [f"{language}/{page}" for language in LANGUAGES for page in pages(language)]
