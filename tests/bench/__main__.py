"""Print the table of ratios: `python -m tests.bench`, or with topics, `… reference`.

A topic is a module of this folder with a function `rows()`. Nothing here is asserted: a ratio over
its limit is marked, for someone to look at on a quiet machine.
"""

import os
import platform
import sys
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parent
TOPICS = sorted({p.stem for p in FOLDER.glob("[!_]*.py")} - {"measure", "test_bench"})


def main(topics: list[str]) -> None:
    threads = os.environ.setdefault("OMP_NUM_THREADS", "1")  # before anything imports NumPy
    print(
        f"{platform.machine()}, Python {platform.python_version()}, {threads} thread(s) of "
        "linear algebra, processor time unless a row says by the clock\n"
    )
    print(f"{'ratio':>6} {'limit':>6} {'ours, ms':>9}  what, and what it is compared with")
    for topic in topics:
        for row in import_module(f"tests.bench.{topic}").rows():
            mark = "  OVER" if row.ratio > row.limit else ""
            print(
                f"{row.ratio:6.2f} {row.limit:6.2f} {row.milliseconds:9.2f}  {row.what}, "
                f"against {row.compared_with}{mark}"
            )


if __name__ == "__main__":
    main(sys.argv[1:] or TOPICS)
