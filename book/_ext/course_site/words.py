"""The words of the furniture: all that a page says beside its own text, in each language."""

from sphinx.application import Sphinx
from sphinx.config import Config

WORDS = {
    "en": {
        "skip": "Skip to the text",
        "home": "First page",
        "chapters": "Chapters",
        "open chapters": "Chapters",
        "exercise": "The exercise",
        "search": "Search",
        "close": "Close",
        "needs script": "The search needs JavaScript.",
        "theme": "Light, dark, or as the device",
        "on this page": "On this page",
        "previous": "Previous",
        "next": "Next",
        "neighbours": "Previous and next page",
        "to the top": "Back to the top",
        "licence": "Text CC BY 4.0, code MIT.",
        "source": "Source",
        "changed": "Last changed on {date}.",
        "date": "{day} {month} {year}",
        "copy": "Copy",
        "copied": "Copied",
        "table": "Table",
        "show code": "Show the code",
        "hide code": "Hide the code",
        "twin": "this page in English",
        "start": "the English edition",
        "card": "Attention, Recomputed: the words cat, car and it, and how it attends to them",
    },
    "ko": {
        "skip": "본문으로 건너뛰기",
        "home": "첫 페이지",
        "chapters": "목차",
        "open chapters": "목차",
        "exercise": "연습 문제",
        "search": "검색",
        "close": "닫기",
        "needs script": "검색에는 자바스크립트가 필요하다.",
        "theme": "밝게, 어둡게, 기기 설정대로",
        "on this page": "이 페이지에서",
        "previous": "이전",
        "next": "다음",
        "neighbours": "이전 페이지와 다음 페이지",
        "to the top": "맨 위로",
        "licence": "글은 CC BY 4.0, 코드는 MIT 라이선스를 따른다.",
        "source": "소스",
        "changed": "마지막 수정: {date}.",
        "date": "{year}년 {number}월 {day}일",
        "copy": "복사",
        "copied": "복사함",
        "table": "표",
        "show code": "코드 보기",
        "hide code": "코드 숨기기",
        "twin": "이 페이지를 한국어로 보기",
        "start": "한국어판 보기",
        "card": "다시 계산하는 어텐션: 고양이, 자동차, 그것, 그리고 ‘그것’의 어텐션",
    },
}

# What Sphinx's search says, by its own English text.
SEARCH_SAYS = {
    "en": {
        "Searching": "Searching",
        "Search Results": "Results",
        "Your search did not match any documents. Please make sure that all words are spelled "
        "correctly and that you've selected enough categories.": "No page has these words.",
        "Search finished, found ${resultCount} page(s) matching the search query.": (
            "Pages found: ${resultCount}"
        ),
        ", in ": ", in ",
    },
    "ko": {
        "Searching": "검색하는 중",
        "Search Results": "검색 결과",
        "Your search did not match any documents. Please make sure that all words are spelled "
        "correctly and that you've selected enough categories.": ("이 말이 나오는 페이지가 없다."),
        "Search finished, found ${resultCount} page(s) matching the search query.": (
            "찾은 페이지: ${resultCount}쪽"
        ),
        ", in ": ", 위치: ",
    },
}
MONTHS = "January/February/March/April/May/June/July/August/September/October/November/December"


def say_date(language: str, iso: str) -> str:
    """A date such as 2026-11-29 as a reader of `language` writes it."""
    year, month, day = map(int, iso.split("-"))
    month_name = MONTHS.split("/")[month - 1]
    return WORDS[language]["date"].format(year=year, month=month_name, number=month, day=day)


def set_words(app: Sphinx, config: Config) -> None:
    """Set the words that extensions take from the configuration."""
    words = WORDS[config.language]
    config.nb_code_prompt_show = words["show code"]
    config.nb_code_prompt_hide = words["hide code"]


def add_to_page(app: Sphinx, pagename: str, template: str, context: dict, doctree: object) -> None:
    """Hand the words to the template."""
    language = app.config.language
    context["words"] = WORDS[language]
    context["switch_words"] = WORDS["en" if language == "ko" else "ko"]
    title = context["pagetitle"] = context.get("pagetitle") or WORDS[language]["search"]
    book = context["docstitle"]
    context["head_title"] = title if title == book else f"{title} – {book}"
    context["search_says"] = SEARCH_SAYS[language]
