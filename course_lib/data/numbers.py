"""Numbers from 1 to 99 999 999 in English words and in Korean ones: texts to translate.

    12 300      twelve thousand three hundred      만 이천 삼백

English groups the digits by three (thousand, million), Korean by four (만, ten thousand). A token
is a word in English, without "and"; in Korean a digit with its unit (이천, 삼백), or 만 alone. As
in speech, 일 (one) is not said before 천, 백 and 십, nor before 만 where it would stand alone:
천 백 십 일 (1111), 만 (10 000), but 십 일 만 (110 000). Spelling joins what stands on one side of
만: 만 이천삼백.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from jaxtyping import Int
from numpy import ndarray as Array

MOST_DIGITS = 8
PLACES = 10 ** np.arange(MOST_DIGITS)[::-1]  # ten millions, millions, … ones
PADDING, START, END = 0, 1, 2  # the tokens that are no words; only Korean has the last two

BELOW_TWENTY = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
    *("sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ENGLISH = ("<pad>", *BELOW_TWENTY, *TENS, "hundred", "thousand", "million")

DIGITS = "일이삼사오육칠팔구"
UNITS = {"천": 1000, "백": 100, "십": 10, "": 1}


def digit_token(digit: int, unit: str) -> str:
    """A digit from 1 to 9 with its unit: 이천 and 이, but 천 where the digit is one."""
    return unit if digit == 1 and unit else DIGITS[digit - 1] + unit


DIGIT_TOKENS = tuple(digit_token(digit, unit) for unit in UNITS for digit in range(1, 10))
KOREAN = ("<pad>", "<start>", "<end>", *DIGIT_TOKENS, "만")


def english(number: int) -> list[str]:
    """The words of the number: 12 300 gives twelve, thousand, three, hundred."""
    _require_in_range(number)
    millions, thousands, rest = number // 1_000_000, number // 1000 % 1000, number % 1000
    return [
        *([*_english_group(millions), "million"] if millions else []),
        *([*_english_group(thousands), "thousand"] if thousands else []),
        *_english_group(rest),
    ]


def korean(number: int) -> list[str]:
    """The tokens of the number: 12 300 gives 만, 이천, 삼백."""
    _require_in_range(number)
    ten_thousands, rest = divmod(number, 10_000)
    head = _korean_group(ten_thousands) if ten_thousands != 1 else []
    return [*head, *(["만"] if ten_thousands else []), *_korean_group(rest)]


def draw(lengths: Int[Array, "n"], generator: np.random.Generator) -> Int[Array, "n"]:
    """A random number of each length, which is counted in digits.

    In half of them each digit after the first turns to zero at even odds, so that round numbers
    (2 030 000) are no rarity.
    """
    digits = generator.integers(10, size=(len(lengths), MOST_DIGITS))
    is_round = generator.random((len(lengths), 1)) < 0.5
    digits[is_round & (generator.random(digits.shape) < 0.5)] = 0
    digits[:, 0] = generator.integers(1, 10, size=len(lengths))
    return (digits * PLACES).sum(axis=1) // 10 ** (MOST_DIGITS - lengths)


def draw_test(per_length: int, generator: np.random.Generator) -> list[int]:
    """Distinct numbers: `per_length` of each length, or a third of all where that is fewer.

    There are only 9 numbers of one digit and 90 of two, of which training needs the rest.
    """
    chosen: list[int] = []
    for length in range(1, MOST_DIGITS + 1):
        lowest = 10 ** (length - 1)
        if 3 * lowest <= per_length:
            third = generator.choice(np.arange(lowest, 10 * lowest), 3 * lowest, replace=False)
            chosen += third.tolist()
            continue
        distinct: set[int] = set()
        while len(distinct) < per_length:
            distinct |= set(draw(np.array([length]), generator).tolist())
        chosen += sorted(distinct)
    return chosen


def draw_training(
    count: int,
    hidden: Iterable[int],
    generator: np.random.Generator,
    lengths: Sequence[int] = range(1, MOST_DIGITS + 1),
) -> Int[Array, "count"]:
    """`count` numbers, none of them in `hidden`, each of `lengths` equally likely."""
    hidden, drawn = np.array([*hidden]), np.empty(0, int)
    while len(drawn) < count:
        more = draw(generator.choice(lengths, size=count), generator)
        drawn = np.concatenate([drawn, more[~np.isin(more, hidden)]])
    return drawn[:count]


def encode_english(numbers: Iterable[int] | Int[Array, "B"]) -> Int[Array, "B S"]:
    """The index of each word, one number a row, filled up with PADDING at the end."""
    return _encode([english(int(number)) for number in numbers], ENGLISH)


def encode_korean(numbers: Iterable[int] | Int[Array, "B"]) -> Int[Array, "B T"]:
    """START, the index of each token, END; one number a row, filled up with PADDING at the end."""
    return _encode(
        [[KOREAN[START], *korean(int(number)), KOREAN[END]] for number in numbers], KOREAN
    )


def decode_korean(tokens: Iterable[int] | Int[Array, "T"]) -> list[str]:
    """The Korean tokens before the first END: what a model wrote, without START."""
    written: list[str] = []
    for token in tokens:
        if token == END:
            break
        written.append(KOREAN[token])
    return written


def _english_group(group: int) -> list[str]:
    """A number below a thousand; 0 has no words."""
    hundreds, rest = divmod(group, 100)
    tens, ones = divmod(rest, 10) if rest >= 20 else (0, rest)
    return [
        *([BELOW_TWENTY[hundreds - 1], "hundred"] if hundreds else []),
        *([TENS[tens - 2]] if tens else []),
        *([BELOW_TWENTY[ones - 1]] if ones else []),
    ]


def _korean_group(group: int) -> list[str]:
    """A number below ten thousand: a token for each digit that is not zero."""
    digits = {unit: group // value % 10 for unit, value in UNITS.items()}
    return [digit_token(digit, unit) for unit, digit in digits.items() if digit]


def _encode(rows: list[list[str]], vocabulary: tuple[str, ...]) -> Int[Array, "B T"]:
    index = {token: i for i, token in enumerate(vocabulary)}
    encoded = np.full((len(rows), max(map(len, rows))), PADDING)
    for i, row in enumerate(rows):
        encoded[i, : len(row)] = [index[token] for token in row]
    return encoded


def _require_in_range(number: int) -> None:
    most = 10**MOST_DIGITS - 1
    if not 1 <= number <= most:
        raise ValueError(f"numbers from 1 to {most} have words here, {number} has none")
