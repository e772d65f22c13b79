"""The Python that a worker runs: which interpreter, which folders, which settings."""

import os
import sys
from pathlib import Path

# One thread, one hash seed, one locale: the same submission gives the same answers.
SETTINGS = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "PYTHONUTF8": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OMP_THREAD_LIMIT": "1",  # more, if a cell had them, would be waited for in vain in a fork
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": "/tmp",
}
KEPT = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")  # without these some machines compute wrongly

PACKAGES = ("site-packages", "dist-packages")

# -S and -P: no site-packages but those that are named, no module of the working folder.
BOOT = (
    "import sys; sys.path[:0] = sys.argv[2:]; import runpy; "
    "runpy.run_module(sys.argv[1], run_name='__main__', alter_sys=True)"
)
WORKER = "course_lib.grading.worker"


def interpreter() -> Path:
    """The interpreter itself, behind the links of a virtual environment."""
    return Path(sys.executable).resolve()


def packages() -> list[Path]:
    """The folders of installed packages that this Python imports from."""
    folders = [Path(entry) for entry in sys.path if Path(entry).name in PACKAGES]
    return [folder for folder in folders if folder.is_dir()]


def package_parts() -> list[str]:
    """What lies in the folders of packages, less the course itself, which brings its checks."""
    own = ("course_lib", "exercises")
    parts = [part for folder in packages() for part in folder.iterdir() if part.name not in own]
    return sorted(str(part) for part in parts if not part.name.startswith("__"))


def settings() -> dict[str, str]:
    """All environment variables of the worker."""
    return SETTINGS | {name: os.environ[name] for name in KEPT if name in os.environ}


def command(module: str, library: str, folders: list[str]) -> list[str]:
    """What runs a module, with the folders that it imports from, its own library first."""
    return [str(interpreter()), "-S", "-s", "-P", "-B", "-c", BOOT, module, library, *folders]
