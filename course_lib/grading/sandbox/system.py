"""Folders of the machine that an interpreter needs to run at all."""

import sys
from pathlib import Path

from course_lib.grading.sandbox.environment import interpreter

SHARED = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")


def folders_of_python() -> list[str]:
    """The interpreter's own folders, and those of the shared libraries that it loads."""
    base = Path(sys.base_prefix)
    own = [base / "lib", interpreter().parent]
    present = [path.resolve() for path in [*own, *map(Path, SHARED)] if path.is_dir()]
    return sorted({str(path) for path in present})
