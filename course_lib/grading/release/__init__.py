"""What an instructor hands out, and the kit that grades what comes back.

`students/` may be given to anybody. `instructor/` holds solutions among the example submissions,
and the course's secret in the autograder's archive, if there is one: keep it to yourself.
"""

from pathlib import Path

from course_lib.grading.exercise import Exercise
from course_lib.grading.record import write_whole
from course_lib.grading.release import autograder, examples, workflow
from course_lib.grading.release.notebooks import notebook_of, repository_of
from course_lib.grading.release.templates import filled


def release(exercises: list[Exercise], out: Path, language: str, secret: Path | None) -> None:
    """Write `students/` and `instructor/`, each with a folder for every exercise.

    ValueError, before anything is written, where the exercises lack their notebooks or solutions.
    """
    repository = repository_of(exercises[0])
    notebooks = {exercise.name: notebook_of(exercise, language) for exercise in exercises}
    for exercise in exercises:
        notebook = notebooks[exercise.name]
        for_students(exercise, notebook, out / "students" / exercise.name, language)
        kit = out / "instructor" / exercise.name
        write_bytes(kit / "autograder.zip", autograder.archive(exercise, repository, secret))
        write_whole(kit / "classroom.yml", workflow.text(exercise, notebook, repository))
        for name, data in examples.submissions(exercise, notebook).items():
            write_bytes(kit / "examples" / name, data)
        table = "\n".join(f"| {name} | {what} |" for name, what in examples.EXPECTED.items())
        values = {"exercise": exercise.name, "short": short_name(exercise), "table": table}
        write_whole(kit / "README.md", filled("instructor.md", **values))


def for_students(exercise: Exercise, notebook: Path, folder: Path, language: str) -> None:
    """The notebook as it is, with its functions still to be written, and how to hand it in."""
    write_bytes(folder / notebook.name, notebook.read_bytes())
    values = {"notebook": notebook.name, "exercise": exercise.name}
    write_bytes(folder / "README.md", filled(f"students.{language}.md", **values).encode())


def short_name(exercise: Exercise) -> str:
    """Such as ex04."""
    return exercise.name.split("_")[0]


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file into a folder that may not be there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
