"""A mistake that the exercise knows."""

from course_lib.grading import misconception


@misconception("double", caught_by="test_double_of_numbers", says="This looks like adding two.")
def plus_two(x):
    return x + 2
