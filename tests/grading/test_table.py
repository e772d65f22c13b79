"""The table that `grade run` prints: its columns stand below each other, also in Korean."""

from course_lib.grading.commands.table import MOST, table
from course_lib.grading.record import Entry, Record, Results
from course_lib.messages import columns


def printed(folder, students, reason=""):
    results = Results(folder)
    entries = []
    for number, student in enumerate(students):
        digest = f"{number:064}"
        record = Record(digest, "ex04_scaling", "unreadable", {}, None, "10", reason=reason)
        results.save(record)
        entries.append(Entry(student, "a.ipynb", record.exercise, record.sha256))
    results.save_entries(entries)
    return list(table(results))


def test_names_in_hangul_and_in_letters_take_their_columns(tmp_path):
    lines = printed(tmp_path, ["kim", "과제 1 - 홍길동"])
    starts = [columns(line[: line.index("ex")]) for line in lines]  # exercise, ex04_scaling
    assert starts == [columns("과제 1 - 홍길동") + 2] * 3


def test_what_is_too_long_is_cut_and_says_so(tmp_path):
    lines = printed(tmp_path, ["김" * 100, "b" * 100], reason="r" * 200)
    for line in lines[1:]:
        name, _, note = line.partition("  ex04_scaling  ")
        assert name.rstrip().endswith("…")
        assert columns(name) == MOST[0]
        assert note.endswith("r…")
        assert columns(note.split()[-1]) == MOST[-1]


def test_what_fits_is_whole(tmp_path):
    assert printed(tmp_path, ["kim"], reason="r" * MOST[-1])[1].endswith(" " + "r" * MOST[-1])
