"""Library functions that would be the answer to a task, closed while the learner's code runs."""

import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from types import CodeType, ModuleType
from typing import Any

from course_lib.grading.failures import SHORTCUT, CheckFailed

OWN = "course_lib"


@contextmanager
def closed(names: list[str], function: Callable, namespace: Mapping[str, Any]) -> Iterator[None]:
    """Refuse, in words, what `names` spells out, such as "numpy.linalg.norm", "torch.Tensor.dot".

    They are refused whether they are called through their module or were imported by name before.
    """
    with ExitStack() as stack:
        for path in names:
            owner_name, _, attribute = path.rpartition(".")
            if not _is_loaded(owner_name):
                continue
            try:
                owner = pkgutil.resolve_name(owner_name)
            except ModuleNotFoundError:  # PyTorch is not installed, and nor is what needs it
                continue
            shortcut = getattr(owner, attribute)
            _refuse_imported(shortcut, path, function, namespace)
            for holder in (owner, *_other_holders(path, shortcut)):
                stack.callback(setattr, holder, attribute, shortcut)
                setattr(holder, attribute, _refusal(path))
        yield


def _other_holders(path: str, shortcut: Any) -> list[ModuleType]:
    """The modules of the course that have one of its functions under the same name."""
    package, attribute = path.split(".")[0], path.rpartition(".")[2]
    if package != OWN:
        return []
    own = [module for name, module in sys.modules.items() if name.startswith(f"{OWN}.")]
    return [module for module in own if vars(module).get(attribute) is shortcut]


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
