"""Tables as CSV that a spreadsheet opens without running anything."""

import csv
import io
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from course_lib.grading.exports.harmless import one_line, visible

# What starts a formula in Excel, LibreOffice or Google Sheets:
# https://owasp.org/www-community/attacks/CSV_Injection
STARTS = "=+-@"
BYTE_ORDER_MARK = "\ufeff"  # without it Excel shows 홍길동 as if it were Latin


def cell(text: str) -> str:
    """The text in one line, behind an apostrophe if a spreadsheet could take it for a formula."""
    plain = visible(text) == text and not set(text) & set("\n\t")
    shown = text if plain else one_line(text)
    # White space of any kind may be gone when it is read, and ＝ is read like =.
    first = unicodedata.normalize("NFKC", shown.lstrip()[:1])[:1]
    return "'" + shown if first and first in STARTS and shown != "-" else shown


def written(rows: Iterable[Iterable[str]]) -> str:
    """The rows as CSV (RFC 4180), each cell made safe."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(
        [cell(entry) for entry in row] for row in rows
    )
    return text.getvalue()


def read(path: Path) -> list[list[str]]:
    """The rows of a CSV file that a platform exported; ValueError if it is none.

    The separator is the one that the first line uses, comma or semicolon.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path.name} is not UTF-8, at byte {error.start}; export it again, without Excel"
        ) from None
    first = text.partition("\n")[0]
    separator = ";" if first.count(";") > first.count(",") else ","
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise ValueError(f"{path.name} is not CSV: {error}") from None
    if not rows or len(rows[0]) < 2:
        raise ValueError(f"{path.name} holds no table")
    return rows
