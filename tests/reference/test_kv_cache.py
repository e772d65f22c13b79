"""The cache: same outputs as without it, however the text is cut; bytes as stored."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.reference import (
    KVCache,
    cached_multi_head_attention,
    causal_mask,
    multi_head_attention,
)
from tests.reference.helpers import close, random_projections


@pytest.mark.claim("A20")
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=6),
    st.sampled_from([None, 6, 3, 2, 1]),
)
def test_cached_equals_uncached_for_every_way_to_cut_the_text(chunks, num_kv_heads):  # E01, E03
    rng = np.random.default_rng(0)
    T = sum(chunks)
    x = rng.normal(size=(2, T, 13))
    p = random_projections(
        rng, num_heads=6, num_kv_heads=num_kv_heads, d_k=3, d_v=5, d_query=13, d_model=11
    )
    cache, outputs, start = KVCache(), [], 0
    for chunk in chunks:
        new = x[:, start : start + chunk]
        outputs.append(cached_multi_head_attention(new, p, 6, cache, num_kv_heads=num_kv_heads))
        start += chunk
        assert len(cache) == start
    whole = multi_head_attention(x, x, x, p, 6, causal_mask(T), num_kv_heads=num_kv_heads)
    close(np.concatenate(outputs, axis=1), whole)


def test_single_precision_agrees_within_its_rounding():  # E01, E02
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5, 12)).astype(np.float32)
    p = random_projections(rng, num_heads=2, d_k=6, d_v=6, d_query=12)
    p = type(p)(*(matrix.astype(np.float32) for matrix in p))
    cache = KVCache()
    parts = [cached_multi_head_attention(x[a:b], p, 2, cache) for a, b in [(0, 3), (3, 4), (4, 5)]]
    whole = multi_head_attention(x, x, x, p, 2, causal_mask(5))
    assert parts[0].dtype == np.float32
    assert cache.keys is not None
    assert cache.keys.dtype == np.float32
    close(np.concatenate(parts), whole, 1e-4)


def test_a_new_text_takes_a_new_cache():  # E06
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5, 6))
    p = random_projections(rng, num_heads=2, d_k=3, d_v=3, d_query=6)
    used = KVCache()
    cached_multi_head_attention(x, p, 2, used)
    fresh = cached_multi_head_attention(x, p, 2, KVCache())
    assert np.abs(cached_multi_head_attention(x, p, 2, used) - fresh).max() > 0.01
    close(cached_multi_head_attention(x, p, 2, KVCache()), fresh)


@pytest.mark.claim("A19")
@pytest.mark.parametrize(("dtype", "nbytes"), [(np.float16, 1280), (np.float32, 2560)])
def test_the_cache_of_two_layers_takes_as_many_bytes_as_the_formula_says(dtype, nbytes):  # E12
    layers = KVCache(), KVCache()
    for cache in layers:
        assert cache.nbytes == len(cache) == 0
        for _ in range(10):
            cache.append(np.ones((1, 2, 1, 8), dtype), np.ones((1, 2, 1, 8), dtype))
        assert len(cache) == 10
    assert sum(cache.nbytes for cache in layers) == nbytes


def test_grouped_heads_are_stored_once_not_once_for_each_query_head():  # E11, E12
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, 10, 12))
    p = random_projections(rng, num_heads=12, num_kv_heads=4, d_k=8, d_v=8, d_query=12)
    cache = KVCache()
    cached_multi_head_attention(x, p, 12, cache, num_kv_heads=4)
    assert cache.nbytes == 2 * 4 * 8 * 10 * 8  # two arrays, heads, width, tokens, bytes of float64


def test_append_returns_all_tokens_in_order():
    cache = KVCache()
    cache.append(np.full((1, 1, 2, 3), 1.0), np.full((1, 1, 2, 5), 2.0))
    keys, values = cache.append(np.full((1, 1, 1, 3), 3.0), np.full((1, 1, 1, 5), 4.0))
    np.testing.assert_array_equal(keys[0, 0, :, 0], [1, 1, 3])
    np.testing.assert_array_equal(values[0, 0, :, 0], [2, 2, 4])


def test_the_cache_keeps_its_own_copy():
    keys, values = np.ones((1, 2, 3)), np.ones((1, 2, 3))
    cache = KVCache()
    cache.append(keys, values)
    keys[:] = values[:] = 0
    assert cache.keys is not None
    assert cache.values is not None
    assert (cache.keys == 1).all()
    assert (cache.values == 1).all()


def test_the_cache_takes_lists(as_a_user):
    cache = KVCache()
    keys, values = cache.append([[1, 2], [3, 4]], [[5], [6]])
    assert len(cache) == 2
    assert keys.shape == (2, 2)
    assert values.shape == (2, 1)


def test_what_does_not_fit_the_cache_is_refused_and_leaves_it_as_it_was(refuses):
    cache = KVCache()
    cache.append(np.ones((2, 3, 5, 7)), np.ones((2, 3, 5, 11)))
    with refuses("each key needs a value: keys have shape (2, 3, 2, 7), values (2, 3, 1, 11)"):
        cache.append(np.ones((2, 3, 2, 7)), np.ones((2, 3, 1, 11)))
    with refuses(
        "the cache holds an array of shape (2, 3, 5, 7), which one of shape (1, 3, 1, 7) can't "
        "extend: only the number of tokens may differ"
    ):
        cache.append(np.ones((1, 3, 1, 7)), np.ones((1, 3, 1, 11)))
    with refuses(
        "the cache holds an array of shape (2, 3, 5, 11), which one of shape (2, 3, 1, 7)"
    ):
        cache.append(np.ones((2, 3, 1, 7)), np.ones((2, 3, 1, 7)))
    assert len(cache) == 5
    assert cache.nbytes == 2 * 3 * 5 * (7 + 11) * 8


def test_no_key_heads_are_refused(refuses):
    p = random_projections(np.random.default_rng(0), num_heads=2, d_k=3, d_v=3, d_query=6)
    with refuses("a width of 6 can't be split into 0 heads"):
        cached_multi_head_attention(np.ones((1, 2, 6)), p, 2, KVCache(), num_kv_heads=0)
