"""Claims A19, A20 and A23: what a cache holds, what it saves, and what it costs to read."""

import pytest
import torch

from course_lib.cost import causal_comparisons, crossover_tokens, kv_cache_bytes, weight_bytes
from course_lib.nn import (
    Encoder,
    KVCache,
    LanguageModel,
    MultiHeadAttention,
    initialise,
    multi_head,
)

V, D_MODEL, NUM_HEADS, NUM_LAYERS = 13, 24, 6, 3
PADDING = torch.tensor([0, 2])


def model(num_kv_heads: int | None = None, dtype: torch.dtype = torch.float32) -> LanguageModel:
    sizes = (V, D_MODEL, NUM_HEADS, 17, NUM_LAYERS)
    lm = LanguageModel(*sizes, max_tokens=32, num_kv_heads=num_kv_heads)
    initialise(lm, torch.Generator().manual_seed(0))
    lm.embedding.table.weight.data *= 2  # tokens that outweigh positions: more varied texts
    return lm.to(dtype).eval().requires_grad_(False)


def written(lm: LanguageModel, num_tokens: int = 17) -> torch.Tensor:
    """Two prompts, the second one padded by two, and what the model writes after them."""
    prompts = torch.tensor([[8, 3, 11, 4, 7], [0, 0, 2, 9, 6]])
    return lm.generate(prompts, num_tokens, padding=PADDING, use_cache=False)


@pytest.mark.claim("A20")
@pytest.mark.parametrize("num_kv_heads", [None, 3, 1])
@pytest.mark.parametrize("chunks", [(5,) + (1,) * 17, (3, 4, 1, 14), (1,) * 22, (22,)])
def test_logits_in_chunks_padded_and_beyond_the_prompt_are_those_without_a_cache(
    num_kv_heads, chunks
):
    lm = model(num_kv_heads)
    texts = written(lm)
    caches = lm.new_caches()
    parts = [lm(part, padding=PADDING, caches=caches) for part in texts.split(chunks, dim=1)]
    cached, uncached = torch.cat(parts, dim=1), lm(texts, padding=PADDING)
    caches = lm.new_caches()
    alone = torch.cat([lm(part, caches=caches) for part in texts[1:, 2:].split(7, dim=1)], dim=1)
    assert cached.shape == uncached.shape == (2, 22, V)
    assert (cached - uncached).abs().max() < 1e-5
    assert (cached[1:, 2:] - alone).abs().max() < 1e-5


@pytest.mark.claim("A20")
@pytest.mark.parametrize("num_kv_heads", [None, 3, 1])
def test_the_same_text_is_written_with_the_cache(num_kv_heads):
    lm = model(num_kv_heads)
    texts = written(lm)
    assert torch.equal(lm.generate(texts[:, :5], 17, padding=PADDING), texts)
    assert len(texts[:, 5:].unique()) > 2


@pytest.mark.claim("A20")
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_in_half_precision_logits_differ_by_rounding(dtype):  # E01, E02
    lm = model(dtype=dtype)
    texts = written(lm)
    caches = lm.new_caches()
    parts = [lm(part, padding=PADDING, caches=caches) for part in texts.split(3, dim=1)]
    difference = (torch.cat(parts, dim=1) - lm(texts, padding=PADDING)).abs().max()
    assert 1e-5 < difference < 0.1


@pytest.mark.claim("A20")
def test_keys_and_values_of_earlier_tokens_stay_as_they_were_when_the_text_grows():
    lm = model(dtype=torch.float64)
    text = written(lm)[:1]
    before, after = lm.new_caches(), lm.new_caches()
    lm(text[:, :9], caches=before)
    lm(text, caches=after)
    for old, new in zip(before, after, strict=True):
        assert len(old) == 9
        torch.testing.assert_close(old.keys, new.keys[..., :9, :], rtol=1e-12, atol=1e-12)
        torch.testing.assert_close(old.values, new.values[..., :9, :], rtol=1e-12, atol=1e-12)


@pytest.mark.claim("A20")
def test_where_tokens_look_both_ways_the_past_does_not_stand_still():
    encoder = Encoder(2, D_MODEL, NUM_HEADS, 17).double()
    initialise(encoder, torch.Generator().manual_seed(0))
    x = torch.randn(1, 7, D_MODEL, generator=torch.Generator().manual_seed(1)).double()
    assert ((encoder(x)[:, :6] - encoder(x[:, :6])).abs().amax(-1) > 1e-3).all()


@pytest.mark.claim("A19")
@pytest.mark.parametrize("num_kv_heads", [6, 3, 2, 1])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_a_model_stores_the_bytes_of_the_formula(num_kv_heads, dtype):  # E11, E12
    lm = model(num_kv_heads, dtype)
    caches = lm.new_caches()
    assert sum(cache.nbytes for cache in caches) == 0
    tokens = torch.zeros(5, 11, dtype=torch.long)
    for part in tokens.split((7, 4), dim=1):
        lm(part, caches=caches)
    assert sum(cache.nbytes for cache in caches) == kv_cache_bytes(
        batch=5,
        num_layers=NUM_LAYERS,
        num_kv_heads=num_kv_heads,
        d_head=D_MODEL // NUM_HEADS,
        tokens=11,
        bytes_per_number=dtype.itemsize,
    )


