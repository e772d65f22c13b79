"""How the learner's functions are called, and every way in which a call can fail in words."""

import sys

import numpy as np
import pytest
import torch

from course_lib.grading import CheckFailed
from course_lib.grading.running import run_cell
from course_lib.grading.student import Student

FOUR = np.arange(4.0)


def call(source, name="f", arguments=(FOUR,), shortcuts=None):
    namespace: dict = {}
    exec(source, namespace)
    return getattr(Student(namespace, shortcuts), name)(*arguments)


def fails(message, source, **options):
    with pytest.raises(CheckFailed) as caught:
        call(source, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "result",
    ["x.tolist()", "tuple(x)[1]", "x.astype('float32')", "x + 0.5", "float(x[2])", "x.sum()"],
)
def test_lists_scalars_and_either_precision_are_results(result):  # I35, I37
    assert isinstance(call(f"def f(x): return {result}"), np.ndarray)


def test_a_tensor_that_requires_gradients_is_a_result():  # I35
    source = "import torch\ndef f(x): return torch.tensor(x, requires_grad=True) * 2"
    np.testing.assert_array_equal(call(source), 2 * FOUR)


TIED = ("torch.tensor(x, requires_grad=True)", "torch.tensor(x + 0j).conj().imag")


@pytest.mark.parametrize("tied", TIED)
def test_tensors_in_lists_and_views_that_pytorch_computes_late_are_results(tied):
    source = "import torch\ndef f(x):\n  t = {}\n  return {}"
    expected = call(source.format(tied, "t"))
    for result, many in (("[t, t]", [expected] * 2), ("[[u for u in t], (*t,)]", [expected] * 2)):
        np.testing.assert_array_equal(call(source.format(tied, result)), many, strict=True)
    one, two = call(source.format(tied, "[t[:1], t]"))  # of different lengths
    np.testing.assert_array_equal(one, expected[:1], strict=True)
    np.testing.assert_array_equal(two, expected, strict=True)


def test_a_missing_function_is_named_with_the_closest_name():
    fails("There is no function called `softmax`.", "", name="softmax")
    fails("Is it the one called `soft_max`?", "def soft_max(x): return x", name="softmax")
    fails("`f` is a int, not a function.", "f = 3")


def test_the_stub_that_is_not_written_is_named_and_not_the_function_that_calls_it():
    stub = "def g(x): raise NotImplementedError\n"
    fails("`g` is not written yet.", stub + "def f(x): return 2 * g(x)")
    fails("`f` is not written yet.", stub.replace("g(x)", "f(x)"))


def test_what_a_library_lacks_is_not_taken_for_a_stub():
    source = "import torch\ndef f(x): return torch.tensor(x).to_sparse().max(dim=-1)"
    with pytest.raises(NotImplementedError):
        torch.ones(3).to_sparse().max(dim=-1)
    fails("`f` raised NotImplementedError: Could not run", source)


@pytest.mark.parametrize("exact", ["x.astype(object)", "[Fraction(n) for n in x]"])
def test_numbers_that_python_keeps_exactly_are_results(exact):
    result = call(f"from fractions import Fraction\ndef f(x): return {exact}")
    np.testing.assert_array_equal(result, FOUR, strict=True)
    assert call("def f(x): return 10**30").dtype == float


WRAPPERS = """import functools
import torch


def timed(function):
    @functools.wraps(function)
    def inner(*arguments):
        return function(*arguments)

    return inner


def plain(function):
    def inner(*arguments):
        return function(*arguments)

    return inner
"""


@pytest.mark.parametrize(
    "decorator",
    ["@timed", "@plain", "@torch.no_grad()", "@functools.lru_cache", "@timed\n@torch.no_grad(\n)"],
)
def test_the_line_is_counted_from_the_def_of_a_function_behind_decorators(decorator):
    source = f"{WRAPPERS}\n{decorator}\ndef f(x):\n    y = 0\n    return 1 / y\n"
    namespace: dict = {}
    assert run_cell(source, 1, namespace) == ""
    with pytest.raises(CheckFailed, match=r"division by zero \(line 3 of the function\)"):
        Student(namespace).f(3.0)


def test_no_line_of_another_function_is_named():
    divide = "def divide(x): return 1 / 0\n"
    for wrapper in ("torch.no_grad()", "timed", "plain", "functools.partial", "np.vectorize"):
        source = f"{WRAPPERS}import numpy as np\n{divide}f = {wrapper}(divide)"
        with pytest.raises(CheckFailed, match=r"division by zero$"):
            call(source)


def test_the_last_definition_of_a_name_counts():  # I04, I44
    assert call("def f(x): return 1\ndef f(x): return 2") == 2


def test_a_stub_an_exception_and_an_exit_have_their_own_sentences():
    fails("`f` is not written yet.", "def f(x): raise NotImplementedError")
    fails("`f` raised ZeroDivisionError: division by zero (line 3", "def f(x):\n  y = 0\n  1 / y")
    fails("`f` raised SystemExit", "def f(x): raise SystemExit")
    fails("`f` raised ZeroDivisionError: division by zero", "f = lambda x: 1 / 0")
    fails("`f` raised TypeError", "def f(): return 1")
    fails("`f` returned nothing. Is a `return` missing?", "def f(x): x + 1")


