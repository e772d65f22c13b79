"""Notebooks as files."""

import json
from pathlib import Path


def notebook(*sources: str, **top) -> str:
    """A notebook of code cells as Jupyter writes it."""
    cells = [
        {"cell_type": "code", "id": f"c{n}", "metadata": {}, "outputs": [], "source": source}
        for n, source in enumerate(sources)
    ]
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole | top, ensure_ascii=False, indent=1)


def write(path: Path, text: str | bytes) -> Path:
    """Store it, in a folder that is made if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path