@pytest.mark.claim("A19")
def test_each_token_adds_one_key_and_one_value_to_each_layer():
    lm = model(num_kv_heads=2)
    caches, sizes = lm.new_caches(), []
    for _ in range(4):
        lm(torch.zeros(1, 1, dtype=torch.long), caches=caches)
        sizes.append([cache.nbytes for cache in caches])
    one_key = 2 * (D_MODEL // NUM_HEADS) * 4
    assert sizes == [[n * 2 * one_key] * NUM_LAYERS for n in (1, 2, 3, 4)]


@pytest.mark.claim("A19")
def test_llama_3_8b_stores_a_gib_for_8192_tokens():  # E14
    with torch.device("meta"):
        layer = MultiHeadAttention(4096, 32, num_kv_heads=8).bfloat16()
        x = torch.empty(1, 8192, 4096, dtype=torch.bfloat16)
    cache = KVCache()
    layer(x, is_causal=True, cache=cache)
    assert 32 * cache.nbytes == 2**30


def comparisons(monkeypatch, num_tokens: int, *, use_cache: bool) -> list[int]:
    """How many scores each step of `generate` computes in each head of each layer."""
    attend, steps = multi_head.scaled_dot_product_attention, []

    def counting(query, key, *args, **options):
        steps.append(query.shape[-2] * key.shape[-2])
        return attend(query, key, *args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(multi_head, "scaled_dot_product_attention", counting)
        model().generate(torch.tensor([[5]]), num_tokens, use_cache=use_cache)
    assert len(steps) == num_tokens * NUM_LAYERS
    return steps[::NUM_LAYERS]


@pytest.mark.claim("A23")
def test_a_generated_token_is_compared_once_with_each_token_and_without_a_cache_all_with_all(
    monkeypatch,
):
    n = 23
    cached = comparisons(monkeypatch, n, use_cache=True)
    uncached = comparisons(monkeypatch, n, use_cache=False)
    assert cached == list(range(1, n + 1))
    assert uncached == [t**2 for t in range(1, n + 1)]
    assert sum(cached) == causal_comparisons(n)
    assert sum(uncached) == n * (n + 1) * (2 * n + 1) // 6


@pytest.mark.claim("A23")
@pytest.mark.parametrize("batch", [1, 5])
@pytest.mark.parametrize("num_layers", [1, 3])
def test_a_plain_model_reads_as_much_cache_as_weights_at_six_times_its_width(num_layers, batch):
    d_model = 32
    with torch.device("meta"):
        lm = LanguageModel(V, d_model, 4, 4 * d_model, num_layers, max_tokens=1000)
        caches = lm.new_caches()
        lm(torch.zeros(batch, 1, dtype=torch.long), caches=caches)
    weights = sum(p.nbytes for p in lm.decoder.parameters() if p.ndim == 2)
    one_token = sum(cache.nbytes for cache in caches)
    assert weights == 6 * d_model * one_token // batch
    crossover = crossover_tokens(weight_bytes=weights, cache_bytes_per_token=one_token)
    assert crossover == 6 * d_model // batch + 1
    assert one_token * (crossover - 1) <= weights < one_token * crossover


# From the shapes in the papers and published configurations: parameters, layers, key heads, width
# of a head; and the crossover in thousands of tokens for numbers of two bytes.
SHAPES = {
    "GPT-2 XL": (1_557_611_200, 48, 25, 64, 10.1),
    "Llama 2 7B": (6_738_415_616, 32, 32, 128, 25.7),
    "Llama 3.1 8B": (8_030_261_248, 32, 8, 128, 122.5),
    "Llama 3.1 70B": (70_553_706_496, 80, 8, 128, 430.6),
}


@pytest.mark.claim("A23")
@pytest.mark.parametrize("name", SHAPES)
def test_the_crossover_of_public_models(name):
    num_parameters, num_layers, num_kv_heads, d_head, thousands = SHAPES[name]
    weights = weight_bytes(num_parameters=num_parameters, bytes_per_number=2)

    def cache(tokens: int, batch: int = 1) -> int:
        return kv_cache_bytes(
            batch=batch,
            num_layers=num_layers,
            num_kv_heads=num_kv_heads,
            d_head=d_head,
            tokens=tokens,
            bytes_per_number=2,
        )

    length = crossover_tokens(weight_bytes=weights, cache_bytes_per_token=cache(1))
    assert cache(length - 1) <= weights < cache(length)
    assert abs(length / 1000 - thousands) < 0.1
    # The weights are read once for the whole batch, the caches are not.
    batched = crossover_tokens(weight_bytes=weights, cache_bytes_per_token=cache(1, batch=16))
    assert batched == (length - 1) // 16 + 1
