"""What the course says, in the reader's language.

The English text is the key. For each other language there is a folder of catalogues, one for each
chapter and exercise: ko/04_scaling.toml, ko/ex04_scaling.toml, ko/grading.toml.
"""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import east_asian_width

LANGUAGES = ("en", "ko")
FIELD = re.compile(r"(?P<align>(?:.?[<>^])?)(?P<width>[1-9]\d*)s?")


class Text(str):
    """An English sentence that remembers its template and values, so that it can be translated."""

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, **values: Any) -> "Text":
        """The template filled with the values."""
        text = super().__new__(cls, template.format(**values))
        text.template, text.values = template, values
        return text


class Said(str):
    """A text that fills a field, as in f"{text:12}", by the columns that it takes.

    In a monospaced font a syllable of Hangul takes two.
    """

    def __format__(self, spec: str) -> str:
        field = FIELD.fullmatch(spec)
        if field:
            wide = columns(self) - len(self)
            spec = f"{field['align']}{max(int(field['width']) - wide, 1)}"
        return format(str(self), spec)


def columns(text: str) -> int:
    """How many columns of a monospaced font a text takes."""
    return len(text) + sum(east_asian_width(letter) in "WF" for letter in text)


def speaker(language: str) -> Callable[..., str]:
    """A function `say(text, **values)` that says an English text in `language`.

    Texts may hold `{names}` that the values fill. In Korean, a text that no catalogue holds is
    refused.
    """
    known = catalogue(language)

    def say(text: str, **values: Any) -> str:
        if language != "en" and text not in known:
            raise ValueError(f"messages/{language} has no entry for {text!r}")
        return Said(known.get(text, text).format(**values))

    return say


def translated(text: str, language: str) -> str:
    """The text, or the `Text` with its values, in `language`; in English where no catalogue has it.

    So an instructor's own checks may speak their own words.
    """
    known = catalogue(language)
    if not isinstance(text, Text):
        return known.get(text, text)
    values = {
        name: translated(value, language) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return known.get(text.template, text.template).format(**values)


@cache
def catalogue(language: str) -> dict[str, str]:
    """English → `language`, from all of its catalogues; empty for English."""
    if language not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, got {language!r}")
    if language == "en":
        return {}
    entries: dict[str, str] = {}
    for path in sorted((files("course_lib") / "messages" / language).iterdir(), key=str):
        if path.name.endswith(".toml"):
            entries |= tomllib.loads(path.read_text(encoding="utf-8"))
    return entries
