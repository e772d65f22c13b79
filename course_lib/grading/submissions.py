"""The submissions of a folder, with whatever names and damage they have.

Each thing in the folder is one student's: a notebook, a .py file, a zip or a folder of these. Names
are compared in one Unicode form and never used as a pattern. What a platform keeps beside the code
of a student whom it numbers, a report or a text, is no submission of its own.
"""

import codecs
import os
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from course_lib.grading.cells import LARGEST

CODE = (".ipynb", ".py")
NOT_SUBMISSIONS = (".csv", ".yml", ".yaml", ".xlsx")  # lists that a platform puts beside them
CLUTTER = ("__MACOSX", "__pycache__", "site-packages", "desktop.ini", "Thumbs.db")

# Canvas: doejane_LATE_12345_67890_ex04-1.ipynb; Moodle: 홍길동_1234567_assignsubmission_file_, a
# folder, or the beginning of a file's name
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_.+")
MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_.*")


class Member(NamedTuple):
    """One file of a submission."""

    name: str
    data: bytes


class Submission(NamedTuple):
    """All that lies in the folder for one student."""

    student: str
    path: Path

    @property
    def name(self) -> str:
        """What it is called, readable."""
        return _normal(self.path.name)

    def members(self) -> Iterator[Member]:
        """Its files of code; ValueError or OSError with the cause where they can't be read."""
        left = LARGEST  # for all of them, which the judge holds in memory
        has_notebook = False
        for read in (_members_of_file, _renamed_notebooks):
            for member in () if has_notebook else self._files(read):
                has_notebook |= is_notebook(member.name)
                left -= len(member.data)
                if left < 0:
                    raise ValueError(f"{self.name} holds more than {LARGEST} bytes of code")
                yield member

    def _files(self, read: Callable[[Path, str], Iterator[Member]]) -> Iterator[Member]:
        if self.path.is_symlink():
            raise ValueError(f"{self.name} is a link; only files and folders are read")
        if self.path.is_dir():
            for path in sorted(self.path.rglob("*"), key=lambda path: _normal(str(path))):
                inside = path.relative_to(self.path)
                if path.is_file() and not path.is_symlink() and not _is_clutter(inside):
                    yield from read(path, str(inside))
        else:
            if not self.path.is_file():  # a pipe, say, that nobody writes to
                raise ValueError(f"{self.name} is neither a file nor a folder")
            yield from read(self.path, self.path.name)


def submissions(folder: Path) -> list[Submission]:
    """Everything in the folder that may be a submission, in the order of the names."""
    if folder.is_file():
        return [Submission(student_of(folder.name), folder.resolve())]
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder}")
    found = [
        Submission(student_of(path.name), path)
        for path in folder.iterdir()
        if not _is_clutter(Path(path.name)) and (path.is_dir() or not _is_list(path))
    ]
    with_code = {one.student for one in found if _is_numbered(one) and _may_hold_code(one.path)}
    kept = [one for one in found if one.student not in with_code or _may_hold_code(one.path)]
    return sorted(kept, key=lambda one: (one.student, _normal(one.path.name), one.path.name))


def student_of(name: str) -> str:
    """Whose submission a file or folder of this name is, in the form that platforms export."""
    stem = _stem(name)
    known = MOODLE.fullmatch(stem) or CANVAS.fullmatch(stem)
    return f"{known['name']}_{known['id']}" if known else stem.strip()


def _stem(name: str) -> str:
    stem = _normal(name).strip()
    for suffix in (".zip", *CODE):
        if stem.lower().endswith(suffix):
            stem = stem[: -len(suffix)]
    return stem


def _is_numbered(submission: Submission) -> bool:
    """Whether a platform numbered the student, so that all of that number is of one person."""
    return submission.student != _stem(submission.path.name).strip()


def _may_hold_code(path: Path) -> bool:
    """Whether it is a file of code or an archive, or a folder with one: not the report beside."""
    try:
        files = path.rglob("*") if path.is_dir() else [path]
        return any(
            file.suffix.strip().lower() in (".zip", *CODE)
            or any(_renamed_notebooks(file, file.name))
            for file in files
            if file.is_file()  # a pipe would be waited for
        )
    except OSError:  # a folder that is closed to us: who reads its files says so
        return True


