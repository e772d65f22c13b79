"""What every run leaves beside its records: the gradebook, reports, and Gradescope's results."""

from course_lib.grading.exports import gradebook, gradescope, student_report
from course_lib.grading.exports.lines import lines_of
from course_lib.grading.record import Results, write_whole


def write_standard(results: Results) -> None:
    """Write gradebook.csv, reports/ and gradescope/ anew from the records."""
    lines = lines_of(results)
    write_whole(results.folder / "gradebook.csv", gradebook.text(lines))
    for line in lines:
        if line.record is not None:
            name = f"{line.record.exercise}/{line.record.sha256}.json"
            write_whole(results.folder / "gradescope" / name, gradescope.as_json(line.record))
    student_report.write_all(results)
