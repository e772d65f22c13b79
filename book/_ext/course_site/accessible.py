"""Small faults of the generated HTML, mended table by table and page by page."""

import re
from pathlib import Path

import imagesize
from docutils import nodes
from sphinx.application import Sphinx

# Figures are drawn at 144 dots an inch (course_lib.plot); a page has 96.
DOTS_PER_PIXEL = 144 / 96

EMPTY_HEADER_CELL = re.compile(r"<th(?P<attributes>[^>]*)>(?P<inside>\s*(?:<p></p>)?\s*)</th>")
OUTPUT_IMAGE = re.compile(r'<img (?P<attributes>[^>]*src="[^"]*_images/(?P<name>[^"/]+)")')
# Names, operators and punctuation are most of a program: in the ink of the text, and no elements.
PLAIN_TOKEN = re.compile(r'<span class="(?:n|o|p|w)">([^<]*)</span>')
PRINTED = re.compile(r'<div class="output stream[^>]*>.*?</pre>', re.DOTALL)
HANGUL = re.compile("[가-힣]+")
TEXT = re.compile(r">[^<]*[가-힣][^<]*")
KOREAN = re.compile("[가-힣]+(?:[ ,.·]+[가-힣]+)*")
INLINE_MATH = re.compile(r'[(“‘]?<span class="math [^>]*>[^<]*</span>[,.;:!?)”’]*')


def head_rows(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Make the first column head its rows in each table whose corner is empty."""
    for head in doctree.findall(nodes.thead):
        if not head.next_node(nodes.entry).astext().strip():
            head.parent.next_node(nodes.colspec)["stub"] = 1


def mend(app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document) -> None:
    """Mend the body of a page where the theme or docutils leave something to be desired."""
    if doctree is None:
        return
    body = context["body"]
    # The label hides the words that one sees, "Show code cell source".
    body = body.replace(' aria-label="Toggle hidden content"', "")
    # An empty corner of a table heads nothing.
    body = EMPTY_HEADER_CELL.sub(r"<td\g<attributes>>\g<inside></td>", body)
    # A browser may break the line between a formula and its comma.
    body = INLINE_MATH.sub(r'<span class="keep">\g<0></span>', body)
    body = PLAIN_TOKEN.sub(r"\g<1>", body)
    body = PRINTED.sub(_in_columns, body)
    if app.config.language != "ko":
        body = TEXT.sub(_in_korean, body)
    context["body"] = _size_images(app, body)


def _in_columns(printed: re.Match) -> str:
    """What was printed, each syllable of Hangul two columns wide, whatever fonts there are."""

    def boxed(word: re.Match) -> str:
        return f'<span class="columns" style="width:{2 * len(word[0])}ch">{word[0]}</span>'

    return HANGUL.sub(boxed, printed[0])


def _in_korean(text: re.Match) -> str:
    """Text with its Korean marked as such, to be read aloud by a voice that knows it."""
    return KOREAN.sub(r'<span lang="ko">\g<0></span>', text[0])


def _size_images(app: Sphinx, body: str) -> str:
    """Give each image its size, so that the text below does not jump when it arrives."""
    sources = {target: source for source, target in app.builder.images.items()}

    def sized(match: re.Match) -> str:
        width, height = imagesize.get(Path(app.srcdir) / sources[match["name"]])
        if width < 0 or " width=" in match["attributes"]:
            return match[0]
        width, height = round(width / DOTS_PER_PIXEL), round(height / DOTS_PER_PIXEL)
        return f'<img width="{width}" height="{height}" loading="lazy" {match["attributes"]}'

    return OUTPUT_IMAGE.sub(sized, body)
