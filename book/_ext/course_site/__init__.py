"""The course's Sphinx extension: chapters, links to Colab, accessible pages, no other host."""

from sphinx.application import Sphinx

from course_site import (
    about,
    accessible,
    anchors,
    as_run,
    assets,
    chapters,
    claims_page,
    explorables,
    freshness,
    languages,
    repository,
    search_words,
    unbroken,
    words,
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect each part to the event that it answers."""
    app.connect("config-inited", repository.set_address, priority=400)
    app.connect("config-inited", languages.set_base)
    app.connect("config-inited", words.set_words)
    app.connect("config-inited", search_words.set_language)
    app.add_config_value("shared_files", "", "html")
    app.connect("config-inited", freshness.watch_shared_files)
    app.connect("config-inited", assets.add_static_paths)
    app.connect("config-inited", explorables.add_static_path)
    app.connect("source-read", as_run.warn_of_faults)
    app.connect("source-read", repository.fill_address)
    app.connect("source-read", claims_page.fill_counts)
    app.add_directive("claims", claims_page.Claims)
    app.connect("doctree-read", anchors.name_headings, priority=400)  # before they are listed
    app.connect("doctree-read", claims_page.name_anchors)
    app.connect("doctree-read", claims_page.anchor_cells)
    app.connect("doctree-read", unbroken.hold_particles)
    app.connect("env-get-updated", chapters.number_chapters, priority=900)
    app.connect("doctree-resolved", chapters.add_links)
    app.connect("doctree-resolved", accessible.head_rows)
    app.connect("doctree-resolved", explorables.add_place)
    for part in (languages, words, about):
        app.connect("html-page-context", part.add_to_page, priority=900)
    app.connect("html-page-context", explorables.add_script)
    app.connect("html-page-context", assets.keep_what_the_page_needs, priority=900)
    app.connect("html-page-context", accessible.mend, priority=900)
    assets.add_files(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
