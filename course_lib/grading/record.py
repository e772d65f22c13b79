"""What grading one submission came to, as JSON that is the same whenever it is made again."""

import json
import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path

FORMAT = 1
BLANK = ("unreadable", "infra_error")  # nobody's fault is worth no points: these have none at all
STATUSES = ("graded", "missing", "timeout", "crashed", *BLANK)


@dataclass
class Check:
    """One check: its points, and what the student may read of it."""

    check: str
    title: str
    hidden: bool
    status: str
    points: str
    worth: str
    reason: str = ""
    misconception: str = ""
    case: list[str] = field(default_factory=list)  # the call, what it gave, what was expected


@dataclass
class Question:
    """One task of an exercise; its status is that of its worst check."""

    task: str
    status: str
    points: str
    worth: str
    checks: list[Check]


@dataclass
class Record:
    """One graded submission. Points are exact, such as "7/3"; None where there are none to give."""

    sha256: str
    exercise: str
    status: str
    graded_with: dict[str, str]
    points: str | None
    worth: str
    language: str = "en"
    reason: str = ""
    notes: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    format: int = FORMAT

    @property
    def is_blank(self) -> bool:
        """Whether it says nothing about the student's work."""
        return self.status in BLANK

    def as_json(self) -> str:
        """The record as text, always in the same order and form."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def from_json(text: str) -> Record:
    """The record that a text holds; ValueError if it is none of this format."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']}, not {FORMAT}")
        questions = [
            Question(**(q | {"checks": [Check(**c) for c in q["checks"]]}))
            for q in data["questions"]
        ]
        record = Record(**(data | {"questions": questions}))
        checks = [check for question in questions for check in question.checks]
        parts: list[Record | Question | Check] = [record, *questions, *checks]
        total(part.points for part in parts if part.points is not None)
        total(part.worth for part in parts)
    except (KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise ValueError(f"not a record: {type(error).__name__}: {error}") from None
    return record


def total(points: Iterable[str]) -> str:
    """The exact sum of points, as a whole number or a fraction in lowest terms."""
    return str(sum(map(Fraction, points), Fraction(0)))


def write_whole(path: Path, text: str) -> None:
    """Write a file so that, whatever happens, it holds all of the text or what it held before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


@dataclass
class Entry:
    """One line of the class: whose submission it is, and which record grades it.

    `sha256` is None, and `file` empty, for a student of the roster who handed in nothing.
    """

    student: str
    file: str
    exercise: str
    sha256: str | None
    note: str = ""


class Results:
    """A folder of results: `index.json` lists the class, `records/` holds what was graded.

    `parts.json` says which parts of the class it holds, such as "2/8", if it was parted.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def record_path(self, exercise: str, sha256: str) -> Path:
        """Where the record of a submission lies."""
        return self.folder / "records" / exercise / f"{sha256}.json"

    def record(self, exercise: str, sha256: str) -> Record | None:
        """The record of a submission, if it has been graded and can be read."""
        try:
            return from_json(self.record_path(exercise, sha256).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def save(self, record: Record) -> None:
        """Store a record in the place of any older one."""
        write_whole(self.record_path(record.exercise, record.sha256), record.as_json())

    def entries(self) -> list[Entry]:
        """The class, in the order of the gradebook."""
        path = self.folder / "index.json"
        text = path.read_text(encoding="utf-8")
        try:
            entries = [Entry(**entry) for entry in json.loads(text)]
            for entry in entries:
                if {type(entry.student), type(entry.file), type(entry.exercise)} != {str}:
                    raise TypeError(f"{entry} is no line of it")
            return entries
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path} lists no class: {error}") from None

    def save_entries(self, entries: list[Entry]) -> None:
        """Store the class."""
        data = [asdict(entry) for entry in entries]
        text = json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        write_whole(self.folder / "index.json", text)

    def parts(self) -> set[str]:
        """The parts of a class that lie here; none where the class was not parted."""
        path = self.folder / "parts.json"
        if not path.exists():
            return set()
        try:
            parts = json.loads(path.read_text(encoding="utf-8"))
            if not all(re.fullmatch(r"\d+/\d+", part) for part in parts):
                raise TypeError(f"{parts} are no parts of a class")
            return set(parts)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path} lists no parts such as 2/8: {error}") from None

    def save_parts(self, parts: set[str]) -> None:
        """Store them."""
        if parts != self.parts():
            write_whole(self.folder / "parts.json", json.dumps(sorted(parts)) + "\n")
