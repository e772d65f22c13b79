"""What every run leaves beside its records: the gradebook, reports, and Gradescope's results."""

from pathlib import Path

from course_lib.grading.exports import gradebook, gradescope, student_report
from course_lib.grading.exports.lines import lines_of
from course_lib.grading.record import Record, Results, write_whole


def write_standard(results: Results) -> None:
    """Write gradebook.csv, reports/ and gradescope/ anew from the records."""
    lines = lines_of(results)
    write_whole(results.folder / "gradebook.csv", gradebook.text(lines))
    for line in lines:
        if line.entry.sha256 is not None:
            name = f"{line.entry.exercise}/{line.entry.sha256}.json"
            _write_gradescope(results.folder / "gradescope" / name, line.record)
    student_report.write_all(results)


def _write_gradescope(path: Path, record: Record | None) -> None:
    """The result of a submission; without a record, an older one must not stay."""
    if record is None:
        path.unlink(missing_ok=True)
    else:
        write_whole(path, gradescope.as_json(record))
