"""What the cache refuses, in words, that it keeps what it had, and what can be done with it."""

import pytest
import torch

from course_lib.nn import KVCache, LanguageModel
from tests.nn.helpers import assert_same


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


def test_the_cache_keeps_its_own_copy():
    keys, values = torch.ones(2, 3, 4, 5), torch.ones(2, 3, 4, 7)
    cache = KVCache()
    cache.append(keys, values)
    keys.zero_()
    values.zero_()
    assert (cache.keys == 1).all()
    assert (cache.values == 1).all()


def test_tokens_of_another_precision_or_device_are_refused_and_the_cache_stays_as_it_was(refuses):
    cache, new = KVCache(), torch.ones(2, 3, 1, 5)
    cache.append(torch.ones(2, 3, 4, 5), torch.ones(2, 3, 4, 5))
    with refuses("cache holds torch.float32 on cpu, which torch.float16 on cpu can't extend"):
        cache.append(new.half(), new.half())
    with refuses("cache holds torch.float32 on cpu, which torch.float32 on meta can't extend"):
        cache.append(new, new.to("meta"))
    assert len(cache) == 4
    assert cache.nbytes == 2 * 2 * 3 * 4 * 5 * 4


TOKENS = torch.arange(15).reshape(3, 5) % 13


@torch.no_grad()
def read(tokens):
    lm = LanguageModel(13, 12, 6, 17, 2, 16, num_kv_heads=2).double().eval()
    caches = lm.new_caches()
    lm(tokens, caches=caches)
    return lm, caches


@torch.no_grad()
def test_a_cache_cut_short_goes_on_as_if_it_had_never_read_the_rest():
    lm, caches = read(TOKENS)
    for cache in caches:
        cache.keys, cache.values = cache.keys[..., :3, :], cache.values[..., :3, :]
    other = (TOKENS[:, 3:] + 1) % 13
    whole = torch.cat([TOKENS[:, :3], other], dim=1)
    assert_same(lm(other, caches=caches), lm(whole)[:, 3:])


@torch.no_grad()
def test_a_cache_whose_texts_are_reordered_goes_on_with_each_of_them():
    lm, caches = read(TOKENS)
    chosen = torch.tensor([2, 2, 0])  # as in beam search, where one text may go on in two ways
    for cache in caches:
        cache.keys, cache.values = cache.keys[chosen], cache.values[chosen]
    new = torch.tensor([[1], [2], [3]])
    whole = torch.cat([TOKENS[chosen], new], dim=1)
    assert_same(lm(new, caches=caches), lm(whole)[:, -1:])