def is_notebook(name: str) -> bool:
    """Whether a file of this name is a notebook, however its ending is written."""
    return name.strip().lower().endswith(".ipynb")


def is_script(name: str) -> bool:
    """Whether a file of this name is plain Python."""
    return name.strip().lower().endswith(".py")


def _members_of_file(path: Path, name: str) -> Iterator[Member]:
    suffix = path.suffix.strip().lower()
    name = _normal(name).strip()
    if suffix == ".zip":
        yield from _members_of_zip(path)
    elif suffix in CODE:
        if path.stat().st_size > LARGEST:
            raise ValueError(f"{name} has {path.stat().st_size} bytes, more than {LARGEST}")
        yield Member(name, path.read_bytes())


def _renamed_notebooks(path: Path, name: str) -> Iterator[Member]:
    """Notebooks whose name a browser or a drive has changed, as in ex04.ipynb의 사본."""
    name = _normal(name).strip()
    with suppress(Exception):  # a picture, say, that nobody would have read
        if path.suffix.strip().lower() != ".zip":
            with path.open("rb") as file:
                data = _json_object(file.read, LARGEST)
            if _looks_like_notebook(data):
                yield Member(name, data)
            return
        left = LARGEST  # for all of them, since a small archive can unpack to any size
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                inside = _name_in_zip(info)
                if not info.is_dir() and not _is_clutter(Path(inside)):
                    with archive.open(info) as file:
                        data = _json_object(file.read, left)
                    left -= len(data)
                    if _looks_like_notebook(data):
                        yield Member(f"{name} → {inside}", data)


def _json_object(read: Callable[[int], bytes], most: int) -> bytes:
    """As much of a file as may be read, if it begins like an object in JSON; else nothing."""
    start = read(min(64, most))
    if start.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"):
        return start + read(most - len(start))
    return b""


def _looks_like_notebook(data: bytes) -> bool:
    """Whether it names what every notebook has; a list of packages may name nbformat alone."""
    return b'"nbformat"' in data and any(key in data for key in (b'"cells"', b'"worksheets"'))


def _members_of_zip(path: Path) -> Iterator[Member]:
    """The code in an archive, as long as it unpacks to no more than a file may have."""
    left, name = LARGEST, _normal(path.name)
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                inside = Path(_name_in_zip(info))
                if (
                    info.is_dir()
                    or _is_clutter(inside)
                    or inside.suffix.strip().lower() not in CODE
                ):
                    continue
                with archive.open(info) as file:
                    data = file.read(left + 1)
                left -= len(data)
                if left < 0:
                    raise ValueError(f"{name} unpacks to more than {LARGEST} bytes")
                yield Member(f"{name} → {inside}".strip(), data)
    except ValueError:
        raise
    except Exception as error:  # each way of packing has exceptions of its own
        raise ValueError(f"{name} cannot be unpacked: {error}") from None


def _name_in_zip(info: zipfile.ZipInfo) -> str:
    """Names that do not say they are UTF-8 come from Windows; on Korean Windows they are CP949."""
    name = info.filename
    if not info.flag_bits & 0x800:
        name = _decoded(name.encode("cp437", errors="replace"))
    return _normal(name).replace("\\", "/")  # as Windows' own Compress-Archive parts folders


def _is_list(path: Path) -> bool:
    return path.suffix.lower() in NOT_SUBMISSIONS


def _is_clutter(path: Path) -> bool:
    hidden = (part.startswith(".") and part != ".." for part in path.parts)  # .ipynb_checkpoints
    return any(hidden) or any(part in CLUTTER for part in path.parts)


def _normal(name: str) -> str:
    """The name in Unicode's composed form, and whole.

    What the system could not decode, it left as bytes: UTF-8 on a machine whose locale is C, CP949
    from Korean Windows.
    """
    if any("\ud800" <= sign <= "\udfff" for sign in name):
        name = _decoded(os.fsencode(name))
    return unicodedata.normalize("NFC", name)


def _decoded(raw: bytes) -> str:
    for encoding in ("utf-8", "cp949"):
        with suppress(UnicodeDecodeError):
            return raw.decode(encoding)
    return raw.decode("ascii", errors="backslashreplace")
