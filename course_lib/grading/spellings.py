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
    """The name, and for “Doe, Jane” the name as it is spoken."""
    last, _, first = (key := key_of(student)).partition(",")
    return {key, f"{first} {last}".strip()}


def spellings(student: str) -> set[str]:
    """How the student's submission may be named: “Doe, Jane” or “Jane Doe” is Canvas's doejane."""
    *first, last = key_of(student).split() or [""]
    return keys_of(student) | {letters(key_of(student)), letters(" ".join([last, *first]))}
