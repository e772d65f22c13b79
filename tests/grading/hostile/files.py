"""Notebooks as files, and what they answer."""

import json
from pathlib import Path

from course_lib.grading.choosing import Answer, answers
from course_lib.grading.exercise import Exercise
from course_lib.grading.submissions import Submission, student_of
from tests.grading.hostile.kinds import GOOD


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


DONE = notebook(GOOD)


def answer_of(path: Path, exercise: Exercise) -> Answer:
    """The one answer of the submission that lies there."""
    (only,) = answers(Submission(student_of(path.name), path), [exercise])
    return only
