"""A student's page: complete, fair, and safe to open whatever the submission holds."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from course_lib.grading.exports.lines import Line, lines_of
from course_lib.grading.exports.student_report import page, write_all
from course_lib.grading.record import Entry
from tests.grading.exports.made import (
    HOSTILE,
    blank,
    check,
    half_right,
    question,
    record,
    results,
    sha,
)
from tests.site.chromium import chromium

ALLOWED = {"html", "head", "meta", "title", "style", "body", "main"}
ALLOWED |= {"h1", "h2", "p", "span", "ul", "li", "pre", "code", "bdi"}
ATTRIBUTES = {"lang", "charset", "name", "content", "http-equiv", "class", "role", "aria-label"}


def page_of(made, student="홍길동", file="notebook.ipynb"):
    return page(Line(Entry(student, file, made.exercise, made.sha256), made, None))


class Tags(HTMLParser):
    """Every tag and attribute of a page, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = set(), set(), ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}

    def handle_data(self, data):
        self.text += data


def text_of(made, **options):
    body = page_of(made, **options).partition("<body>")[2]
    return " ".join(Tags(re.sub(r"<(/?)(p|li|h1|h2|pre)", r" <\1\2", body)).text.split())


def test_a_page_says_points_reason_mistake_and_the_first_failing_case():  # I48
    said = text_of(half_right())
    assert "2 1/3 of 4 points" in said
    assert "Public part: 2 1/3 of 3 points." in said
    assert "Hidden part: 0 of 1 points." in said
    assert "The values differ. This looks like a sum. softmax([1. 2.]) got [[0.1], [0.9]]" in said
    assert "expected [[0.3], [0.7]]" in said


def test_only_the_first_failing_check_of_a_question_shows_its_case():
    checks = [
        check(name, status="failed", reason=f"No {name}.", case=[f"f({name})"]) for name in "ab"
    ]
    said = text_of(record(questions=[question(checks=checks), question("other", checks)]))
    assert said.count("f(a)") == 2
    assert "f(b)" not in said
    assert said.count("No b.") == 2


def test_a_mistake_that_two_checks_show_is_named_once():
    checks = [check(name, status="failed", misconception="A sum.") for name in "ab"]
    assert text_of(record(questions=[question(checks=checks)])).count("A sum.") == 1


def test_a_hidden_check_shows_its_title_and_the_mistake_and_nothing_else():  # I11, I48
    made = half_right()
    hidden = made.questions[0].checks[3]
    hidden.reason, hidden.case = "expected 0.123456", ["softmax([7.654321])"]
    made.questions.append(question("alone", [hidden]))
    said = text_of(made)
    assert "Title of test_d. (hidden check)" in said.replace(hidden.title, "Title of test_d.")
    assert "This looks like a mean." in said
    assert "0.123456" not in said
    assert "7.654321" not in said


def test_hidden_checks_that_were_not_run_are_announced():  # I49
    said = text_of(half_right("not run"))
    assert "Public part: 2 1/3 of 3 points. Hidden part: graded later, 1 points." in said
    assert "(runs later)" in said


def test_a_page_names_no_function_of_the_checks_and_no_path():  # I11, I13
    made = half_right()
    for each in made.questions[0].checks:
        each.title = "A title."
    html = page_of(made, file="/home/ta/downloads/ex04\\mine.ipynb")
    assert "test_" not in html
    assert "home" not in html
    assert "mine.ipynb" in html
    html = page_of(blank(status="infra_error", reason="/usr/lib/checks.py: broken"))
    assert "checks.py" not in html
    assert "no fault of your submission" in html


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (blank(reason="a.ipynb is not a notebook: it is empty"), "no points yet: a.ipynb is not"),
        (record(status="timeout"), "took too long and was stopped. 1 of 1 points"),
        (record(status="crashed"), "ended the process in which it ran. 1 of 1 points"),
        (record(notes=["code cell 2 failed with NameError"]), "code cell 2 failed with NameError"),
    ],
)
def test_each_status_is_explained(made, said):  # I42
    assert said in text_of(made)


