"""What a page says of itself to machines: a description; and to readers: when it last changed."""

import re
import subprocess
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from course_site.words import WORDS, say_date

SHORTEST, LONGEST = 70, 160
COMMIT = re.compile(r"\d{4}-\d\d-\d\d")
TEX = {r"\\[a-zA-Z]+ ?": "", r"[{}]": ""}


@cache
def last_changes(root: Path) -> dict[str, str]:
    """The day of the last commit to each file, such as 2026-11-29; empty without git."""
    command = [
        "git",
        "-c",
        "core.quotePath=off",
        "log",
        "--format=%cs",
        "--name-only",
        "--no-renames",
    ]
    try:
        run = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=True)
    except (OSError, subprocess.CalledProcessError):
        return {}
    found: dict[str, str] = {}
    day = ""
    for line in run.stdout.splitlines():
        if COMMIT.fullmatch(line):
            day = line
        elif line:
            found.setdefault(line, day)
    return found


def description(doctree: nodes.document) -> str:
    """The page's first paragraphs, as many as make a sentence or two, without markup."""
    text = ""
    for paragraph in doctree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section):
            text = f"{text} {_plain(paragraph)}".strip()
            if len(text) >= SHORTEST:
                break
    return shortened(text)


def shortened(text: str) -> str:
    """The text up to its last whole sentence that fits, or else its last whole word."""
    if len(text) <= LONGEST:
        return text
    sentences = [match.end() for match in re.finditer(r"[.?!](?= )", text[: LONGEST + 1])]
    if sentences and sentences[-1] >= SHORTEST:
        return text[: sentences[-1]]
    return text[: LONGEST - 1].rpartition(" ")[0].rstrip(",;:") + "…"


def _plain(paragraph: nodes.paragraph) -> str:
    text = paragraph.astext()
    for formula in paragraph.findall(nodes.math):
        plain = formula.astext()
        for tex, instead in TEX.items():
            plain = re.sub(tex, instead, plain)
        text = text.replace(formula.astext(), plain)
    return " ".join(text.split())


def add_to_page(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Hand the description and the day of the last change to the template."""
    if doctree is None:
        return
    context["description"] = description(doctree)
    source = Path(app.env.doc2path(pagename)).relative_to(app.srcdir).as_posix()
    if day := last_changes(Path(app.srcdir)).get(source):
        said = say_date(app.config.language, day)
        context["changed"] = WORDS[app.config.language]["changed"].format(
            date=f'<time datetime="{day}">{said}</time>'
        )
