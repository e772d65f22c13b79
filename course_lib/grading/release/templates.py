"""The files of a kit that are the same but for a few words."""

from importlib.resources import files
from string import Template


def filled(name: str, **values: str) -> str:
    """The template with its `${names}` filled; each has to be given."""
    text = (files("course_lib.grading.release") / "kit" / name).read_text(encoding="utf-8")
    return Template(text).substitute(values)
