"""Particles that do not fit the sound before them: 쿼리은, 0.793는, $d_k$을, PyTorch은."""

import re
from collections.abc import Iterator

from tests.lessons.korean_reading import CONSONANT, KNOWN, RIEUL, UNKNOWN, VOWEL, ending, marks
from tools.setup_cell import ROOT

AFTER_VOWEL = dict(zip("는가를와", "은이을과", strict=True)) | {"로": "으로"}
AFTER_CONSONANT = {right: wrong for wrong, right in AFTER_VOWEL.items()}
COPULA = ("다", "며", "므로", "였다")  # 이다, 이며, 이므로, 이었다 after a consonant
NOT_HANGUL = r"(?![가-힣])"
PARTICLE = re.compile(
    rf"(?P<particle>으로|로)(?=(?:는|도|만|써|부터|의)?{NOT_HANGUL})"
    rf"|(?P<other>[은는이가을를과와]){NOT_HANGUL}"
)
COPULAS = re.compile(rf"(?<=[^\s가-힣])(?:{'|'.join(COPULA)}){NOT_HANGUL}")
BOTH = re.compile(r"은\(는\)|는\(은\)|이\(가\)|가\(이\)|[을를]\([을를]\)|[과와]\([과와]\)|\(으\)로")
EXCEPTIONS = {particle: tuple(words.split()) for particle, words in KNOWN["no_particle"].items()}
GLOSSARY = (ROOT / "book" / "en" / "glossary.md").read_text(encoding="utf-8")
TERMS = re.findall(r"^\|[^|]*\|(?:[^|]* )?([가-힣]+) \|", GLOSSARY, re.MULTILINE)
NOUNS = tuple({*KNOWN["nouns"]["words"].split(), *TERMS})


def misfits(block: str) -> Iterator[str]:
    """The particles that do not fit in one block, as `blocks` gives it, each with its context."""
    for match in PARTICLE.finditer(block):
        particle, before = match[0], block[: match.start()]
        if (
            before[-1:].strip()
            and not BOTH.match(block, match.start())
            and not _fits(particle, before)
        ):
            yield f"{shown(block, match)}: {right(particle)}, not {particle}"
    for match in COPULAS.finditer(block):
        before = block[: match.start()]
        if ending(before) in (CONSONANT, RIEUL) and before[-1] not in '”"':
            yield f"{shown(block, match)}: 이{match[0]}, not {match[0]}".replace("이였다", "이었다")
    for match in BOTH.finditer(block):
        yield f"{shown(block, match)}: one form of the particle, not both"


def _fits(particle: str, before: str) -> bool:
    sound = ending(before)
    if sound == UNKNOWN or sound in _sounds(particle):
        return True
    if not "가" <= before[-1] <= "힣":
        return False
    word = re.search(r"[가-힣]+$", before)[0] + particle
    is_question = particle == "가" and (ord(before[-1]) - ord("가")) % 28 == 4  # 무엇인가
    if is_question or particle in ("는", "이"):  # 있는, 차이: only after nouns that we know
        return not word.endswith(tuple(noun + particle for noun in NOUNS))
    return word.endswith(EXCEPTIONS[particle])


def _sounds(particle: str) -> tuple[str, ...]:
    """The sounds after which a particle stands."""
    if particle in ("로", "으로"):
        return (VOWEL, RIEUL) if particle == "로" else (CONSONANT,)
    return (VOWEL,) if particle in AFTER_VOWEL else (CONSONANT, RIEUL)


def right(particle: str) -> str:
    """The other form of a particle."""
    return AFTER_VOWEL.get(particle) or AFTER_CONSONANT[particle]


def shown(block: str, match: re.Match[str]) -> str:
    """The words around a match, with … for a formula or code."""
    start = max(block.rfind(" ", 0, max(match.start() - 1, 0)), match.start() - 20) + 1
    return re.sub(f"[{''.join(marks)}]", "…", block[start : match.end() + 1].strip())
