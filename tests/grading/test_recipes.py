"""The page *For instructors*: its recipes are run as they stand, with stand-ins for schedulers."""

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
import yaml

from course_lib.grading import cli
from course_lib.grading.exercise import Exercise, find_exercise
from course_lib.grading.limits import Limits
from course_lib.grading.release import examples
from course_lib.grading.release.notebooks import notebook_of
from course_lib.grading.run import run_checks
from course_lib.grading.student import Student
from course_lib.reference import softmax
from tools.setup_cell import ROOT

PAGES = [ROOT / "book" / language / "for_instructors.md" for language in ("en", "ko")]
TEXT = PAGES[0].read_text(encoding="utf-8")
QUICK = ("right.ipynb", "과제 1 - 홍길동.ipynb", "truncated.ipynb")

STAND_INS = {
    # The submissions are our own, so they need no sandbox, and this machine need not be asked.
    "grade": f"""\
#!/usr/bin/env bash
unsafe=(); [ "$1" = run ] && unsafe=(--unsafe)
[ "$1" = doctor ] || exec {sys.executable} -m course_lib.grading.cli "$@" "${{unsafe[@]}}"
""",
    "sbatch": """\
#!/usr/bin/env bash
script="${@: -1}"
range="$(sed -n 's/^#SBATCH --array=//p' "$script")"
export SLURM_CPUS_PER_TASK="$(sed -n 's/^#SBATCH --cpus-per-task=//p' "$script")"
export SLURM_ARRAY_TASK_COUNT="${range#1-}"
for SLURM_ARRAY_TASK_ID in $(seq "${range#1-}"); do
  export SLURM_ARRAY_TASK_ID
  bash "$script"
done
""",
    "srun": '#!/usr/bin/env bash\nexec "$@"\n',
    "sudo": "#!/usr/bin/env bash\n",
    "pip": "#!/usr/bin/env bash\n",
}
DASK = """
class Client:
    def __init__(self, address): pass
    def map(self, function, values, retries): return [function(value) for value in values]
    def gather(self, futures): return futures
"""


def blocks(language):
    """The code blocks of the page in a language, in order."""
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", TEXT)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with submissions, a secret, and stand-ins on the path; what one run makes of it."""
    folder = tmp_path_factory.mktemp("recipes")
    (folder / "secret.txt").write_text("a secret\n", encoding="utf-8")
    (folder / "downloads").mkdir()
    exercise = find_exercise("ex04")
    made = examples.submissions(exercise, notebook_of(exercise, "en"))
    for name in QUICK:
        (folder / "downloads" / name).write_bytes(made[name])
    (folder / "bin").mkdir()
    for name, script in STAND_INS.items():
        (folder / "bin" / name).write_text(script, encoding="utf-8")
        (folder / "bin" / name).chmod(0o755)
    (folder / "dask").mkdir()
    (folder / "dask" / "distributed.py").write_text(DASK, encoding="utf-8")
    run(
        "grade run downloads --out whole --exercise ex04 --secret-file secret.txt || test $? -eq 1",
        folder,
        folder,
    )
    return folder


def run(script, cwd, place, **variables):
    """Run a script as a shell would, with the stand-ins first on the path."""
    path = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
    python_path = os.pathsep.join([str(place), str(ROOT)])
    environment = os.environ | {"PATH": path, "PYTHONPATH": python_path} | variables
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def gradebook(folder):
    return (folder / "gradebook.csv").read_bytes()


def with_submissions(place, folder):
    folder.mkdir()
    shutil.copytree(place / "downloads", folder / "downloads")
    shutil.copy(place / "secret.txt", folder)
    return folder


def test_a_slurm_array_comes_to_what_one_run_comes_to(place, tmp_path):
    script, typed = blocks("bash")
    folder = with_submissions(place, tmp_path / "cluster")
    (folder / "grade.sbatch").write_text(script, encoding="utf-8")
    for line in typed.strip().split("\n"):
        run(f"{line} || test $? -eq 1", folder, place)
    assert sorted(path.name for path in (folder / "shards").iterdir()) == ["1", "2", "3", "4"]
    assert gradebook(folder / "results") == gradebook(place / "whole")


def test_an_actions_matrix_comes_to_what_one_run_comes_to(place, tmp_path):
    (text,) = blocks("yaml")
    jobs = yaml.safe_load(text)["jobs"]
    matrix = jobs["shard"]["strategy"]["matrix"]["shard"]
    for shard in matrix:
        run_job(jobs["shard"], tmp_path / f"shard {shard}", place, tmp_path / "store", str(shard))
    assert jobs["merge"]["needs"] == "shard"
    run_job(jobs["merge"], tmp_path / "merge", place, tmp_path / "store", "")
    assert gradebook(tmp_path / "store" / "results") == gradebook(place / "whole")


def run_job(job, folder, place, store, shard):
    """The steps of a job in a folder of its own; artefacts go to `store` and come from there."""
    folder.mkdir()
    for step in job["steps"]:
        filled = json.loads(json.dumps(step).replace("${{ matrix.shard }}", shard))
        given = filled.get("with", {})
        match filled.get("uses", "").split("@")[0]:
            case "":
                secret = (place / "secret.txt").read_text(encoding="utf-8").strip()
                run(filled["run"], folder, place, COURSE_SECRET=secret)
            case "actions/checkout":
                shutil.copytree(place / "downloads", folder / "downloads")
            case "actions/upload-artifact":
                shutil.copytree(folder / given["path"], store / given["name"])
            case "actions/download-artifact":
                for artefact in store.iterdir():
                    if fnmatch.fnmatch(artefact.name, given["pattern"]):
                        shutil.copytree(artefact, folder / given["path"], dirs_exist_ok=True)


def test_dask_comes_to_what_one_run_comes_to(place, tmp_path):
    (program,) = blocks("python")
    folder = with_submissions(place, tmp_path / "cluster")
    (folder / "grade_all.py").write_text(program, encoding="utf-8")
    run(f"{sys.executable} grade_all.py", folder, place)
    assert gradebook(folder / "results") == gradebook(place / "whole")


def test_the_run_that_they_are_compared_with_graded_all(place):
    text = gradebook(place / "whole").decode("utf-8-sig")
    assert text.count("graded,10,") == 2
    assert text.count("unreadable,,") == 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_every_command_on_the_page_is_one_that_grade_understands(page):
    text = page.read_text(encoding="utf-8")
    lines = re.sub(r" \\\n\s*", " ", text).split("\n")
    typed = [line.split("||")[0] for line in lines if re.match(r"\s*grade [a-z]", line)]
    assert len(typed) >= 10
    for line in typed:
        filled = re.sub(r"\$\{\{ [\w.]+ \}\}|\$\w+", "1", line)
        cli.parser().parse_args(shlex.split(filled)[1:])


def test_both_pages_have_the_same_commands():
    one, two = (re.findall(r"(?ms)^```.*?^```", page.read_text("utf-8")) for page in PAGES)
    assert one == two


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_page_names_every_limit_as_it_is(page):
    limits = Limits()
    lines = page.read_text(encoding="utf-8").split("\n")
    (said,) = (line for line in lines if f"{limits.megabytes} MB" in line)
    assert set(re.findall(r"\d+", said)) == {f"{limit:g}" for limit in limits}


def test_the_check_on_the_page_runs_in_a_file_of_its_own(tmp_path):
    (check,) = (block for block in blocks("text") if "@points" in block)
    (tmp_path / "checks.py").write_text(check, encoding="utf-8")
    (outcome,) = run_checks(Exercise(tmp_path), Student({"softmax": softmax}), phase="all")
    assert outcome.passed, outcome.reason
