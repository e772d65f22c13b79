"""One page a student: what each question came to, and why.

Safe to open whatever the submission holds: every word of it is escaped, nothing of it acts, and
the page asks a browser for no script, no picture and no other machine. Of a hidden check it says
the title, whether it was passed, and the mistake that was recognised.
"""

import base64
import hashlib
import html
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources import files
from pathlib import PurePath

from course_lib.grading.exports.harmless import one_line, visible
from course_lib.grading.exports.lines import Line, lines_of
from course_lib.grading.exports.names import file_names
from course_lib.grading.exports.words import about, language_of, parts
from course_lib.grading.feedback import as_text
from course_lib.grading.record import Check, Question, Results, write_whole
from course_lib.messages import Text, translated

PAGE = """\
<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""
HIDDEN = "hidden check"
LATER = "runs later"
ABOUT_CELLS = "About the notebook's cells"
RECEIPT = "Graded was {file}, SHA-256 {sha256}."

PASSED, NOT_PASSED = "passed", "not passed"

MARKS = {"passed": ("passed", "✓", PASSED), "not run": ("later", "…", LATER)}
FAILED = ("failed", "✗", NOT_PASSED)


def write_all(results: Results) -> int:
    """Write a page for each line of the class into `reports/`, and none besides; how many."""
    folder = results.folder / "reports"
    lines = lines_of(results)
    names = file_names(lines, ".html")
    for line, name in zip(lines, names, strict=True):
        write_whole(folder / name, page(line))
    for path in folder.iterdir() if folder.exists() else ():
        if path.suffix == ".html" and path.name not in names:
            path.unlink()  # it would show points that are no longer so
    return len(names)


def page(line: Line) -> str:
    """The whole page, in the language of the notebook; the same whenever it is made again."""
    style = (files("course_lib.grading") / "exports" / "report.css").read_text(encoding="utf-8")
    return PAGE.format(
        language=language_of(line),
        policy=_policy(style),
        title=_text(f"{line.entry.exercise} · {line.entry.student}"),
        style=style,
        body="\n".join(_body(line)),
    )


def _policy(style: str) -> str:
    """Nothing but this one style sheet, named by its hash."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _body(line: Line) -> Iterator[str]:
    yield f"<h1>{_text(line.entry.exercise)}</h1>"
    yield f'<p class="who"><bdi>{_text(line.entry.student)}</bdi></p>'
    yield f'<p class="points">{_text(about(line))}</p>'
    for part in parts(line):
        yield f"<p>{_text(part)}</p>"
    for question in line.questions:
        yield from _question(question, line)
    yield from _notes(line)
    if line.entry.sha256 is not None and not line.is_blank:
        name = PurePath(line.entry.file.replace("\\", "/")).name
        said = Text(RECEIPT, file=one_line(name), sha256=line.entry.sha256)
        yield f'<p class="receipt">{_text(translated(said, language_of(line)))}</p>'


def _question(question: Question, line: Line) -> Iterator[str]:
    if not line.is_blank:
        points = Text(
            "{earned} of {worth}",
            earned=as_text(Fraction(question.points)),
            worth=as_text(Fraction(question.worth)),
        )
        shown = f" <span>{_text(translated(points, language_of(line)))}</span>"
    else:
        shown = ""
    yield f"<h2><code>{_text(question.task)}</code>{shown}</h2>"
    yield "<ul>"
    first = next((c for c in question.checks if _explained(c)), None)
    told: set[str] = set()
    for check in question.checks:
        yield from _check(check, line, told, with_case=check is first)
    yield "</ul>"


def _check(check: Check, line: Line, told: set[str], *, with_case: bool) -> Iterator[str]:
    """The check's title; of one that was not passed the reason, and the case of the first."""
    kind, mark, spoken = MARKS.get(check.status, FAILED)
    spoken = _text(translated(spoken, language_of(line)))
    remark = LATER if kind == "later" else HIDDEN if check.hidden else ""
    after = f" ({_text(translated(remark, language_of(line)))})" if remark else ""
    yield f'<li class="{kind}"><span class="mark" role="img" aria-label="{spoken}">{mark}</span>'
    yield f"{_text(check.title)}{after}"
    if kind == "failed":
        if check.reason and not check.hidden:
            yield f"<p>{_text(check.reason)}</p>"
        if check.misconception and check.misconception not in told:
            told.add(check.misconception)
            yield f'<p class="mistake">{_text(check.misconception)}</p>'
        if with_case and check.case:
            lines = "\n".join(_aligned(text) for text in check.case)
            yield f"<pre>{_text(lines)}</pre>"
    yield "</li>"


def _aligned(text: str) -> str:
    """An array's further rows below its first."""
    return text.replace("\n", "\n" + " " * text.split("\n")[0].find("["))


def _explained(check: Check) -> bool:
    """Whether the student may read why it was not passed."""
    return not check.hidden and MARKS.get(check.status, FAILED) is FAILED


def _notes(line: Line) -> Iterator[str]:
    """What became of cells that did not run through; such a line may hold the student's words."""
    notes = line.record.notes if line.record and not line.is_blank else []
    if notes:
        yield f"<h2>{_text(translated(ABOUT_CELLS, language_of(line)))}</h2>"
        for note in notes:
            yield f"<p>{_text(note)}</p>"


def _text(text: str) -> str:
    return html.escape(visible(text))
