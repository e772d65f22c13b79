"""Checks of the exercises: in a notebook, `check("ex04")`; on a command line, `grade check`."""

from course_lib.grading.compare import expect
from course_lib.grading.failures import CheckFailed
from course_lib.grading.marks import hidden, points
from course_lib.grading.misconceptions import misconception, right_variant
from course_lib.grading.notebook import check

__all__ = ["CheckFailed", "check", "expect", "hidden", "misconception", "points", "right_variant"]
