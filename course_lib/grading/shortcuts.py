"""Library functions that would be the answer to a task, closed while the learner's code runs."""

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from types import CodeType
from typing import Any

from course_lib.grading.failures import SHORTCUT, CheckFailed

OWN = "course_lib"


@contextmanager
def closed(names: list[str], function: Callable, namespace: Mapping[str, Any]) -> Iterator[None]:
    """Refuse, in words, the functions that `names` spells out, such as "numpy.linalg.norm".

    They are refused whether they are called through their module or were imported by name before.
    """
    with ExitStack() as stack:
        for path in names:
            module_name, _, attribute = path.rpartition(".")
            if not _is_loaded(module_name):
                continue
            try:
                module = importlib.import_module(module_name)
            except ModuleNotFoundError:  # PyTorch is not installed, and nor is what needs it
                continue
            _refuse_imported(getattr(module, attribute), path, function, namespace)
            stack.callback(setattr, module, attribute, getattr(module, attribute))
            setattr(module, attribute, _refusal(path))
        yield


def _is_loaded(module_name: str) -> bool:
    """Whether code can have it: a package may load its parts when they are first used.

    The course's own is always here and does not; to load all of it takes a fifth of a second.
    """
    package = module_name.split(".")[0]
    return (module_name if package == OWN else package) in sys.modules


def _refusal(path: str) -> Callable:
    def refuse(*_, **__):
        raise CheckFailed(SHORTCUT, path=path)

    return refuse


def _refuse_imported(
    shortcut: Any, path: str, function: Callable, namespace: Mapping[str, Any]
) -> None:
    """Look for the shortcut among the names that the function, and what it calls, mention."""
    seen: set[CodeType] = set()
    waiting = [function]
    while waiting:
        code = getattr(waiting.pop(), "__code__", None)
        if code is None or code in seen:
            continue
        seen.add(code)
        for name in code.co_names:
            value = namespace.get(name)
            if value is shortcut:
                _refusal(path)()
            if callable(value):
                waiting.append(value)
