"""The page "The documents, checked": each claim, where it is shown, and which tests prove it."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from course_site import ledger
from course_site.chapters import LESSON
from course_site.repository import file_url

LABELS = {
    "en": {
        "chapter": "Chapter {number}",
        "course": "In the course:",
        "one test": "1 test",
        "tests": "{n} tests",
    },
    "ko": {
        "chapter": "{number}장",
        "course": "이 강의에서는:",
        "one test": "테스트 1개",
        "tests": "테스트 {n}개",
    },
}


class Claims(SphinxDirective):
    """`{claims} A` lists the claims whose ids begin with A, each under an anchor of its own."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """A definition list: the id, and below it sentence, figures, places and tests."""
        self.env.note_reread()  # its sources are the ledger, the lessons and the tests
        self.root = Path(self.env.app.srcdir)
        self.language = self.env.docname.split("/")[1]
        self.labels = LABELS[self.language]
        self.tests = ledger.tests(self.root)
        claims = ledger.read(self.root, self.language).items()
        items = [self._item(*item) for item in claims if item[0].startswith(self.arguments[0])]
        return [nodes.definition_list("", *items, classes=["claims"])]

    def _item(self, key: str, claim: ledger.Claim) -> nodes.definition_list_item:
        anchor = key.lower()
        term = nodes.term("", "", nodes.reference("", key, refid=anchor), names=[anchor])
        self.state.document.note_explicit_target(term)
        definition = nodes.definition("", *self._parsed(claim.text))
        if claim.course:
            definition += self._parsed(f"*{self.labels['course']}* {claim.course}")
        if claim.figures:
            definition += nodes.paragraph("", " · ".join(claim.figures), classes=["figures"])
        definition += self._places(claim)
        definition += self._folded(self.tests.get(key, []))
        return nodes.definition_list_item("", term, definition)

    def _parsed(self, markdown: str) -> list[nodes.Node]:
        parent = nodes.container()
        self.state.nested_parse(StringList([markdown], self.env.docname), 0, parent)
        return parent.children

    def _places(self, claim: ledger.Claim) -> Iterator[nodes.Node]:
        """Links to the cells, by the headings that they stand under, a line for each chapter."""
        places = [shown.split("/") for shown in claim.shown]
        for chapter, group in groupby(places, key=lambda place: place[0]):
            docname = f"lessons/{self.language}/{chapter}"
            number = int(LESSON.fullmatch(docname)["number"])
            cells = ledger.cells(self.root / f"{docname}.ipynb")
            first: dict[str, str] = {}
            for _, cell in group:
                first.setdefault(cells[cell].heading, cell)
            page = self.env.app.builder.get_relative_uri(self.env.docname, docname)
            links = [
                nodes.reference("", heading, refuri=f"{page}#cell-{cell}")
                for heading, cell in first.items()
            ]
            line = nodes.paragraph("", self.labels["chapter"].format(number=number) + ": ")
            line += [node for link in links for node in (link, nodes.Text(", "))][:-1]
            line["classes"].append("place")
            yield line

    def _folded(self, tests: list[ledger.Proof]) -> Iterator[nodes.Node]:
        """The tests, file by file, behind their number."""
        label = self.labels["one test" if len(tests) == 1 else "tests"].format(n=len(tests))
        yield nodes.raw("", f'<details class="tests"><summary>{label}</summary>', format="html")
        for path, group in groupby(tests, key=lambda test: test.path):
            url = file_url(self.root, path)
            file = nodes.reference("", path, refuri=url) if url else nodes.inline("", path)
            yield nodes.paragraph("", "", file)
            names = (nodes.paragraph("", "", nodes.literal("", test.name)) for test in group)
            yield nodes.bullet_list("", *(nodes.list_item("", name) for name in names))
        yield nodes.raw("", "</details>", format="html")


def fill_counts(app: Sphinx, docname: str, source: list[str]) -> None:
    """Write how many claims and tests there are where a page says {{ claims }}, {{ tests }}."""
    if "{{ claims }}" in source[0]:
        root = Path(app.srcdir)
        tests = {test for marked in ledger.tests(root).values() for test in marked}
        source[0] = source[0].replace("{{ claims }}", str(len(ledger.read(root))))
        source[0] = source[0].replace("{{ tests }}", str(len(tests)))


def name_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Let a page link to a claim, `[A1](documents_checked.md#a1)`, as to a heading."""
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for term in doctree.findall(nodes.term):
        slugs |= {name: (term.line, name, term.astext()) for name in term["names"]}


def anchor_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Give each code cell of a lesson an anchor: `cell-` and its id."""
    if LESSON.fullmatch(app.env.docname):
        ids = ledger.cells(Path(app.env.doc2path(app.env.docname)))
        boxes = doctree.findall(nodes.container)
        shown = [box for box in boxes if box.get("nb_element") == "cell_code"]
        for node, cell in zip(shown, ids, strict=True):
            node["ids"].append(f"cell-{cell}")
