"""Explorable figures: a chapter, the cell whose figure one can explore, and the script of it.

The notebooks know nothing of them. Each stands after its cell and the paragraph that reads that
cell, empty until its script fills it, so that a reader without JavaScript sees the notebook's own
figure and nothing else.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from course_site.chapters import LESSON

SCRIPTS = Path(__file__).resolve().parents[2] / "_interactive"

EXPLORABLES = {
    "01_embeddings": ("all-pairs", "word_map"),
    "03_query_key_value": ("heatmap", "query_key"),
    "04_scaling": ("temperature", "temperature"),
    "05_multi_head": ("concat", "heads"),
    "06_positional_encoding": ("profile", "waves"),
    "08_masking": ("combine", "masks"),
    "11_cross_entropy": ("bars", "gradient"),
    "12_kv_cache": ("batch-figure", "conversation"),
}


def add_static_path(app: Sphinx, config: Config) -> None:
    """Copy the scripts, which only the pages below load."""
    config.html_static_path.append(str(SCRIPTS))


def add_place(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put an empty figure where a chapter's explorable belongs."""
    if docname.rpartition("/")[2] not in EXPLORABLES or not LESSON.fullmatch(docname):
        return
    cell, script = EXPLORABLES[docname.rpartition("/")[2]]
    box = next(node for node in doctree.findall(nodes.container) if f"cell-{cell}" in node["ids"])
    behind = box.parent.index(box) + 1
    if isinstance(box.next_node(descend=False, siblings=True), nodes.paragraph):
        behind += 1
    figure = f'<figure class="explorable" data-explorable="{script}"></figure>'
    box.parent.insert(behind, nodes.raw("", figure, format="html"))


def add_script(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document
) -> None:
    """Load script and style on the page that has the figure, and on no other."""
    if LESSON.fullmatch(pagename) and pagename.rpartition("/")[2] in EXPLORABLES:
        _, script = EXPLORABLES[pagename.rpartition("/")[2]]
        app.add_css_file("explorables/explorables.css", priority=900)
        # A file that is opened without a server may load no module: then nothing waits for it.
        gone = "document.querySelector('.explorable').remove()"
        app.add_js_file(f"explorables/{script}.js", type="module", onerror=gone)
