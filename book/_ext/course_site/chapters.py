"""Chapters and exercises: a number taken from the file's name, links to run and to download it."""

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from course_site.repository import colab_url

LESSON = re.compile(r"lessons/(?P<language>\w+)/(?P<number>\d\d)_\w+")
EXERCISE = re.compile(r"exercises/(?P<name>\w+)/(?P=name)\.(?P<language>\w+)")

LABELS = {
    "en": {
        "colab": "Open in Colab",
        "download": "Download the notebook",
        "group": "This notebook",
    },
    "ko": {
        "colab": "Colab에서 열기",
        "download": "노트북 내려받기",
        "group": "이 노트북",
    },
}


def number_chapters(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Number lessons/en/03_… as chapter 3, whatever stands before it in the table of contents."""
    for docname, title in env.titles.items():
        if lesson := LESSON.fullmatch(docname):
            number = (int(lesson["number"]),)
            references = list(env.tocs[docname].findall(nodes.reference))
            env.toc_secnumbers[docname] = {ref["anchorname"]: () for ref in references}
            env.toc_secnumbers[docname][""] = number
            references[0]["secnumber"] = title["secnumber"] = number
    return []


def add_links(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the links to Colab and to the notebook itself below its title."""
    notebook = LESSON.fullmatch(docname) or EXERCISE.fullmatch(docname)
    if notebook is None or app.builder.format != "html":
        return
    labels = LABELS[notebook["language"]]
    colab = colab_url(Path(app.srcdir), f"{docname}.ipynb")
    download = "../" * docname.count("/") + f"_sources/{docname}.ipynb"
    title = next(doctree.findall(nodes.title))
    title.parent.insert(
        title.parent.index(title) + 1,
        nodes.raw(
            "",
            f'<ul class="chapter-links" aria-label="{escape(labels["group"])}">'
            f'<li><a href="{escape(colab)}">{escape(labels["colab"])}</a></li>'
            f'<li><a href="{escape(download)}" download>{escape(labels["download"])}</a></li></ul>',
            format="html",
        ),
    )
