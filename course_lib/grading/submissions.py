"""The submissions of a folder, with whatever names and damage they have.

Each thing in the folder is one student's: a notebook, a .py file, a zip or a folder of these. Names
are compared in one Unicode form and never used as a pattern.
"""

import re
import unicodedata
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from course_lib.grading.cells import LARGEST

CODE = (".ipynb", ".py")
NOT_SUBMISSIONS = (".csv", ".yml", ".yaml", ".xlsx")  # lists that a platform puts beside them
CLUTTER = ("__MACOSX", "__pycache__", ".ipynb_checkpoints")

# Canvas: doejane_LATE_12345_67890_ex04-1.ipynb; Moodle: 홍길동_1234567_assignsubmission_file_
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_.+")
MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_\w+")


class Member(NamedTuple):
    """One file of a submission."""

    name: str
    data: bytes


class Submission(NamedTuple):
    """All that lies in the folder for one student."""

    student: str
    path: Path

    def members(self) -> Iterator[Member]:
        """Its files of code; ValueError or OSError with the cause where they can't be read."""
        if self.path.is_dir():
            for path in sorted(self.path.rglob("*"), key=lambda path: _normal(str(path))):
                inside = path.relative_to(self.path)
                if path.is_file() and not path.is_symlink() and not _is_clutter(inside):
                    yield from _members_of_file(path, str(inside))
        else:
            yield from _members_of_file(self.path, self.path.name)


def submissions(folder: Path) -> list[Submission]:
    """Everything in the folder that may be a submission, in the order of the names."""
    if folder.is_file():
        return [Submission(student_of(folder.name), folder)]
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder}")
    found = [
        Submission(student_of(path.name), path)
        for path in folder.iterdir()
        if not _is_clutter(Path(path.name)) and path.suffix.lower() not in NOT_SUBMISSIONS
    ]
    return sorted(found, key=lambda one: (one.student, _normal(one.path.name), one.path.name))


def student_of(name: str) -> str:
    """Whose submission a file or folder of this name is, in the form that platforms export."""
    stem = _normal(name)
    for suffix in (*CODE, ".zip"):
        stem = stem.removesuffix(suffix)
    known = MOODLE.fullmatch(stem) or CANVAS.fullmatch(stem)
    return f"{known['name']}_{known['id']}" if known else stem.strip()


def _members_of_file(path: Path, name: str) -> Iterator[Member]:
    suffix = path.suffix.strip().lower()
    if suffix == ".zip":
        yield from _members_of_zip(path)
    elif suffix in CODE:
        if path.stat().st_size > LARGEST:
            raise ValueError(f"{name} has {path.stat().st_size} bytes, more than {LARGEST}")
        yield Member(_normal(name).strip(), path.read_bytes())


def _members_of_zip(path: Path) -> Iterator[Member]:
    """The code in an archive, as long as it unpacks to no more than a file may have."""
    left = LARGEST
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                inside = Path(_name_in_zip(info))
                if info.is_dir() or _is_clutter(inside) or inside.suffix.lower() not in CODE:
                    continue
                with archive.open(info) as file:
                    data = file.read(left + 1)
                left -= len(data)
                if left < 0:
                    raise ValueError(f"{path.name} unpacks to more than {LARGEST} bytes")
                yield Member(f"{path.name} → {inside}", data)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise ValueError(f"{path.name} cannot be unpacked: {error}") from None


def _name_in_zip(info: zipfile.ZipInfo) -> str:
    """Names that do not say they are UTF-8 come from Windows; on Korean Windows they are CP949."""
    if info.flag_bits & 0x800:
        return _normal(info.filename)
    raw = info.filename.encode("cp437", errors="replace")
    for encoding in ("utf-8", "cp949"):
        try:
            return _normal(raw.decode(encoding))
        except UnicodeDecodeError:
            continue
    return info.filename


def _is_clutter(path: Path) -> bool:
    return any(part.startswith(".") or part in CLUTTER for part in path.parts)


def _normal(name: str) -> str:
    return unicodedata.normalize("NFC", name)
