"""What the cache refuses, in words, and that it keeps what it had."""

import pytest
import torch

from course_lib.nn import KVCache


@pytest.mark.parametrize(
    ("keys", "values", "message"),
    [
        ((2, 3, 1, 5), (2, 3, 2, 7), "keys have shape (2, 3, 1, 5), values (2, 3, 2, 7)"),
        ((1, 3, 1, 5), (1, 3, 1, 7), "shape (2, 3, 4, 5), which one of shape (1, 3, 1, 5)"),
        ((2, 3, 1, 5), (2, 3, 1, 6), "shape (2, 3, 4, 7), which one of shape (2, 3, 1, 6)"),
    ],
)
def test_tokens_that_do_not_fit_are_refused_and_the_cache_stays_as_it_was(
    refuses, keys, values, message
):
    cache = KVCache()
    cache.append(torch.ones(2, 3, 4, 5), torch.ones(2, 3, 4, 7))
    with refuses(message):
        cache.append(torch.ones(keys), torch.ones(values))
    assert len(cache) == 4
    assert cache.nbytes == 4 * 2 * 3 * 4 * (5 + 7)
