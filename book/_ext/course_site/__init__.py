"""The course's Sphinx extension: chapters, links to Colab, accessible pages, no other host."""

from sphinx.application import Sphinx

from course_site import accessible, assets, chapters, claims_page, freshness, repository


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect each part to the event that it answers."""
    app.connect("config-inited", repository.set_address, priority=400)
    app.add_config_value("shared_files", "", "html")
    app.connect("config-inited", freshness.watch_shared_files)
    app.connect("config-inited", assets.add_static_paths)
    app.connect("source-read", repository.fill_address)
    app.connect("source-read", claims_page.fill_counts)
    app.add_directive("claims", claims_page.Claims)
    app.connect("doctree-read", claims_page.name_anchors)
    app.connect("doctree-read", claims_page.anchor_cells)
    app.connect("env-get-updated", chapters.number_chapters, priority=900)
    app.connect("doctree-resolved", chapters.add_links)
    app.connect("doctree-resolved", accessible.head_rows)
    app.connect("html-page-context", assets.keep_mathjax_to_mathematics, priority=900)
    app.connect("html-page-context", accessible.mend, priority=900)
    assets.add_files(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
