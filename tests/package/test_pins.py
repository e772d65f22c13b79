"""The environment is pinned to the last digit, and built anew every week."""

from importlib.metadata import version

import yaml
from packaging.requirements import Requirement

from tools.setup_cell import ROOT

LINES = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
PINS = [Requirement(line) for line in LINES if line and not line.startswith("#")]
BOOK = {"jupyter-book", "sphinx", "myst-nb", "myst-parser", "sphinx-book-theme"}
BOOK |= {"sphinx-external-toc", "pydata-sphinx-theme", "docutils"}


def test_every_line_pins_one_version():  # H27
    for pin in PINS:
        (specifier,) = pin.specifier
        assert specifier.operator == "==", pin
        assert "*" not in specifier.version, pin


def test_all_that_reads_the_contents_of_the_books_is_pinned_and_is_what_is_installed():  # H27
    pinned = {pin.name.lower().replace("_", "-"): pin.specifier for pin in PINS}
    assert pinned.keys() >= BOOK
    assert [name for name in BOOK if version(name) not in pinned[name]] == []


def test_everything_is_tested_once_a_week_though_nobody_changes_it():  # H27
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    (schedule,) = yaml.safe_load(workflow)[True]["schedule"]  # YAML reads the key `on` as true
    minute, hour, *days, weekday = schedule["cron"].split()
    assert (minute.isdigit(), hour.isdigit(), days, weekday) == (True, True, ["*", "*"], "1")
