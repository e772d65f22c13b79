"""What makes a built book light: one style sheet of the rules that are used, smaller figures."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from shutil import copy, rmtree

from PIL import Image

SHEET = re.compile(
    r'<link rel="stylesheet"[^>]*href="(?P<up>[./]*)_static/(?P<name>[^"?]+\.css)[^>]*>\s*'
)
ATTRIBUTE = re.compile(r'\b(?:class|id)="([^"]*)"')
WORD = re.compile(r"[A-Za-z_][\w-]*")
# A comment, a string, or a sign that gives style sheets their structure.
TOKEN = re.compile(r"""/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{};]""", re.DOTALL)
NAMED = re.compile(r"[.#]((?:[\w-]|\\.)+)")
OPTIONAL = re.compile(r":(?:not|is|where)\((?:[^()]|\([^()]*\))*\)")
COMMA = re.compile(r",(?![^(]*\))")
OWN_RULES = ("@media", "@supports")  # the at-rules that hold rules themselves


def lighten(book: Path, cache: Path) -> None:
    """Give a built book one style sheet and its figures as WebP; `cache` keeps the latter."""
    pages = {page: page.read_text(encoding="utf-8") for page in book.rglob("*.html")}
    links = (link["name"] for html in pages.values() for link in SHEET.finditer(html))
    common = [name for name in dict.fromkeys(links) if not name.startswith("explorables/")]
    scripts = (path for path in book.glob("_static/**/*.js") if "mathjax" not in path.parts)
    used = used_words(pages.values(), (path.read_text(encoding="utf-8") for path in scripts))
    sheets = ((book / "_static" / name).read_text(encoding="utf-8") for name in common)
    css = "".join(purged(sheet, used) for sheet in sheets)
    (book / "_static" / "site.css").write_text(css, encoding="utf-8")
    digest = hashlib.sha256(css.encode()).hexdigest()[:8]
    shrink_figures(book / "_images", cache)
    for page, html in pages.items():
        page.write_text(_one_sheet(html, digest).replace('.png" ', '.webp" '), encoding="utf-8")
    for name in common:
        (book / "_static" / name).unlink()
    rmtree(book / "_static" / "styles")  # what is left there are maps of the theme's own sources


def _one_sheet(html: str, digest: str) -> str:
    """The page with one link in place of those to the common sheets."""
    first = SHEET.search(html)
    if first is None:
        return html
    link = f'<link rel="stylesheet" href="{first["up"]}_static/site.css?v={digest}"/>\n    '

    def kept(match: re.Match) -> str:
        return match[0] if match["name"].startswith("explorables/") else ""

    return html[: first.start()] + link + SHEET.sub(kept, html[first.start() :])


def used_words(pages: Iterable[str], scripts: Iterable[str]) -> set[str]:
    """The classes and ids on the pages, and whatever a script might name."""
    found = {word for html in pages for names in ATTRIBUTE.findall(html) for word in names.split()}
    return found.union(*(WORD.findall(script) for script in scripts))


def purged(css: str, used: set[str]) -> str:
    """The style sheet without comments and without rules for classes and ids that are not used."""
    return "".join(_kept(_rules(css), used))


def _kept(rules: Iterable[tuple[str, str]], used: set[str]) -> Iterator[str]:
    for head, body in rules:
        if head.startswith(OWN_RULES):
            inner = purged(body, used)
            if inner:
                yield f"{head}{{{inner}}}\n"
        elif head.startswith("@"):
            if not head.startswith(("@charset", "@import")):
                yield f"{head}{{{body}}}\n"
        elif selectors := [one for one in COMMA.split(head) if _is_used(one, used)]:
            yield f"{','.join(selectors)}{{{body}}}\n"


def _is_used(selector: str, used: set[str]) -> bool:
    return all(name in used for name in NAMED.findall(OPTIONAL.sub("", selector)))


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """Each rule as what stands before its block and what stands inside, blanks collapsed."""
    css = TOKEN.sub(lambda token: "" if token[0].startswith("/*") else token[0], css)
    start, opened, depth = 0, 0, 0
    for token in TOKEN.finditer(css):
        if token[0] == "{":
            depth += 1
            if depth == 1:
                opened = token.end()
        elif token[0] == "}":
            depth -= 1
            if depth == 0:
                yield _tight(css[start : opened - 1]), _tight(css[opened : token.start()])
                start = token.end()
        elif token[0] == ";" and depth == 0:
            start = token.end()  # @charset, @import


def _tight(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def shrink_figures(folder: Path, cache: Path) -> None:
    """Turn each PNG into a lossless WebP, about a third of its size; names tell contents apart."""
    cache.mkdir(parents=True, exist_ok=True)
    pngs = sorted(folder.glob("*.png"))
    new = [(png, cache / f"{png.stem}.webp") for png in pngs]
    new = [(png, webp) for png, webp in new if not webp.exists()]
    if new:
        with ProcessPoolExecutor(max_workers=2) as pool:
            list(pool.map(_to_webp, *zip(*new, strict=True)))
    for png in pngs:
        copy(cache / f"{png.stem}.webp", folder)
        png.unlink()


def _to_webp(png: Path, webp: Path) -> None:
    with Image.open(png) as image:
        opaque = image.mode != "RGBA" or image.getextrema()[3][0] == 255
        part = webp.with_suffix(".part")
        (image.convert("RGB") if opaque else image).save(
            part, "webp", lossless=True, method=2, quality=40
        )
        part.replace(webp)
