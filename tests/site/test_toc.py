"""The table of contents lists what there is."""

from tests.site.toc import ROOT, pages


def test_each_lesson_is_in_the_table_of_contents_in_order():
    lessons = sorted(f"lessons/en/{path.stem}" for path in (ROOT / "lessons/en").glob("*.ipynb"))
    assert lessons, "there are no lessons"
    assert [page for page in pages() if page.startswith("lessons/")] == lessons


def test_each_exercise_follows_its_chapter():
    listed = pages()
    for folder in (ROOT / "exercises").glob("ex*/"):
        number = folder.name[2:4]
        chapter = next(page for page in listed if page.startswith(f"lessons/en/{number}_"))
        exercise = f"exercises/{folder.name}/{folder.name}.en"
        assert listed[listed.index(chapter) + 1] == exercise


def test_each_page_of_the_book_is_in_the_table_of_contents():
    written = {f"book/en/{path.stem}" for path in (ROOT / "book" / "en").glob("*.md")}
    assert written == {page for page in pages() if page.startswith("book/")}
