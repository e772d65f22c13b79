"""A learner has the wheel, NumPy, PyTorch, Matplotlib and a kernel, and all must work with it."""

import zipfile

import pytest
from packaging.requirements import Requirement

from tests.package.environments import (
    distribution_in,
    make_environment,
    needs,
    run,
    texts,
    texts_after_a_run,
)
from tools.normal_form import read
from tools.setup_cell import ROOT, needs_torch, repository, setup_cell

LESSONS = sorted(ROOT.glob("lessons/en/*.ipynb"))
NUMPY_LESSON = next(path for path in LESSONS if not needs_torch(read(path)))
TORCH_LESSON = min(  # one that trains nothing, if there is one
    (path for path in LESSONS if needs_torch(read(path))),
    key=lambda path: ("torch.optim" in path.read_text(encoding="utf-8"), path.name),
)
BESIDE_THE_WHEEL = ("numpy", "torch", "matplotlib", "ipykernel")

TWICE = """
import os
import sys
started = []
sys.addaudithook(lambda event, _: started.append(event) if event == "subprocess.Popen" else None)
source = {source!r}
exec(source)
print(len(started))
os.chdir(os.sep)
exec(source)
print(len(started))
import course_lib.reference
print(course_lib.__file__)
"""


@pytest.fixture(scope="module")
def learner(tmp_path_factory, wheel):
    """The Python of an environment as a learner has it."""
    return make_environment(tmp_path_factory.mktemp("learner") / "venv", BESIDE_THE_WHEEL, wheel)


def test_the_wheel_holds_the_library_with_its_data_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "course_lib",
        f"{wheel.name.removesuffix('-py3-none-any.whl')}.dist-info",
    }
    for path in (ROOT / "course_lib").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert path.relative_to(ROOT).as_posix() in names


def test_the_wheel_replaces_nothing_that_colab_has_imported(wheel):  # H15
    requirements = [Requirement(line) for line in distribution_in(wheel).requires]
    assert {"numpy", "torch", "matplotlib"} <= {requirement.name for requirement in requirements}
    for requirement in requirements:
        assert {specifier.operator for specifier in requirement.specifier} == {">="}
    colab = {"numpy": "2.1.3", "torch": "2.11.0", "matplotlib": "3.10.0"}
    for requirement in requirements:
        assert requirement.specifier.contains(colab.get(requirement.name, "99"))


@pytest.mark.parametrize("path", [NUMPY_LESSON, TORCH_LESSON], ids=["numpy", "torch"])
def test_a_lesson_runs_in_an_empty_folder_with_only_the_wheel(learner, path):  # H12
    notebook = read(path)
    stored = texts(notebook)
    assert texts_after_a_run(notebook, learner) == stored
    assert any(stored.values())


def test_where_the_package_is_installed_the_setup_cell_does_nothing(learner, tmp_path):
    source = setup_cell("en", torch=True)
    result = run(learner, TWICE.format(source=source), tmp_path)
    assert result.stderr == ""
    first, second, file = result.stdout.splitlines()
    assert (first, second) == ("0", "0")
    assert file.startswith(str(learner.parent.parent))
    assert list(tmp_path.iterdir()) == []


def test_the_setup_cell_installs_a_missing_package_once(  # H12, H13, H14, H17
    tmp_path, wheel
):
    names = {*needs(distribution_in(wheel)), "pip", "hatchling"}
    python = make_environment(tmp_path / "venv", names)
    archive = tmp_path / "archive" / "refs" / "heads" / "main.zip"
    archive.parent.mkdir(parents=True)
    with zipfile.ZipFile(archive, "w") as main:
        for path in (*ROOT.glob("course_lib/**/*"), *ROOT.glob("exercises/**/*")):
            main.write(path, f"main/{path.relative_to(ROOT)}")
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            main.write(ROOT / name, f"main/{name}")
    source = setup_cell("en", torch=False).replace(repository(), tmp_path.as_uri())
    # The second is how pip is told --no-build-isolation by a variable: "build isolation: no".
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}
    result = run(python, TWICE.format(source=source), tmp_path, **offline)
    assert result.stderr == ""
    first, second, file = result.stdout.splitlines()
    assert int(first) > 0
    assert second == first
    assert file.startswith(str(tmp_path / "venv"))  # of this Python, whatever pip the shell has
    assert {path.name for path in tmp_path.iterdir()} == {"archive", "venv"}


@pytest.mark.parametrize("torch", [False, True])
def test_without_package_and_network_the_setup_cell_says_what_to_do_and_what_pip_said(  # H12
    tmp_path, torch
):
    python = make_environment(tmp_path / "venv", ("numpy", "pip"))
    offline = {"PIP_NO_INDEX": "1", "PIP_RETRIES": "0", "PIP_PROXY": "http://127.0.0.1:9"}
    result = run(python, setup_cell("en", torch=torch), tmp_path, **offline)
    assert (result.returncode, result.stderr) == (0, "")
    line, *reason = result.stdout.splitlines()
    assert f'pip install "attention-recomputed{"[torch]" if torch else ""} @ {repository()}' in line
    assert "ProxyError" in "\n".join(reason)


def test_where_there_is_no_pip_the_setup_cell_says_so(tmp_path):
    python = make_environment(tmp_path / "venv", ())
    result = run(python, setup_cell("en", torch=False), tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert "No module named pip" in result.stdout


def test_what_pip_installs_for_the_user_alone_is_found_without_a_restart(tmp_path, wheel):
    python = make_environment(tmp_path / "venv", ("pip", *needs(distribution_in(wheel))))
    settings = tmp_path / "venv" / "pyvenv.cfg"
    seen = settings.read_text().replace("site-packages = false", "site-packages = true")
    settings.write_text(seen)  # no user's folder in an environment that sees no other
    archive = f"{repository()}/archive/refs/heads/main.zip"
    source = setup_cell("en", torch=False).replace(archive, wheel.as_uri())
    user = str(tmp_path / "user")
    for_the_user = {"PIP_USER": "1", "PYTHONUSERBASE": user, "PYTHONNOUSERSITE": ""}
    result = run(python, TWICE.format(source=source), tmp_path, **for_the_user, PIP_NO_INDEX="1")
    assert result.stderr == ""
    first, second, file = result.stdout.splitlines()
    assert second == first
    assert file.startswith(user)
