"""What is handed out holds no solution; the kit sets up, grades, and has examples to try."""

import ast
import io
import json
import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from course_lib.grading import cli
from course_lib.grading.cells import cells_of
from course_lib.grading.exercise import Exercise, exercises, find_exercise
from course_lib.grading.notebook import report
from course_lib.grading.release import autograder, examples, release
from course_lib.grading.release.notebooks import notebook_of, repository_of
from course_lib.grading.running import run_cells

EXERCISES = exercises()
ex04 = find_exercise("ex04")


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """The folder that `grade release ex04` wrote, with a secret."""
    folder = tmp_path_factory.mktemp("release")
    (folder / "secret.txt").write_text("a secret\n", encoding="utf-8")
    release([ex04], folder / "out", "en", folder / "secret.txt")
    return folder / "out"


@pytest.fixture(scope="module")
def archive(released):
    """The autograder's archive."""
    return zipfile.ZipFile(released / "instructor" / "ex04_scaling" / "autograder.zip")


def test_students_get_the_notebook_and_a_line_and_no_solution(released):
    folder = released / "students" / "ex04_scaling"
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "ex04_scaling.en.ipynb"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.iterdir())
    solution = (ex04.folder / "solution.py").read_text(encoding="utf-8")
    for node in ast.parse(solution).body:
        if isinstance(node, ast.FunctionDef):
            last = ast.get_source_segment(solution, node.body[-1])
            assert last is not None
            assert last not in text
    assert text.count("raise NotImplementedError") == 4
    assert "Hand in the notebook file itself" in text


def test_whoever_may_read_a_students_notebook_may_read_the_line_beside_it(released):
    files = (released / "students" / "ex04_scaling").iterdir()
    assert len({path.stat().st_mode for path in files}) == 1


def test_korean_students_get_a_korean_notebook_or_the_instructor_hears_that_there_is_none(
    tmp_path, refuses
):
    folder = tmp_path / "ex98_made"
    folder.mkdir()
    (folder / "ex98_made.en.ipynb").write_text("{}", encoding="utf-8")
    with refuses("ex98_made has no notebook ex98_made.ko.ipynb; there is ex98_made.en.ipynb"):
        notebook_of(Exercise(folder), "ko")
    with_korean = [e for e in EXERCISES if (e.folder / f"{e.name}.ko.ipynb").exists()]
    release(with_korean[:1], tmp_path / "out", "ko", None)
    (readme,) = (tmp_path / "out" / "students").glob("*/README.md")
    assert "제출한다" in readme.read_text(encoding="utf-8")


def test_the_installed_package_says_what_it_lacks_and_where_that_is(tmp_path, refuses):
    folder = tmp_path / "site-packages" / "course_lib" / "exercises" / "ex04_scaling"
    folder.mkdir(parents=True)
    with refuses("neither notebooks nor solutions: get the course's repository"):
        release([Exercise(folder)], tmp_path / "out", "en", None)
    assert not (tmp_path / "out").exists()


def test_a_release_is_the_same_to_the_byte_when_it_is_made_again(released, tmp_path):
    release([ex04], tmp_path, "en", released.parent / "secret.txt")
    for path in released.rglob("*"):
        if path.is_file():
            assert (tmp_path / path.relative_to(released)).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_each_exercise_has_all_the_examples(exercise):
    made = examples.submissions(exercise, notebook_of(exercise, "en"))
    assert list(made) == list(examples.EXPECTED)
    for name, data in made.items():
        if name.endswith((".ipynb", ".py")) and name != "truncated.ipynb":
            source = "\n".join(cells_of(data, name))
            assert ("raise NotImplementedError" in source) == (name == "nothing written.ipynb")
    with pytest.raises(ValueError, match="is not a notebook"):
        cells_of(made["truncated.ipynb"], "truncated.ipynb")


def points_of(made, name):
    """What the visible checks say of an example, run without a sandbox: it is our own code."""
    namespace, failed = run_cells(
        [cell for cell in cells_of(made[name], name) if not cell.lstrip().startswith("check(")]
    )
    return report("ex04", namespace).summary.split(" points")[0], failed


def test_the_examples_come_out_as_the_table_says():
    made = examples.submissions(ex04, notebook_of(ex04, "en"))
    whole = "8 of 8"
    for name, expected in examples.EXPECTED.items():
        if expected.startswith("all points") and not name.endswith(".zip"):
            assert points_of(made, name)[0] == whole, name
    with zipfile.ZipFile(io.BytesIO(made["zipped.zip"])) as packed:
        assert [Path(name).suffix for name in packed.namelist()] == [".ipynb"]
    assert points_of(made, "nothing written.ipynb")[0] == "0 of 8"
    assert points_of(made, "one mistake.ipynb")[0] == "7 of 8"
    _, failed = points_of(made, "syntax error.ipynb")
    assert [line.split(":")[0].split(" with ")[1] for line in failed] == ["SyntaxError"]


