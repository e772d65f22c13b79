"""Build both books and make one site of them: `make book`.

_build/en and _build/ko are Jupyter Book's own folders, kept so that a second build reads only what
changed. _build/html is the site: a front door, en/, ko/, and what belongs to neither.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from course_site import front, lean
from course_site.languages import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = {"en": (), "ko": ("--config", "_config.ko.yml", "--toc", "_toc.ko.yml")}


def start(language: str, root: Path, output: Path) -> subprocess.Popen:
    """Start building one book, with warnings as errors."""
    jupyter_book = str(Path(sys.executable).with_name("jupyter-book"))
    command = [jupyter_book, "build", ".", "-W", "-n", "--keep-going", *OPTIONS[language]]
    return subprocess.Popen(
        [*command, "--path-output", str(output / language)],
        cwd=root,
        env=os.environ | {"PYTHONWARNINGS": "ignore", "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


def build_books(root: Path, output: Path) -> None:
    """Build both books at once; what a failing one said becomes the error."""
    processes = {language: start(language, root, output) for language in LANGUAGES}
    said = {language: process.communicate()[0] for language, process in processes.items()}
    failed = [language for language, process in processes.items() if process.returncode]
    for language in failed:
        # Otherwise a page that is not read again would not repeat its warning.
        shutil.rmtree(output / language / "_build" / ".doctrees", ignore_errors=True)
    if failed:
        raise RuntimeError("\n".join(said[language] for language in failed))


def build(root: Path, output: Path) -> Path:
    """Build the site of the repository at `root` below `output`, and return its folder."""
    build_books(root, output)
    site = output / "html"
    shutil.rmtree(site, ignore_errors=True)
    for language in LANGUAGES:
        front.adopt(output / language / "_build" / "html", site / language)
        lean.lighten(site / language, output / "figures")
    front.write(root, site)
    return site


def main() -> int:
    """Build the site; 1 when a book has a fault or a warning."""
    parser = argparse.ArgumentParser(description="Build both books and the site around them.")
    parser.add_argument("--output", type=Path, default=ROOT / "_build", help="default: _build")
    try:
        site = build(ROOT, parser.parse_args().output.resolve())
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"The site: {site / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
