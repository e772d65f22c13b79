"""What a check is worth, to which task it belongs, and whether the learner sees it."""

from fractions import Fraction

import pytest


def points(worth: int | str, *, task: str) -> pytest.MarkDecorator:
    """`@points(2, task="softmax")`, or `@points("1/3", task=…)`: exact, so that sums are too."""
    exact = Fraction(worth)
    if exact < 0:
        raise ValueError(f"a check is worth {worth} points, less than none")
    return pytest.mark.points(exact, task)


hidden = pytest.mark.hidden
