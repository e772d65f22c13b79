"""When two names may be one student's."""

import re
import unicodedata


def same(name: str) -> str:
    """A form in which names that look alike are alike."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def letters(text: str) -> str:
    """The letters and digits of a name alone: Canvas names files doejane, for “Doe, Jane”."""
    return "".join(sign for sign in same(text) if sign.isalnum())


def key_of(student: str) -> str:
    """A name without what a platform added, so that a list of names matches its files."""
    return re.sub(r"_\d+$", "", same(student))


def keys_of(student: str) -> set[str]:
    """What a list may call whoever handed in under this name, with a platform's number or without.

    For “Doe, Jane” that is also the name as it is spoken.
    """
    return {same(student)} | _spoken(key_of(student))


def spellings(student: str) -> set[str]:
    """How the submission of a student of a list may be named, less what a platform added.

    “Doe, Jane” or “Jane Doe” is Canvas's doejane. A number in the list itself tells students apart.
    """
    *first, last = same(student).split() or [""]
    return _spoken(same(student)) | {letters(student), letters(" ".join([last, *first]))}


def _spoken(name: str) -> set[str]:
    last, _, first = name.partition(",")
    return {name, f"{first} {last}".strip()}
