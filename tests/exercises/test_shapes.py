"""The shapes in a stub's text are those that the checks hand to it."""

import ast
import re

import numpy as np
import pytest

from course_lib.grading.cells import code_cells
from course_lib.grading.exercise import exercises
from course_lib.grading.run import run_checks
from course_lib.grading.student import Student
from tests.exercises.solutions import solved

# "W_Q, W_K: (d_model, d_k)", "`x`, of shape (B, T)", "b has (d,)", "mask: (T, S) or (..., T, S)".
SHAPE = r"\(([^()]*)\)"
SAID = re.compile(
    r"((?:`?\w+`?, )*(?:`\w+`,|\w+:?))(?: of shape| has the shape| has|) "
    + SHAPE
    + rf"(?: or {SHAPE})?"
)


class Recorder(Student):
    """Keeps the calls of all checks."""

    def begin_check(self):
        pass


def stubs(exercise):
    """Name, arguments and text of each function that the learner writes."""
    for cell in code_cells(exercise.folder / f"{exercise.name}.en.ipynb"):
        if "raise NotImplementedError" in cell:
            for node in ast.walk(ast.parse(cell)):
                if isinstance(node, ast.FunctionDef):
                    names = [argument.arg for argument in node.args.args]
                    yield node.name, names, ast.get_docstring(node) or ""


def shapes_said(text, arguments):
    """For each argument, the shapes that the text gives it last: alternatives, lists of sizes."""
    said = {}
    for names, *shapes in SAID.findall(text):
        for name in set(re.findall(r"\w+", names)).intersection(arguments):
            said[name] = [re.findall(r"[^,\s][^,]*", shape) for shape in shapes if shape]
    return said


def fits(shape, sizes, known):
    """Whether a shape can be what the text says, where each letter stands for one size."""
    if sizes and sizes[0] == "...":
        sizes = sizes[1:]
        shape = shape[max(0, len(shape) - len(sizes)) :]
    if len(shape) != len(sizes):
        return False
    return all(
        size == int(said) if said.isdigit() else known.setdefault(said, size) == size
        for size, said in zip(shape, sizes, strict=True)
    )


def test_a_shape_written_the_wrong_way_round_is_noticed():
    said = shapes_said("x: (B, d_in)\nW_x has the shape (d, d_in), b has (d,)", ["x", "W_x", "b"])
    assert said == {"x": [["B", "d_in"]], "W_x": [["d", "d_in"]], "b": [["d"]]}
    known = {}
    assert fits((2, 3), said["x"][0], known)
    assert not fits((3, 5), said["W_x"][0], known)
    assert fits((7, 2, 3), ["...", "B", "d_in"], {})
    assert not fits((7, 2, 3), ["B", "d_in"], {})
    assert not fits((5, 3), ["n", "2"], {})


@pytest.mark.parametrize("exercise", exercises(), ids=lambda e: e.name)
def test_the_checks_hand_over_the_shapes_that_the_text_says(exercise):  # I32
    student = Recorder(solved(exercise), exercise.shortcuts)
    run_checks(exercise, student, phase="all")
    compared = 0
    for name, arguments, text in stubs(exercise):
        said = shapes_said(text, arguments)
        for call in (call for call in student.calls if call.name == name):
            known = {}
            for argument, value in zip(arguments, call.arguments, strict=True):
                if argument in said and not isinstance(value, tuple):
                    compared += 1
                    shape = np.shape(value)
                    assert any(fits(shape, sizes, known) for sizes in said[argument]), (
                        f"{name}: {argument} has the shape {shape}, its text says {said[argument]}"
                    )
    assert compared > 0
