"""The archive that Gradescope unpacks: how to set up, how to grade, and this very course_lib.

https://gradescope-autograders.readthedocs.io/en/latest/specs/ says which files it must hold.
"""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

from course_lib.grading.exercise import Exercise
from course_lib.grading.release.notebooks import needs_torch, notebook_of
from course_lib.grading.release.templates import filled

EPOCH = (1980, 1, 1, 0, 0, 0)  # of all files, so that the same archive comes out again
EXECUTABLE, ORDINARY = 0o755, 0o644
OF_THE_PACKAGE = ("pyproject.toml", "README.md", "LICENSE")
OF_AN_EXERCISE = ("checks.py", "misconceptions.py")


def archive(exercise: Exercise, repository: Path, secret: Path | None) -> bytes:
    """The archive. Without a secret the inputs of hidden checks are those of everybody's copy."""
    short = exercise.name.split("_")[0]
    extra = "[torch]" if needs_torch(notebook_of(exercise, "en")) else ""
    option = ' --secret-file "$AUTOGRADER/source/secret.txt"' if secret else ""
    scripts = {
        "setup.sh": filled("setup.sh", extra=extra),
        "run_autograder": filled("run_autograder", exercise=short, secret=option),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in scripts.items():
            _add(archive, name, text.encode(), EXECUTABLE)
        if secret is not None:
            _add(archive, "secret.txt", secret.read_bytes(), ORDINARY)
        for path in _package(repository):
            name = path.relative_to(repository).as_posix()
            _add(archive, f"package/{name}", path.read_bytes(), ORDINARY)
    return packed.getvalue()


def _package(repository: Path) -> Iterator[Path]:
    """What pip needs to install the package as it is here, without notebooks and solutions."""
    yield from (repository / name for name in OF_THE_PACKAGE)
    for path in sorted((repository / "course_lib").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path
    for folder in sorted((repository / "exercises").glob("ex*/")):
        yield from (folder / name for name in OF_AN_EXERCISE)


def _add(archive: zipfile.ZipFile, name: str, data: bytes, mode: int) -> None:
    info = zipfile.ZipInfo(name, EPOCH)
    info.external_attr = mode << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)
