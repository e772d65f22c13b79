"""Text out of a submission, made safe to look at: nothing hidden, moved, coloured or endless."""

import unicodedata

LONGEST = 2000  # characters of one text
JOINERS = "\u200c\u200d"  # between emoji and in Persian words; they hide nothing
LINE_ENDS = "\r\x0b\x0c\x85\u2028\u2029"


def visible(text: str, longest: int = LONGEST) -> str:
    """The text in Unicode's composed form, with a visible sign for each that would act.

    Control characters, those that turn the direction of writing, and invisible ones are shown as
    ␛ or ⟨U+202E⟩. What is too long is cut, and says so.
    """
    shown = text if len(text) <= longest else text[:longest] + " …"
    composed = unicodedata.normalize("NFC", shown.replace("\r\n", "\n"))
    return "".join(map(_sign, composed))


def one_line(text: str, longest: int = LONGEST) -> str:
    """The same, in a single line."""
    return " ".join(visible(text, longest).split())


def _sign(character: str) -> str:
    """A character as it is shown."""
    if character in LINE_ENDS:
        return "\n"
    if character.isprintable() or character in "\n\t" or character in JOINERS:
        return character
    code, category = ord(character), unicodedata.category(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if category == "Cs":  # half a character, from a file name that is no UTF-8
        return "\ufffd"
    return character if category in ("Zs", "Co", "Cn") else f"⟨U+{code:04X}⟩"