def test_only_what_was_graded_has_a_receipt():
    assert "Graded was notebook.ipynb, SHA-256" in text_of(half_right())
    assert "SHA-256" not in text_of(blank(reason="two files"))


def test_nothing_handed_in_has_a_page_too(tmp_path):  # I43
    made = results(tmp_path, ("a", half_right()), missing=["b"])
    html = page(lines_of(made)[1])
    assert "Nothing was handed in. 0 of 4 points" in html


def test_a_korean_notebook_gets_a_korean_page():
    html = page_of(half_right("not run"))
    korean = page_of(record("k", half_right("not run").questions, language="ko"))
    assert '<html lang="ko">' in korean
    assert "4점 중 2 1/3점" in korean
    assert "나중에 채점한다" in korean
    assert 'aria-label="통과"' in korean
    assert "graded later" not in korean
    assert '<html lang="en">' in html


def hostile_page():
    checks = [
        check("x", status="failed", title=t, reason=t, misconception=t, case=[t]) for t in HOSTILE
    ]
    questions = [question(text, [each]) for text, each in zip(HOSTILE, checks, strict=True)]
    made = record(questions=questions, notes=HOSTILE, exercise=HOSTILE[7])
    return page_of(made, student="".join(HOSTILE[:-2]), file="".join(HOSTILE[:-2]))


def test_no_hostile_text_becomes_markup_or_a_control_character():
    html = hostile_page()
    parsed = Tags(html)
    assert parsed.tags <= ALLOWED
    assert parsed.attributes <= ATTRIBUTES
    assert not {sign for sign in html if ord(sign) < 32} - {"\n", "\t"}
    assert not set(html) & set("\x7f\x9b\u202e\u2066\u200b\u2028\ud800")
    assert "<script>alert(1)</script>" in parsed.text
    assert "{line.record}" in parsed.text
    assert len(html) < 300_000


def test_the_policy_allows_the_one_style_sheet_and_nothing_else():
    html = page_of(record())
    style = re.search(r"<style>(.*?)</style>", html, re.S)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    wanted = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert policy == wanted
    assert "url(" not in style
    assert "@import" not in style


def test_pages_have_names_that_every_file_system_takes(tmp_path):  # I14, I15
    students = ["a/b", "A/B", "..", "CON: <x>", "홍길동", "x" * 300, " ", "a\n", "\u202eevil"]
    made = results(tmp_path)
    made.save(record())
    entries = [Entry(student, "f.ipynb", "ex04_scaling", sha("a")) for student in students]
    made.save_entries(entries)
    assert write_all(made) == len(students)
    names = sorted(path.name for path in (tmp_path / "reports").iterdir())
    assert len({name.casefold() for name in names}) == len(students)
    assert all(len(name.encode()) < 255 and not set(name) & set('<>:"/\\|?*\n') for name in names)
    assert "홍길동 ex04.html" in names


def test_pages_are_the_same_when_written_again_and_old_ones_are_gone(tmp_path):
    made = results(tmp_path, ("a", half_right()), ("b", record("b")))
    write_all(made)
    before = {p.name: p.read_bytes() for p in (tmp_path / "reports").iterdir()}
    made.save_entries(made.entries()[:1])
    write_all(made)
    after = {p.name: p.read_bytes() for p in (tmp_path / "reports").iterdir()}
    assert after == {"a ex04.html": before["a ex04.html"]}


@pytest.mark.browser
def test_in_a_browser_a_hostile_page_runs_nothing_asks_for_nothing_and_fits_a_phone(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(hostile_page(), encoding="utf-8")
    with chromium() as browser:
        opened = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
        asked, said = [], []
        opened.on("request", lambda request: asked.append(request.url))
        opened.on("dialog", lambda dialog: said.append(dialog.message))
        opened.on("console", lambda message: said.append(message.text))
        opened.goto(path.as_uri())
        assert asked == [path.as_uri()]
        assert said == []
        assert opened.evaluate("document.documentElement.scrollWidth") <= 390
        assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == (
            "rgb(23, 24, 26)"
        )
        assert opened.evaluate("document.querySelectorAll('main li').length") == len(HOSTILE)
        opened.emulate_media(media="print")
        assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == (
            "rgb(255, 255, 255)"
        )
