"""Numbers in prose, and whether the computer printed them.

A number with three or more significant digits may stand in prose only if the same digits were
printed. What does not count, and nothing else:

- trailing zeros of a whole number, so that 10000 has one significant digit and 1200 two;
- digits joined to a letter before them, which are part of a name: float64, H200;
- a year from 1950 to 2030 before 년, after "(", a comma, or one of the words in YEAR;
- identifiers: DOIs, arXiv numbers, web addresses, versions such as 2.11.0 or Python 3.13;
- code, unless it is a number alone, and everything from the heading "Sources" (출처) on.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode

from tests.lessons.reading import Piece, pieces

SIGN = r"(?:(?<![^\s(\[{=,;:|≈<>~/&*\"“‘→])[-−])?"
GROUP = r"(?:,|\{,\}|\\,|[\u00a0\u2009\u202f])"
WHOLE = rf"(?:\d{{1,3}}(?:{GROUP}\d{{3}})+(?!\d)|\d+)"
POWER = (
    r"(?:[eE](?P<e>[-+]?\d+)"
    r"|\s*(?:×|\\times)\s*10(?:\^\{?(?P<tex>[-−]?\d+)\}?|(?P<superscript>[⁻⁰¹²³⁴-⁹]+)))"
)
NUMBER = re.compile(rf"(?P<sign>{SIGN})(?<![^\W가-힣])(?<!\.)(?P<digits>{WHOLE}(?:\.\d+)?){POWER}?")
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")

SOURCES = re.compile(r"^#+ (Sources|References|출처|참고 문헌)\s*$", re.MULTILINE)
SOFTWARE = r"(?:Python|PyTorch|NumPy|[Mm]atplotlib|IPython|Ubuntu|Debian|CUDA|version)"
IDENTIFIER = re.compile(
    rf"https?://\S+|\b10\.\d{{4,9}}/\S+|\barXiv:\s?\d{{4}}\.\d{{4,5}}|\b\d+(?:\.\d+){{2,}}"
    rf"|\b{SOFTWARE} \d+\.\d+(?:(?:,| or| and| to|과|와|이나|나|에서) \d+\.\d+)*|\bCC BY \d\.\d"
)
YEAR = re.compile(
    r"(?<![\d.,])(?:19[5-9]\d|20[0-2]\d|2030)(?=년)|"
    r"(?:(?<=\()|(?<=, )|\b(?i:in|of|since|from|by|until|before|after|about|the) )"
    r"(?:19[5-9]\d|20[0-2]\d|2030)(?![\d,.]\d|\w)"
)


class Number(NamedTuple):
    """A number as it was written: its sign ("-" or none), digits and power of ten."""

    sign: str
    digits: str
    power: str

    def __str__(self) -> str:
        return self.sign + self.digits + (f"e{self.power}" if self.power else "")


def numbers(text: str) -> Iterator[Number]:
    """Every number in `text`, thousands separators and typographic signs taken out."""
    for match in NUMBER.finditer(text):
        power = match["e"] or match["tex"] or (match["superscript"] or "").translate(SUPERSCRIPTS)
        yield Number(
            "-" if match["sign"] else "",
            re.sub(GROUP, "", match["digits"]),
            str(int(power.replace("−", "-"))) if power else "",
        )


def significant_digits(number: Number) -> int:
    """How many digits matter: from the first that is not 0, without a whole number's last zeros."""
    digits = number.digits.lstrip("0.")
    return len(digits.replace(".", "") if "." in number.digits else digits.rstrip("0"))


def claimed(markdown: str) -> Iterator[Number]:
    """The numbers of `markdown` that the computer must have printed."""
    prose = markdown[: match.start()] if (match := SOURCES.search(markdown)) else markdown
    for piece in pieces(prose):
        for number in numbers(_readable(piece)):
            if significant_digits(number) >= 3:
                yield number


def _readable(piece: Piece) -> str:
    if piece.kind == "text":
        return YEAR.sub(" ", IDENTIFIER.sub(" ", piece.content))
    if piece.kind == "math":  # commands end where a digit begins: \cdot0.5
        return re.sub(r"\\(?!times|,)(?:[A-Za-z]+|.)", " ", piece.content)
    return piece.content if NUMBER.fullmatch(piece.content.strip()) else ""


def printed_numbers(notebook: NotebookNode) -> set[str]:
    """The numbers that the code cells of `notebook` printed, each also without its sign."""
    return said_in(
        text
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type != "display_data"
        for text in (output.get("text", ""), output.get("data", {}).get("text/plain", ""))
    )


def said_in(texts) -> set[str]:
    """The numbers in `texts`, each also without its sign."""
    found = {number for text in texts for number in numbers(text)}
    return {str(number) for number in found} | {str(number._replace(sign="")) for number in found}


def prose(notebook: NotebookNode) -> Iterator[tuple[str, str]]:
    """The id and the Markdown of each cell, the alternative texts of figures included."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield cell.id, cell.source
        elif alt := cell.metadata.get("mystnb", {}).get("image", {}).get("alt"):
            yield cell.id, alt


def unprinted(notebook: NotebookNode, elsewhere: set[str]) -> list[str]:
    """The numbers in the prose of `notebook` that neither it nor `elsewhere` has printed."""
    known = printed_numbers(notebook) | elsewhere
    return [
        f"cell {cell_id}: {number} is printed nowhere"
        for cell_id, markdown in prose(notebook)
        for number in claimed(markdown)
        if str(number) not in known
    ]


def ledger(path: Path) -> set[str]:
    """The numbers in the ledger of claims, if it is there."""
    return said_in([path.read_text(encoding="utf-8")]) if path.exists() else set()
