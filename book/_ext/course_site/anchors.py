"""The anchor of a heading is made of its words, in Korean too: #재어-보기, as on GitHub.

docutils knows only the letters of English and numbers all other headings, so that a link which
somebody keeps would lead to another section as soon as one is put in before it.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx

HANGUL = re.compile("[가-힣]")


def name_headings(app: Sphinx, doctree: nodes.document) -> None:
    """Give each section with a Korean heading the anchor by which Markdown links to it."""
    slugs = app.env.metadata[app.env.docname].get("myst_slugs", {})
    renamed = {}
    for slug, (line, numbered, title) in slugs.items():
        if HANGUL.search(slug):
            renamed[numbered] = slug
            slugs[slug] = (line, slug, title)
    for node in doctree.findall(nodes.Element):
        node["ids"] = [renamed.get(anchor, anchor) for anchor in node["ids"]]
        if node.get("refid") in renamed:
            node["refid"] = renamed[node["refid"]]