def test_an_object_that_can_be_called_fails_in_the_same_sentences():
    source = "class C:\n  def __call__(self, x): {}\nf = C()"
    fails("`f` is not written yet.", source.format("raise NotImplementedError"))
    fails("`f` raised NotImplementedError: Module", "import torch\nf = torch.nn.Module()")
    fails("`f` raised ZeroDivisionError: division by zero", source.format("1 / 0"))


@pytest.mark.parametrize(
    ("argument", "body"),
    [
        (np.arange(4.0), "x -= x.max(); return x"),
        (torch.arange(4.0), "x.mul_(2); return x"),
        ([1, 2, 3], "x.append(4); return 1"),
        (["a", "b"], "x[1] = 'c'; return 1"),
        ([[1, 2, 3]], "x[0].reverse(); return 1"),
        ((np.ones(2), [np.ones(2)]), "x[1][0][0] = 7; return 1"),
        ([3, 1, 2], "x.sort(); return 1"),
        ([["a", "b"]], "x[0][1] = 'c'; return 1"),
        ([[1, 2], 3], "x[1] = x[0]; return 1"),
        ([3, [1, 2]], "x[1] = x[0]; return 1"),
        (np.array(["a", "b"]), "x[0] = 'c'; return 1"),
        (np.arange(2) + 1j, "x[0] = 3; return 1"),
    ],
)
def test_changing_an_argument_in_place_is_noticed(argument, body):  # I35
    fails("changed its argument number 1 in place", f"def f(x): {body}", arguments=(argument,))


@pytest.mark.parametrize(
    "argument",
    [
        np.array(["a", "b"]),
        np.array([1j, np.nan]),
        [float("nan"), "a", None, True],
        ["a", [np.array([np.nan, np.inf]), torch.ones(2)]],
    ],
)
def test_an_argument_that_stays_as_it_was_is_not_called_changed(argument):
    assert call("def f(x): return 1", arguments=(argument,)) == 1


def test_what_a_function_does_to_its_argument_does_not_outlast_the_call():
    words, row = ["<unk>", "cat"], np.arange(3.0)
    source = "def f(words, row): words.append('dog'); row[0] = 7; return 1"
    fails("changed its argument number 1 in place", source, arguments=(words, row))
    assert words == ["<unk>", "cat"]
    np.testing.assert_array_equal(row, np.arange(3.0))


def test_warnings_cost_nothing():
    assert call("import warnings\ndef f(x):\n  warnings.warn('careful')\n  return 1") == 1
    assert np.isinf(call("import numpy as np\ndef f(x): return np.log(np.zeros(1))"))


def test_each_call_is_kept_with_its_arguments_as_they_were():
    student = Student({"f": lambda x: x + 1})
    student.f(FOUR)
    (kept,) = student.calls
    assert kept.name == "f"
    np.testing.assert_array_equal(kept.arguments[0], FOUR)
    np.testing.assert_array_equal(kept.result, FOUR + 1)
    assert kept.arguments[0] is not FOUR


SHORTCUTS = {"f": ["numpy.linalg.norm", "not_installed_anywhere.answer"]}


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\ndef f(x): return np.linalg.norm(x)",
        "from numpy.linalg import norm\ndef f(x): return norm(x)",
        "from numpy.linalg import norm as n\ndef g(x): return n(x)\ndef f(x): return g(x)",
        "import numpy.linalg as la\ng = lambda x: la.norm(x)\ndef f(x): return g(x)",
    ],
)
def test_a_library_call_that_would_be_the_answer_is_refused_in_words(source):
    fails(
        "`numpy.linalg.norm` is what this exercise asks you to write.", source, shortcuts=SHORTCUTS
    )


@pytest.mark.parametrize(
    "source",
    [
        "import course_lib.reference.softmax as s\ndef f(x): return s.softmax(x)",
        "from course_lib.reference import attention\ndef f(x): return attention.softmax(x)",
        "def f(x):\n  from course_lib.reference.attention import softmax\n  return softmax(x)",
    ],
)
def test_a_function_of_the_course_is_refused_from_whichever_module(source):
    path = "course_lib.reference.softmax"
    fails(f"`{path}` is what this exercise asks", source, shortcuts={"f": [path]})


def test_a_method_can_be_refused():
    source = "import torch\ndef f(x): return torch.nn.functional.softmax(torch.tensor(x), -1)"
    fails("`torch.Tensor.softmax` is what", source, shortcuts={"f": ["torch.Tensor.softmax"]})
    assert call(source).sum() == pytest.approx(1)


def test_shortcuts_are_closed_for_every_task_of_the_exercise_and_during_the_call_only():
    norm = np.linalg.norm
    for name in "fg":
        fails(
            "is what this exercise asks",
            "import numpy as np\ndef f(x): return np.linalg.norm(x)",
            shortcuts={name: ["numpy.linalg.norm"]},
        )
    assert np.linalg.norm is norm


def test_a_part_of_the_course_that_nobody_loaded_is_not_loaded_to_be_closed(monkeypatch):
    monkeypatch.delitem(sys.modules, "course_lib.cost", raising=False)
    source = "def f(x): return x"
    call(source, shortcuts={"f": ["course_lib.cost.kv_cache_bytes"]})
    assert "course_lib.cost" not in sys.modules
