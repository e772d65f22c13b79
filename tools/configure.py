"""Set the repository's address in pyproject.toml and in all that repeats it. `make configure`."""

import re
import sys
from pathlib import Path

from tools.normal_form import read, write
from tools.setup_cell import CELL_ID, ROOT, notebooks, setup_cell_of

OWNER = r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}"
NAME = r"(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}"
ADDRESS = re.compile(rf"(?P<owner>{OWNER})/(?P<name>{NAME})")
# The files that hold the address beside the notebooks, and the line of each.
LINES = {
    "pyproject.toml": re.compile(r'^(Repository = ")[^"]*(")$', re.MULTILINE),
    "CITATION.cff": re.compile(r'^(repository-code: ")[^"]*(")$', re.MULTILINE),
}


def address(repo: str) -> str:
    """The address of the repository owner/name on GitHub."""
    if not ADDRESS.fullmatch(repo) or repo.endswith(".git"):
        raise ValueError(
            f"REPO must be owner/name as GitHub spells it, such as ada/attention; got {repo!r}"
        )
    return f"https://github.com/{repo}"


def set_lines(url: str) -> None:
    """Write the address into each file of LINES."""
    for name, line in LINES.items():
        path = ROOT / name
        text, count = line.subn(rf"\g<1>{url}\g<2>", path.read_text(encoding="utf-8"))
        if count != 1:
            raise ValueError(f"{name} has {count} lines for the repository's address, not 1")
        path.write_text(text, encoding="utf-8", newline="\n")


def render(path: Path) -> bool:
    """Write the setup cell of one notebook anew; False when it was right."""
    notebook = read(path)
    cells = [cell for cell in notebook.cells if cell.id == CELL_ID]
    if len(cells) != 1:
        raise ValueError(f"{path} has {len(cells)} cells with the id {CELL_ID!r}, not 1")
    cells[0].source = setup_cell_of(path, notebook)
    return write(notebook, path)


def main() -> int:
    """Set the address that the command line gives; 2 when it is none."""
    try:
        url = address(sys.argv[1] if len(sys.argv) == 2 else "")
        set_lines(url)
        changed = sum(render(path) for path in notebooks())
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"The repository is {url}; {changed} setup cells were written anew.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
