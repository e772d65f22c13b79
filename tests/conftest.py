"""What all tests share: shape annotations are enforced, refusals are read as a user sees them."""

import re
from contextlib import contextmanager

import jaxtyping
import pytest

jaxtyping.install_import_hook("course_lib", "beartype.beartype")


@pytest.fixture
def refuses():
    """`with refuses("d_k = 4 but"):` passes when the block raises a ValueError saying so.

    The annotations are switched off inside, as they are for a user.
    """

    @contextmanager
    def check(message: str):
        jaxtyping.config.update("jaxtyping_disable", True)
        try:
            with pytest.raises(ValueError, match=re.escape(message)):
                yield
        finally:
            jaxtyping.config.update("jaxtyping_disable", False)

    return check
