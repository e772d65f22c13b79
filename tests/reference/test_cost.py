"""Costs: the formulas against counting, and against figures that others print."""

import numpy as np
import pytest

from course_lib.cost import (
    GB,
    GIB,
    all_comparisons,
    attention_multiply_adds,
    attention_parameters,
    causal_comparisons,
    crossover_tokens,
    feed_forward_multiply_adds,
    head_width,
    kv_cache_bytes,
    weight_bytes,
)
from course_lib.reference import causal_mask
from tests.reference.helpers import random_projections


@pytest.mark.parametrize(
    ("num_heads", "num_kv_heads"), [(1, None), (2, None), (4, None), (4, 2), (4, 1)]
)
def test_parameters_are_the_numbers_in_the_four_matrices(num_heads, num_kv_heads):  # A44, E11
    p = random_projections(
        np.random.default_rng(0),
        num_heads=num_heads,
        num_kv_heads=num_kv_heads,
        d_k=8 // num_heads,
        d_v=8 // num_heads,
        d_query=8,
    )
    counted = attention_parameters(d_model=8, num_heads=num_heads, num_kv_heads=num_kv_heads)
    assert counted == sum(matrix.size for matrix in p)


@pytest.mark.claim("A18")
def test_eight_heads_of_64_cost_what_one_head_of_512_costs():
    assert head_width(512, 8) == 64
    parameters = [attention_parameters(d_model=512, num_heads=h) for h in (1, 8)]
    assert parameters == [4 * 512**2] * 2
    work = [attention_multiply_adds(new_tokens=100, d_model=512, num_heads=h) for h in (1, 8)]
    assert work[0] == work[1]
    # Four projections of 100 tokens; then 8 heads, each with 100 · 100 pairs of width 64.
    assert work[1] == (100 * 4 * 512 * 512, 8 * 100 * 100 * 64, 8 * 100 * 100 * 64)


def test_multiply_adds_are_those_of_the_matrix_products():
    work = attention_multiply_adds(
        new_tokens=3, cached_tokens=4, d_model=8, num_heads=4, num_kv_heads=2
    )
    queries_and_output = 2 * (3 * 8 * 8)
    keys_and_values = 2 * (3 * 8 * 4)
    assert work.projections == queries_and_output + keys_and_values
    assert work.scores == 4 * (3 * 2 * 7)  # four heads, (3, 2) @ (2, 7)
    assert work.mixing == 4 * (3 * 7 * 2)  # four heads, (3, 7) @ (7, 2)
    assert work.total == work.projections + work.scores + work.mixing
    assert feed_forward_multiply_adds(tokens=3, d_model=8, d_ff=32) == 3 * 8 * 32 + 3 * 32 * 8


@pytest.mark.claim("A23")
def test_comparisons_of_a_whole_text_are_square_and_of_a_causal_one_half_of_it():
    for n in (0, 1, 2, 7, 100):
        assert all_comparisons(n) == np.ones((n, n)).sum()
        assert causal_comparisons(n) == causal_mask(n).sum()
    assert all_comparisons(2000) == 4 * all_comparisons(1000)
    # One more token: as many comparisons as there are tokens now.
    assert causal_comparisons(101) - causal_comparisons(100) == 101


@pytest.mark.claim("A23")
def test_one_generated_token_costs_attention_linearly_in_the_cache():
    work = [
        attention_multiply_adds(new_tokens=1, cached_tokens=n - 1, d_model=8, num_heads=2)
        for n in (100, 200)
    ]
    assert work[1].scores == 2 * work[0].scores
    assert work[1].projections == work[0].projections


@pytest.mark.claim("A19")
@pytest.mark.parametrize(("bytes_per_number", "nbytes"), [(2, 1280), (4, 2560)])
def test_the_cache_of_a_small_model(bytes_per_number, nbytes):  # E12: query heads play no part
    assert nbytes == kv_cache_bytes(
        batch=1,
        num_layers=2,
        num_kv_heads=2,
        d_head=8,
        tokens=10,
        bytes_per_number=bytes_per_number,
    )


@pytest.mark.claim("A19")
def test_the_cache_grows_in_proportion_to_every_factor():
    factors = {
        "batch": 2,
        "num_layers": 3,
        "num_kv_heads": 5,
        "d_head": 7,
        "tokens": 11,
        "bytes_per_number": 4,
    }
    once = kv_cache_bytes(**factors)
    assert once == 2 * 2 * 3 * 5 * 7 * 11 * 4
    for name, factor in factors.items():
        assert kv_cache_bytes(**factors | {name: 2 * factor}) == 2 * once


@pytest.mark.claim("A23")
def test_beyond_the_crossover_the_cache_is_more_to_read_than_the_weights():
    # Llama 3 8B: 8.03 billion parameters, 32 layers, 8 key heads of 128 (32 query heads), 2 bytes.
    weights = weight_bytes(num_parameters=8_030_261_248, bytes_per_number=2)

    def cache(tokens, num_kv_heads=8, batch=1):
        return kv_cache_bytes(
            batch=batch,
            num_layers=32,
            num_kv_heads=num_kv_heads,
            d_head=128,
            tokens=tokens,
            bytes_per_number=2,
        )

    assert cache(1) == 128 * 1024
    length = crossover_tokens(weight_bytes=weights, cache_bytes_per_token=cache(1))
    assert length == 122_533
    assert cache(length - 1) <= weights < cache(length)
    # A key head for each query head: four times the cache, a quarter of the length.
    full = crossover_tokens(weight_bytes=weights, cache_bytes_per_token=cache(1, num_kv_heads=32))
    assert full == 30_634
    assert cache(full - 1, 32) <= weights < cache(full, 32)
    # Every text of a batch has its own cache; the weights are read once for all.
    many = crossover_tokens(weight_bytes=weights, cache_bytes_per_token=cache(1, batch=64))
    assert cache(many - 1, batch=64) <= weights < cache(many, batch=64)


def test_equal_costs_are_not_yet_more():
    assert crossover_tokens(weight_bytes=100, cache_bytes_per_token=10) == 11


def test_a_gib_is_seven_per_cent_more_than_a_gb():  # E14
    assert GB == 1_000_000_000
    assert GIB == 1_073_741_824
    assert round(GIB / GB, 2) == 1.07


def test_heads_that_do_not_divide_are_refused(refuses):  # A25, E11
    with refuses("d_model = 1600 can't be split into 48 heads evenly"):
        attention_parameters(d_model=1600, num_heads=48)
    with refuses("d_model = 8 can't be split into 0 heads evenly"):
        head_width(8, 0)
    for num_kv_heads in (0, 5, 24):
        with refuses(f"12 query heads can't share {num_kv_heads} key heads evenly"):
            attention_parameters(d_model=12, num_heads=12, num_kv_heads=num_kv_heads)
