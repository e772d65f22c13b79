"""How long grading took: beside the records, which are the same whenever they are made."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from course_lib.grading.choosing import Answer
from course_lib.grading.record import write_whole


@contextmanager
def kept(results: Path, answer: Answer) -> Iterator[None]:
    """Store the seconds that the block took, under the name of the answer's record."""
    start = time.monotonic()
    yield
    seconds = {"seconds": round(time.monotonic() - start, 3)}
    path = results / "timings" / answer.exercise / f"{answer.sha256}.json"
    write_whole(path, json.dumps(seconds) + "\n")
