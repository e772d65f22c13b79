"""How Korean text is read aloud: on what sound a word, a number, a letter or a formula ends.

A particle takes one form after a vowel (쿼리는), another after a consonant (토큰은), and 로 stands
after a vowel and after ㄹ (모델로). Where nobody can say how something is read, nothing is said.
"""

import html
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.lessons.reading import PARSER, TAG

VOWEL, CONSONANT, RIEUL, UNKNOWN = marks = "\ue000\ue001\ue002\ue003"
KNOWN = tomllib.loads(Path(__file__).with_name("korean.toml").read_text(encoding="utf-8"))
SOUNDS = {"consonant": CONSONANT, "rieul": RIEUL, "vowel": VOWEL}
WORDS = {word: SOUNDS[name] for name, words in KNOWN["ends_in"].items() for word in words.split()}
LETTERS = {"L": RIEUL, "R": UNKNOWN, "M": CONSONANT, "N": CONSONANT}
DIGITS = {"0": CONSONANT, "3": CONSONANT, "6": CONSONANT, "1": RIEUL, "7": RIEUL, "8": RIEUL}
SIGNS = {"%": VOWEL, "∞": VOWEL, "²": CONSONANT, "°": VOWEL, "Δ": VOWEL, "τ": VOWEL, "θ": VOWEL}

TEX = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:[.,]\d+)*|\S")
GREEK = "alpha beta gamma delta zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi "
SYMBOLS = {f"\\{name}": VOWEL for name in (GREEK + "psi omega Delta Sigma infty top").split()}
SYMBOLS |= {r"\epsilon": CONSONANT, r"\varepsilon": CONSONANT, r"\%": VOWEL, r"\ell": RIEUL}
NOT_READ = {"(", ")", "[", "]", ",", ".", "{", "}", r"\,", r"\;", r"\!", r"\ ", r"\quad", r"\qquad"}
NOT_READ |= {r"\left", r"\right", r"\big", r"\bigl", r"\bigr", r"\sqrt", r"\mathbf", r"\mathbb"}
UPRIGHT = {r"\text", r"\mathrm", r"\operatorname", r"\mathit"}
AMBIGUOUS = {r"\frac": 2, r"\tfrac": 2, r"\hat": 1, r"\bar": 1, r"\tilde": 1, r"\overline": 1}


def of_syllable(syllable: str) -> str:
    """The sound on which a Hangul syllable ends."""
    final = (ord(syllable) - ord("가")) % 28
    return VOWEL if final == 0 else RIEUL if final == 8 else CONSONANT


def of_word(word: str) -> str:
    """The sound on which an English word, a letter or a name in code ends."""
    part = re.split(r"[_.\-]", re.sub(r"\(\)$", "", word))[-1]
    if part[-1:].isdigit():
        return DIGITS.get(part[-1], VOWEL)
    is_spelt = len(part) == 1 or (part.isupper() and len(part) <= 4)
    if part.isascii() and part.isalpha() and is_spelt:
        return LETTERS.get(part[-1].upper(), VOWEL)
    return WORDS.get(part.lower(), UNKNOWN)


def of_formula(tex: str) -> str:
    """The sound on which a formula ends, when it is read from left to right."""
    return _of_tokens(TEX.findall(tex))


def _of_tokens(tokens: list[str]) -> str:
    sound, place = UNKNOWN, 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token == "^":
            raised, place = _argument(tokens, place)
            sound = _of_power(raised)
        elif token in UPRIGHT:
            letters, place = _argument(tokens, place)
            sound = of_word("".join(letters) or "?")
        elif token in AMBIGUOUS:
            for _ in range(AMBIGUOUS[token]):
                _, place = _argument(tokens, place)
            sound = UNKNOWN
        elif token not in NOT_READ and token != "_":
            sound = SYMBOLS.get(token) or _of_sign(token)
    return sound


def _argument(tokens: list[str], place: int) -> tuple[list[str], int]:
    """The tokens of the group, or the one token, that stands at `place`; and where it ends."""
    if tokens[place : place + 1] != ["{"]:
        return tokens[place : place + 1], place + 1
    depth = 0
    for end in range(place, len(tokens)):
        depth += {"{": 1, "}": -1}.get(tokens[end], 0)
        if depth == 0:
            return tokens[place + 1 : end], end + 1
    return tokens[place + 1 :], len(tokens)


def _of_power(raised: list[str]) -> str:
    """Of x², 제곱; of W^Q and of a transpose, the letter; other powers are read in several ways."""
    if raised == ["2"]:
        return CONSONANT
    if len(raised) == 1 and (raised[0].isupper() or raised[0] == r"\top"):
        return _of_tokens(raised)
    return UNKNOWN


def _of_sign(token: str) -> str:
    if token[-1].isdigit():
        return DIGITS.get(token[-1], VOWEL)
    if token.isascii() and token.isalpha():
        return of_word(token)
    return SIGNS.get(token, UNKNOWN)


def blocks(markdown: str) -> Iterator[str]:
    """Each paragraph, heading and table cell as plain text; for a formula or code stands a mark.

    The mark says on what sound it ends. Blocks of code and of mathematics are left out.
    """
    for token in PARSER.parse(markdown):
        if token.type == "inline":
            yield "".join(_inline(child) for child in token.children or [])
        elif token.type == "html_block":
            yield plain(html.unescape(TAG.sub(" ", token.content)))


def _inline(child) -> str:
    match child.type:
        case "text" | "image":
            return child.content
        case "softbreak" | "hardbreak":
            return "\n"
        case "code_inline":
            return of_word(child.content)
        case "math_inline" | "math_inline_double":
            return of_formula(child.content)
    return ""


def plain(text: str) -> str:
    """A text that is no Markdown, with marks for what stands between dollars, ticks and braces."""
    text = re.sub(r"\$([^$\n]+)\$", lambda match: of_formula(match[1]), text)
    text = re.sub(r"`([^`\n]+)`", lambda match: of_word(match[1]), text)
    text = re.sub(r"\{\w*:[^{}]*%\}", "%", text)
    return re.sub(r"\{\w*(?:[:!][^{}]*)?\}", UNKNOWN, text)


def ending(text: str) -> str:
    """The sound on which `text` ends; what stands in brackets after a word is not read."""
    bare = text.rstrip("”’\"'»》")
    if bare.endswith((")", "]")):
        return _of_bracket(bare)
    last = bare[-1:]
    if not last or last in marks:
        return last or UNKNOWN
    if "가" <= last <= "힣":
        return of_syllable(last)
    if last.isascii() and last.isalnum():
        if re.search(r"\d[/⁄]\d+$", bare):
            return UNKNOWN
        return of_word(re.search(r"[A-Za-z0-9]+$", bare)[0])
    return SIGNS.get(last, UNKNOWN)


def _of_bracket(text: str) -> str:
    """로짓(logit) ends as 로짓, (0.2, 0.95) as its last number; f(x) may be read both ways."""
    opened = _opening(text)
    before, inside = text[:opened], text[opened + 1 : -1]
    if not before[-1:].strip():
        return UNKNOWN if re.search("[가-힣]", inside) else ending(inside)
    sounds = {ending(before), ending(inside)}
    return ending(before) if "가" <= before[-1] <= "힣" or len(sounds) == 1 else UNKNOWN


def _opening(text: str) -> int:
    """Where the bracket opens that closes at the end of `text`; 0 if nowhere."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return 0
