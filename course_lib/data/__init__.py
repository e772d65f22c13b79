"""The texts that the lessons train on, and how they are cut into inputs and targets. NumPy only."""

from course_lib.data import pronouns
from course_lib.data.windows import inputs_and_targets, windows

__all__ = ["inputs_and_targets", "pronouns", "windows"]
