"""What the Korean edition lacks, and where the English has changed since. `make translations`.

A Korean cell, page or claim carries the hash of the English text that it was written from, under
the name "translates". Whoever changes the English finds the Korean named here, revises it, and
accepts the present English with `--stamp`.
"""

import argparse
import ast
import hashlib
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from tools import setup_cell
from tools.normal_form import read, tags, write

ROOT = Path(__file__).resolve().parent.parent
STALE = "the English has changed since, or was never compared"
STAMP = re.compile(r"(?m)^(---\n|<!-- )?translates: ([0-9a-f]*)")
SECTION = re.compile(r"(?m)^\[(\w+)\]\n")


def originals(root: Path = ROOT) -> list[Path]:
    """Everything in English that has a Korean twin, or should have one."""
    patterns = ("book/en/*.*", "book/claims.toml", "lessons/en/*.ipynb", "exercises/*/*.en.ipynb")
    return [path for pattern in patterns for path in sorted(root.glob(pattern))]


def twin(original: Path) -> Path:
    """Where the Korean of an English file stands."""
    if original.name == "claims.toml":
        return original.with_name("claims.ko.toml")
    if original.parent.name == "en":
        return original.parent.with_name("ko") / original.name
    return original.with_name(original.name.replace(".en.", ".ko."))


def digest(text: str) -> str:
    """The hash of an English text that its translation carries."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def faults(original: Path) -> list[str]:
    """What the twin of an English file lacks, and what in it is stale."""
    korean = twin(original)
    if not korean.exists():
        return ["missing"]
    if original.suffix == ".ipynb":
        return list(_notebook_faults(original, korean))
    if original.suffix == ".toml":
        return list(_claim_faults(original, korean))
    stamp = STAMP.search(korean.read_text(encoding="utf-8"))
    present = digest(original.read_text(encoding="utf-8"))
    return [] if stamp and stamp[2] == present else [STALE]


def _notebook_faults(original: Path, korean: Path) -> Iterator[str]:
    ours, theirs = read(original).cells, read(korean).cells
    if (ids := [cell.id for cell in ours]) != (found := [cell.id for cell in theirs]):
        yield from (f"cell {key}: missing" for key in ids if key not in found)
        yield from (f"cell {key}: not in the English" for key in found if key not in ids)
        if sorted(ids) == sorted(found):
            yield "the cells stand in another order"
    twins = {cell.id: cell for cell in theirs}
    for cell in ours:
        if cell.id in twins:
            for fault in _cell_faults(cell, twins[cell.id], original):
                yield f"cell {cell.id}: {fault}"


def _cell_faults(cell: NotebookNode, other: NotebookNode, original: Path) -> Iterator[str]:
    if cell.cell_type != other.cell_type:
        yield f"{other.cell_type}, not {cell.cell_type}"
        return
    if tags(cell) != tags(other):
        yield f"has the tags {tags(other)}, not {tags(cell)}"
    if cell.cell_type == "code" and not _same_code(cell, other, original):
        yield "the code differs"
    if bool(alt(cell)) != bool(alt(other)):
        yield "one of the two has an alternative text"
    text = to_translate(cell, original)
    if (stamp := other.metadata.get("translates")) != (digest(text) if text else None):
        yield STALE if text else f"carries the hash {stamp} and has nothing to translate"


def _same_code(cell: NotebookNode, other: NotebookNode, original: Path) -> bool:
    """Alike but for the language that the setup cell sets, and an exercise's docstrings."""
    if cell.id == setup_cell.CELL_ID:
        return cell.source.replace('LANGUAGE = "en"', 'LANGUAGE = "ko"') == other.source
    if _has_docstring(cell, original):
        return _without_docstrings(cell.source) == _without_docstrings(other.source)
    return cell.source == other.source


def _without_docstrings(source: str) -> str:
    """The program, its docstrings and comments taken out."""
    try:
        module = ast.parse(source)
    except SyntaxError:
        return source
    for node in ast.walk(module):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(
            node
        ):
            node.body[0] = ast.Pass()
    return ast.dump(module)


def _has_docstring(cell: NotebookNode, original: Path) -> bool:
    in_exercise = original.name.endswith(".en.ipynb")
    return in_exercise and cell.cell_type == "code" and '"""' in cell.source


def alt(cell: NotebookNode) -> str:
    """The alternative text of the figure that a code cell draws."""
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")


def to_translate(cell: NotebookNode, original: Path) -> str:
    """What in an English cell has to be said in Korean: its text, docstrings, or figure."""
    if cell.cell_type == "markdown" or _has_docstring(cell, original):
        return cell.source
    return alt(cell)


def claim_text(claim: dict) -> str:
    """What in a claim of the ledger has to be said in Korean."""
    parts = [claim["text"], claim.get("course", ""), *claim.get("figures", [])]
    return "\n".join(parts)


def _claim_faults(original: Path, korean: Path) -> Iterator[str]:
    ours, theirs = (tomllib.loads(p.read_text(encoding="utf-8")) for p in (original, korean))
    yield from (f"{key}: missing" for key in ours.keys() - theirs.keys())
    yield from (f"{key}: not in the English" for key in theirs.keys() - ours.keys())
    for key in sorted(ours.keys() & theirs.keys()):
        if theirs[key].get("translates") != digest(claim_text(ours[key])):
            yield f"{key}: {STALE}"


def stamp(korean: Path, root: Path = ROOT) -> None:
    """Let a Korean file say that it translates the present English."""
    original = next((path for path in originals(root) if twin(path) == korean.resolve()), None)
    if original is None:
        raise ValueError(f"{korean} is the twin of no English file")
    if original.suffix == ".ipynb":
        notebook, english = read(korean), {cell.id: cell for cell in read(original).cells}
        for cell in notebook.cells:
            cell.metadata.pop("translates", None)
            if cell.id in english and (text := to_translate(english[cell.id], original)):
                cell.metadata["translates"] = digest(text)
        write(notebook, korean)
        return
    text = korean.read_text(encoding="utf-8")
    if original.suffix == ".toml":
        text = _stamped_claims(text, tomllib.loads(original.read_text(encoding="utf-8")))
    else:
        text = _stamped_page(text, original)
    korean.write_text(text, encoding="utf-8")


def _stamped_page(text: str, original: Path) -> str:
    line = f"translates: {digest(original.read_text(encoding='utf-8'))}"
    if STAMP.search(text):
        return STAMP.sub(rf"\g<1>{line}", text, count=1)
    return f"---\n{line}\n---\n\n{text}" if original.suffix == ".md" else f"<!-- {line} -->\n{text}"


def _stamped_claims(text: str, english: dict[str, dict]) -> str:
    text = re.sub(r'(?m)^translates = ".*"\n', "", text)

    def stamped(match: re.Match[str]) -> str:
        claim = english.get(match[1])
        return match[0] + (f'translates = "{digest(claim_text(claim))}"\n' if claim else "")

    return SECTION.sub(stamped, text)


def main() -> int:
    """List what is missing or stale; the exit status is 1 when there is anything."""
    parser = argparse.ArgumentParser(description="What the Korean edition lacks.")
    parser.add_argument("--stamp", type=Path, metavar="FILE", help="a Korean file, revised by now")
    if path := parser.parse_args().stamp:
        stamp(path)
        return 0
    found = {path: faults(path) for path in originals()}
    for path, texts in found.items():
        for text in texts:
            print(f"{twin(path).relative_to(ROOT)}: {text}")
    whole = sum(not texts for texts in found.values())
    print(f"{whole} of {len(found)} twins are complete and up to date")
    return int(whole < len(found))


if __name__ == "__main__":
    sys.exit(main())