def test_the_archive_holds_its_two_scripts_at_the_top_and_no_solution(archive):
    names = archive.namelist()
    assert {"setup.sh", "run_autograder", "secret.txt"} == {n for n in names if "/" not in n}
    for name in ("setup.sh", "run_autograder"):
        assert archive.getinfo(name).external_attr >> 16 & stat.S_IXUSR
        script = archive.read(name).decode()
        assert script.startswith("#!/usr/bin/env bash\n")
        subprocess.run(["bash", "-n"], input=script.encode(), check=True)
    assert not [n for n in names if "solution" in n or n.endswith(".ipynb")]
    assert "package/exercises/ex04_scaling/checks.py" in names


def test_the_package_in_the_archive_installs_with_its_exercises(archive, tmp_path):
    archive.extractall(tmp_path)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path]
    subprocess.run([*command, tmp_path / "package"], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    inside = zipfile.ZipFile(wheel).namelist()
    assert "course_lib/exercises/ex04_scaling/checks.py" in inside
    assert "course_lib/grading/release/kit/setup.sh" in inside


def test_the_autograder_calls_grade_as_grade_understands_it(archive, tmp_path):
    archive.extractall(tmp_path / "source")
    grade = tmp_path / "venv" / "bin" / "grade"
    grade.parent.mkdir(parents=True)
    grade.write_text(f'#!/usr/bin/env bash\nprintf "%s\\n" "$@" > {tmp_path}/called\n')
    grade.chmod(0o755)
    variables = os.environ | {"AUTOGRADER": str(tmp_path)}
    subprocess.run(["bash", tmp_path / "source" / "run_autograder"], env=variables, check=True)
    called = (tmp_path / "called").read_text(encoding="utf-8").split("\n")[:-1]
    options = cli.parser().parse_args(called)
    assert (options.submission, options.exercise) == (tmp_path / "submission", "ex04")
    assert options.secret_file.read_text(encoding="utf-8") == "a secret\n"
    assert options.gradescope == tmp_path / "results" / "results.json"


def test_the_secret_is_in_the_autograder_alone(released, archive):
    assert archive.read("secret.txt") == b"a secret\n"
    for path in released.rglob("*"):
        if path.is_file() and path.suffix != ".zip":
            assert b"a secret" not in path.read_bytes()
    without = zipfile.ZipFile(io.BytesIO(autograder.archive(ex04, repository_of(ex04), None)))
    assert "secret.txt" not in without.namelist()
    assert b"--secret-file" not in without.read("run_autograder")


def test_the_workflow_runs_the_visible_checks_and_reports_them(released):
    text = (released / "instructor" / "ex04_scaling" / "classroom.yml").read_text(encoding="utf-8")
    (job,) = yaml.safe_load(text)["jobs"].values()
    steps = {step.get("id") or step.get("uses") or "install": step for step in job["steps"]}
    reporter = steps["classroom-resources/autograding-grading-reporter@v1"]
    # The reporter looks for <RUNNER>_RESULTS, in capitals, for each runner that it is told of.
    assert list(reporter["env"]) == [f"{reporter['with']['runners'].upper()}_RESULTS"]
    assert reporter["env"]["PRACTICE_RESULTS"] == "${{ steps.practice.outputs.result }}"
    typed = steps["practice"]["run"].split("\n")[0].removesuffix(" || true")
    options = cli.parser().parse_args([word.strip('"') for word in typed.split()[1:]])
    assert (str(options.submission), str(options.classroom)) == (
        "ex04_scaling.en.ipynb",
        "result.json",
    )


def test_release_as_it_is_typed(tmp_path, capsys):
    assert cli.main(["release", "ex04", "ex04", "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "for students:" in said
    assert "for you alone, with solutions:" in said
    readme = tmp_path / "out" / "instructor" / "ex04_scaling" / "README.md"
    for name, what in examples.EXPECTED.items():
        assert f"| {name} | {what} |" in readme.read_text(encoding="utf-8")
    notebook = tmp_path / "out" / "students" / "ex04_scaling" / "ex04_scaling.en.ipynb"
    assert json.loads(notebook.read_text(encoding="utf-8"))["nbformat"] == 4
