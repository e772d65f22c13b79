"""What all tests share: shape annotations are enforced, refusals are read as a user sees them."""

import re
from contextlib import contextmanager

import jaxtyping
import pytest
from hypothesis import settings

jaxtyping.install_import_hook("course_lib", "beartype.beartype")

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
