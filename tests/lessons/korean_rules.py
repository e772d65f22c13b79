"""Rules for Korean text, in lessons, exercises, pages and messages alike.

Each rule takes a `Words` and yields its faults. What a term or a particle may be stands in
korean.toml; how something is read aloud, in korean_reading.py.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.lessons import korean_particles
from tests.lessons.korean_reading import KNOWN, UNKNOWN, blocks, marks, plain
from tests.lessons.prose_numbers import SOURCES
from tests.lessons.reading import pieces

HANGUL = re.compile("[가-힣]")
QUOTED = re.compile(r"“[^”]*”|‘[^’]*’|《[^》]*》|\"[^\"\n]*\"")
BRACKETS = re.compile(r"\([^()]*\)")
ADDRESS = re.compile(r"https?://\S+|\S+\.(?:md|ipynb|py|toml|txt)\b")
ASTERISK = re.compile(r"\S*(?:\*\*|\*(?=[가-힣])|(?<=[가-힣])\*)\S*")
AFTER_VALUE = re.compile(
    rf"\{{\w+(?:[:!][^{{}}%]*)?\}}(?:으로|로|[은는이가을를과와]){korean_particles.NOT_HANGUL}"
)
ENGLISH = re.compile(r"[A-Za-z][A-Za-z’'-]*(?:,? [A-Za-z][A-Za-z’'-]*){3,}")
POLITE = re.compile(
    r"[가-힣]*(?:(?P<formal>[가-힣])니[다까]"
    r"|(?:해|돼|예|에|세|봐|어|아|네|나|까|지|데|죠|줘|져|여|려|와|워)요|십시오|죠|군요)"
    r"(?=[\s.?!…)”’]|$)"
)
TERMS = (
    "attention query key value token softmax embedding head mask loss gradient logit score "
    "transformer encoder decoder batch"
)
BARE = re.compile(rf"(?<![A-Za-z_-])(?:{'|'.join(TERMS.split())})s?(?![A-Za-z0-9_-])")
TRANSLATED = re.compile(
    r"(?<![가-힣])(?:당신|여러분|우리)(?:은|는|이|가|의|을|를)(?![가-힣])|되어지|보여지"
    r"|에 대하여|(?:하는|되는) 것이 가능"
)
RIVALS = {term: re.compile(pattern) for term, pattern in KNOWN["rivals"].items()}


class Words(NamedTuple):
    """A piece of Korean text: where it stands, what it says, and whether it is Markdown."""

    where: str
    text: str
    markdown: bool = True

    def blocks(self) -> list[str]:
        """Its paragraphs as plain text, with a mark for each formula, code or value."""
        return list(blocks(self.text)) if self.markdown else [plain(self.text)]

    def said(self) -> list[str]:
        """The same without quotations, addresses and the list of sources."""
        text = self.text
        if self.markdown and (match := SOURCES.search(text)):
            text = text[: match.start()]
        unquoted = (
            QUOTED.sub(UNKNOWN, ADDRESS.sub(UNKNOWN, block))
            for block in self._replace(text=text).blocks()
        )
        return list(unquoted)


def particles_fit(words: Words) -> Iterator[str]:
    """값은, 쿼리는, 0.793은, $d_k$를, PyTorch는."""
    for block in words.blocks():
        yield from korean_particles.misfits(block)


def bold_closes(words: Words) -> Iterator[str]:
    """CommonMark leaves asterisks on the page in **어텐션(attention)**은: use <strong> there."""
    for kind, content in pieces(words.text) if words.markdown else ():
        if kind == "text" and (match := ASTERISK.search(content)):
            yield f"asterisks stay on the page in {match[0]!r}"


def mathematics_holds_no_hangul(words: Words) -> Iterator[str]:
    """MathJax has no measures for Hangul."""
    for kind, content in pieces(words.text) if words.markdown else ():
        if kind == "math" and HANGUL.search(content):
            yield f"Hangul in the formula {content!r}"


def no_english_is_left_over(words: Words) -> Iterator[str]:
    """Four English words in a row are a sentence, unless they are quoted, or name a source."""
    for block in words.said():
        if match := ENGLISH.search(BRACKETS.sub(UNKNOWN, block)):
            yield f"left in English: {match[0]!r}"


def terms_are_korean(words: Words) -> Iterator[str]:
    """쿼리, not query: the English stands in brackets, once. Docstrings name arguments so."""
    blocks_in_korean = [block for block in words.said() if HANGUL.search(block)]
    for block in blocks_in_korean if words.markdown else ():
        for match in BARE.finditer(BRACKETS.sub(UNKNOWN, block)):
            yield f"in English: {match[0]!r} in {_around(block, match)!r}"


def endings_are_plain(words: Words) -> Iterator[str]:
    """…다, never …합니다 or …해요, but in a quotation."""
    for block in words.said():
        for match in POLITE.finditer(block):
            formal = match["formal"]
            if formal is None or (ord(formal) - ord("가")) % 28 == 17:  # 합니다; not 아니다, 다니다
                yield f"a polite ending: {match[0]!r}"


def terms_have_no_rivals(words: Words) -> Iterator[str]:
    """One term a concept: mostly the one of the glossary."""
    for block in words.said():
        for term, pattern in RIVALS.items():
            if match := pattern.search(block):
                yield f"{match[0]!r} where the course says {term!r}"


def nothing_sounds_translated(words: Words) -> Iterator[str]:
    """우리는, 당신, 에 대하여: a Korean author leaves them out."""
    for block in words.said():
        for match in TRANSLATED.finditer(block):
            yield f"sounds translated: {match[0]!r} in {_around(block, match)!r}"


def values_take_no_particle(words: Words) -> Iterator[str]:
    """A message does not know the value that it will hold: {noun}은 may turn out 고양이은."""
    for match in () if words.markdown else AFTER_VALUE.finditer(words.text):
        yield f"a particle after a value: {match[0]!r}"


def _around(block: str, match: re.Match[str]) -> str:
    text = block[max(match.start() - 12, 0) : match.end() + 12]
    return re.sub(f"[{''.join(marks)}]", "…", text)


RULES = (
    particles_fit,
    bold_closes,
    mathematics_holds_no_hangul,
    no_english_is_left_over,
    terms_are_korean,
    endings_are_plain,
    terms_have_no_rivals,
    nothing_sounds_translated,
    values_take_no_particle,
)
