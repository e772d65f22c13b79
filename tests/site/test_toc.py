"""The tables of contents list what there is, and both the same."""

import re

import pytest

from tests.site.toc import LANGUAGES, ROOT, contents, pages

HANGUL = re.compile(r"[가-힣]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_lesson_is_in_the_table_of_contents_in_order(language):
    folder = f"lessons/{language}"
    lessons = sorted(f"{folder}/{path.stem}" for path in (ROOT / folder).glob("*.ipynb"))
    assert lessons, "there are no lessons"
    assert [page for page in pages(language) if page.startswith("lessons/")] == lessons


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_exercise_follows_its_chapter(language):
    listed = pages(language)
    for folder in (ROOT / "exercises").glob("ex*/"):
        number = folder.name[2:4]
        chapter = next(page for page in listed if page.startswith(f"lessons/{language}/{number}_"))
        exercise = f"exercises/{folder.name}/{folder.name}.{language}"
        assert listed[listed.index(chapter) + 1] == exercise


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_of_the_book_is_in_the_table_of_contents(language):
    written = {f"book/{language}/{path.stem}" for path in (ROOT / "book" / language).glob("*.md")}
    assert written == {page for page in pages(language) if page.startswith("book/")}


def test_the_korean_table_of_contents_is_the_english_one_in_korean():
    def korean(page: str) -> str:
        return re.sub(r"/en/|\.en$", lambda match: match[0].replace("en", "ko"), page)

    assert pages("ko") == [korean(page) for page in pages("en")]
    shapes = [[len(part["chapters"]) for part in contents(each)["parts"]] for each in LANGUAGES]
    assert shapes[0] == shapes[1]
    assert all(HANGUL.search(part["caption"]) for part in contents("ko")["parts"])
