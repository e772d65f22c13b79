"""What is wrong with an instructor's own checks, said before anybody is graded."""

import ast
from collections import Counter

from course_lib.grading.exercise import Exercise
from course_lib.grading.run import run_checks
from course_lib.grading.student import Student


def refuse_faulty(exercise: Exercise) -> None:
    """ValueError for faulty checks of an exercise, so far as it shows without a submission."""
    for name in ("checks", "misconceptions"):
        if (exercise.folder / f"{name}.py").exists():
            exercise.module(name)
    tree = ast.parse(exercise.checks.read_bytes())
    classes = (node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    for body in (tree.body, *classes):
        _refuse_faulty_functions(body, exercise)
    try:  # on nobody's functions, where each check stops at its first call
        listed = run_checks(exercise, Student({}, {}), phase="all")
    except RuntimeError as error:
        raise ValueError(str(error)) from None
    if not listed:
        raise ValueError(f"{exercise.checks} holds no check, a function whose name begins test_")


def _refuse_faulty_functions(body: list[ast.stmt], exercise: Exercise) -> None:
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    often = Counter(node.name for node in functions)
    if twice := [name for name, count in often.items() if count > 1]:
        raise ValueError(f"{exercise.checks} defines {', '.join(twice)} twice; the last one counts")
    for node in functions:
        if node.name.startswith("test_") and _returns(node):
            raise ValueError(f"{node.name} in {exercise.checks} returns a value: assert it instead")


def _returns(node: ast.AST) -> bool:
    """Whether a function's own lines return a value, not those of a function within it."""
    if isinstance(node, ast.Return):
        return node.value is not None
    parts = ast.iter_child_nodes(node)
    return any(_returns(part) for part in parts if not isinstance(part, ast.FunctionDef))
