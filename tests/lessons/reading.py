"""Markdown taken apart: what is prose, what mathematics, what code, and what headings say."""

import html
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

PARSER = (
    MarkdownIt("commonmark")
    .enable("table")
    .use(dollarmath_plugin, allow_space=False, allow_digits=True, double_inline=True)
)
TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^>]*>", re.DOTALL)

FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)


class Piece(NamedTuple):
    """A stretch of Markdown of one kind: "text", "math" or "code"."""

    kind: str
    content: str


def pieces(markdown: str) -> Iterator[Piece]:
    """The stretches of `markdown`, without markup; addresses of links are left out.

    A fenced block is code when it names a language, and read as prose when it names none.
    """
    for token in PARSER.parse(markdown):
        match token.type:
            case "inline":
                yield from _inline(token.children or [])
            case "html_block":
                yield Piece("text", html.unescape(TAG.sub(" ", token.content)))
            case "math_block":
                yield Piece("math", token.content)
            case "fence" | "code_block":
                yield Piece("code" if token.info.strip() else "text", token.content)


def _inline(children: list[Token]) -> Iterator[Piece]:
    text = ""
    for child in children:
        match child.type:
            case "text":
                text += child.content
            case "softbreak" | "hardbreak":
                text += "\n"
            case "image":
                text += child.content  # the alternative text
            case "math_inline" | "math_inline_double" | "code_inline":
                yield Piece("text", text)
                text = ""
                yield Piece(child.type.split("_")[0], child.content)
    yield Piece("text", text)


def page(path: Path) -> str:
    """The Markdown of a page, without its front matter."""
    return FRONT_MATTER.sub("", path.read_text(encoding="utf-8"))


def headings(markdown: str) -> Iterator[tuple[int, str]]:
    """The level and the source of each heading."""
    tokens = PARSER.parse(markdown)
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            yield int(opening.tag[1]), inline.content
