"""The repository's address stands in one place; `make configure` sets it there and everywhere."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.lessons.notebooks import code, markdown, notebook, setup
from tools.configure import LINES, address
from tools.normal_form import normalise, serialised
from tools.setup_cell import ROOT, needs_torch, repository, setup_cell
from tools.setup_cell import language as language_of

COPIED = ("pyproject.toml", "CITATION.cff")
NEW = "https://github.com/ada-l/attention_2.0"


@pytest.fixture
def clone(tmp_path):
    """A copy of the repository with two small notebooks."""
    for name in COPIED:
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    for path, language, torch in (
        ("lessons/en/01_numpy.ipynb", "en", False),
        ("lessons/ko/02_torch.ipynb", "ko", True),
        ("exercises/ex02/ex02.ko.ipynb", "ko", True),
    ):
        whole = notebook(
            markdown("question", "# Title"),
            setup(language=language, torch=torch),
            code("imports", "import torch" if torch else "import numpy"),
        )
        normalise(whole)
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_bytes(serialised(whole))
    return tmp_path


def configure(clone, *arguments: str) -> subprocess.CompletedProcess:
    """Run the tool in the copy."""
    return subprocess.run(
        [sys.executable, clone / "tools" / "configure.py", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(clone)},
    )


def contents(clone) -> dict:
    return {
        path: path.read_bytes()
        for path in clone.rglob("*")
        if path.suffix in (".toml", ".cff", ".ipynb")
    }


def test_the_address_is_set_everywhere_and_nothing_else_changes(clone):
    before = contents(clone)
    result = configure(clone, "ada-l/attention_2.0")
    assert (result.returncode, result.stderr) == (0, "")
    assert NEW in result.stdout
    assert "3 setup cells" in result.stdout
    for path, old in before.items():
        new = path.read_bytes()
        assert NEW.encode() in new, path
        assert new.replace(NEW.encode(), repository().encode()) == old


def test_setting_the_address_again_changes_nothing(clone):
    configure(clone, "ada-l/attention_2.0")
    before = contents(clone)
    result = configure(clone, "ada-l/attention_2.0")
    assert "0 setup cells" in result.stdout
    assert contents(clone) == before


@pytest.mark.parametrize(
    "repo",
    [
        "",
        "attention",
        "https://github.com/ada/attention",
        "ada/attention/main",
        "ada/attention.git",
        "-ada/attention",
        "ada-/attention",
        "ada/..",
        "ada/a b",
        "ada/어텐션",
        'ada/a"b',
        "ada/attention\n",
        "a" * 40 + "/attention",
    ],
)
def test_what_is_no_repository_is_refused_in_words(repo):
    with pytest.raises(ValueError, match="REPO must be owner/name"):
        address(repo)


def test_the_refusal_reaches_the_shell_and_changes_nothing(clone):
    before = contents(clone)
    for arguments in ([], [""], ["attention"]):
        result = configure(clone, *arguments)
        assert result.returncode == 2
        assert result.stderr.startswith("REPO must be owner/name")
        assert result.stdout == ""
    assert contents(clone) == before


def test_the_address_stands_where_configure_sets_it_and_nowhere_else():
    for name, line in LINES.items():
        assert repository() in line.search((ROOT / name).read_text(encoding="utf-8"))[0]
    folders = [path for path in ROOT.iterdir() if path.is_dir() and path.name[0] not in "._"]
    paths = [*ROOT.iterdir(), *(path for folder in folders for path in folder.rglob("*"))]
    texts = {".md", ".yml", ".toml", ".cff", ".py", ".html", ".js", ".txt"}
    naming = [
        path
        for path in paths
        if path.suffix in texts and repository() in path.read_text(encoding="utf-8")
    ]
    assert sorted(naming) == sorted(ROOT / name for name in LINES)


def test_whatever_the_repository_is_called_one_enters_the_folder_that_one_has_cloned():
    pages = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("book/*/*.md"))
    clones = re.findall(r"git clone \{\{ repository \}\}(.*)\ncd (.*)", pages)
    assert len(clones) == pages.count("git clone") == 4
    assert {folder.strip() for folder, _ in clones} == {entered for _, entered in clones}


@pytest.mark.parametrize(
    ("source", "torch"),
    [
        ("import torch", True),
        ("import numpy\nfrom torch import nn", True),
        ("from course_lib.nn import MultiHeadAttention", True),
        ("import course_lib.nn as cnn", True),
        ("from course_lib import nn, plot", True),
        ("import numpy\nfrom course_lib import plot", False),
        ("try:\n    import torch\nexcept ImportError:\n    torch = None", False),
        ("from course_lib.reference import softmax  # import torch", False),
    ],
)
def test_a_notebook_that_cannot_do_without_torch_installs_it(source, torch):
    assert needs_torch(notebook(setup(torch=not torch), code("imports", source))) == torch


def test_the_setup_cell_speaks_the_language_of_its_notebook():
    assert language_of(ROOT / "lessons" / "ko" / "01_embeddings.ipynb") == "ko"
    assert language_of(ROOT / "exercises" / "ex01" / "ex01.en.ipynb") == "en"
    assert setup_cell("ko", torch=False).startswith('LANGUAGE = "ko"\n')
    with pytest.raises(ValueError, match="says en or ko"):
        language_of(ROOT / "ex01.ipynb")
