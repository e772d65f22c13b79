"""A Korean particle stays on the line of the formula that it belongs to.

A browser sets a formula as a block of its own and may break the line behind it, as in
`$\\sqrt{d_k}$` / `로 나눈다`.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx

PARTICLE = re.compile(r"[가-힣]{1,5}")


def hold_particles(app: Sphinx, doctree: nodes.document) -> None:
    """Join each inline formula and the Hangul right behind it, so that no line breaks there."""
    for formula in list(doctree.findall(nodes.math)):
        following = formula.next_node(descend=False, siblings=True)
        found = isinstance(following, nodes.Text) and PARTICLE.match(following)
        if not found:
            continue
        parent, particle = formula.parent, found[0]
        place = parent.index(formula)
        rest = nodes.Text(following[len(particle) :])
        together = nodes.inline("", "", formula, nodes.Text(particle), classes=["unbroken"])
        parent[place : place + 2] = [together, rest]
