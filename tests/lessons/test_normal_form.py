"""Notebooks are stored in one form, whoever saved them and with what."""

import shutil
import subprocess

import nbformat

from tests.lessons.notebooks import code, notebook
from tools.normal_form import normalise
from tools.setup_cell import ROOT

ALT = "A line from nought to one."


def test_normal_form_leaves_out_what_an_editor_or_a_machine_adds():  # H32
    cell = code("cell", "x", tags=("hide-input",), alt=ALT)
    cell.metadata |= {"collapsed": True, "id": "aB3"}
    widget = {"text/plain": "a bar", "application/vnd.jupyter.widget-view+json": {"model_id": "1"}}
    cell.outputs = [
        nbformat.v4.new_output("stream", name="stderr", text="careful\n"),
        nbformat.v4.new_output("stream", text="1\n"),
        nbformat.v4.new_output("stream", name="stderr", text="careful\n"),
        nbformat.v4.new_output("stream", text="2\n"),
        nbformat.v4.new_output("display_data", data=widget, metadata={"needs": "light"}),
        nbformat.v4.new_output("execute_result", data={"text/plain": "3"}, execution_count=17),
    ]
    whole = notebook(cell)
    normalise(whole)
    assert whole.cells[0].metadata == {"mystnb": {"image": {"alt": ALT}}, "tags": ["hide-input"]}
    assert whole.cells[0].outputs == [
        nbformat.v4.new_output("stream", text="1\n2\n"),
        nbformat.v4.new_output("display_data", data={"text/plain": "a bar"}),
        nbformat.v4.new_output("execute_result", data={"text/plain": "3"}, execution_count=1),
    ]


def test_git_on_windows_leaves_the_bytes_of_a_notebook_and_of_a_script(tmp_path):
    files = {
        "a.ipynb": b"{\n}\n",
        "run": b"#!/bin/sh\ntrue\n",
        "figure.png": b"\x89PNG\r\n\x1a\n\0",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    shutil.copy(ROOT / ".gitattributes", tmp_path)
    git = ["git", "-c", "core.autocrlf=true"]
    for command in (["init", "--quiet"], ["add", "."]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True, capture_output=True)
    for name in files:
        (tmp_path / name).unlink()
    subprocess.run([*git, "checkout", "--quiet", "--", "."], cwd=tmp_path, check=True)
    assert {name: (tmp_path / name).read_bytes() for name in files} == files
