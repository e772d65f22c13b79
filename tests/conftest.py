"""What all tests share: shape annotations are enforced, refusals are read as a user sees them."""

import os
import re
from contextlib import contextmanager

import jaxtyping
import pytest
from hypothesis import settings

# The tower: an int may stand where a float is meant, as PEP 484 has it.
BEARTYPE = "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))"
jaxtyping.install_import_hook("course_lib", BEARTYPE)

# The same examples on every run and every machine.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")


@pytest.fixture
def as_a_user():
    """The annotations are switched off, as they are for a user, who may pass lists."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture
def refuses():
    """`with refuses("d_k = 4 but"):` passes when the block raises a ValueError saying so.

    The annotations are switched off inside, as they are for a user.
    """

    @contextmanager
    def check(message: str):
        jaxtyping.config.update("jaxtyping_disable", True)
        try:
            with pytest.raises(ValueError, match=re.escape(message)) as refusal:
                yield refusal
        finally:
            jaxtyping.config.update("jaxtyping_disable", False)

    return check


NO_ACCELERATOR = "no accelerator"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test marked "gpu" is skipped where there is none."""
    if item.get_closest_marker("gpu"):
        from course_lib.nn import default_device

        if default_device().type == "cpu":
            pytest.skip(NO_ACCELERATOR)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """See `_nothing_passes_by_being_skipped`."""
    return _nothing_passes_by_being_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    """See `_nothing_passes_by_being_skipped`."""
    return _nothing_passes_by_being_skipped((yield))


def _nothing_passes_by_being_skipped(report):
    """In continuous integration a skip is a failure, but for a missing accelerator."""
    reason = str(getattr(report, "wasxfail", None) or report.longrepr)
    if report.skipped and os.environ.get("CI") and NO_ACCELERATOR not in reason:
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: skipped in continuous integration: {reason}"
    return report
