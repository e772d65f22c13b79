"""The language model: shapes, causality, and generation with and without a cache."""

import pytest
import torch

from course_lib.nn import LanguageModel, default_device, initialise, record_attention
from tests.nn.helpers import assert_same

V, MAX_TOKENS = 13, 32


def model() -> LanguageModel:
    lm = LanguageModel(V, 12, 6, 17, 2, MAX_TOKENS, num_kv_heads=2).double()
    initialise(lm, torch.Generator().manual_seed(2))
    lm.embedding.table.weight.data *= 2  # tokens that outweigh positions: more varied texts
    return lm.eval()


def text(B, T, seed=1):
    return torch.randint(V, (B, T), generator=torch.Generator().manual_seed(seed))


def test_logits_have_one_shape_and_rate_the_next_token():  # D19
    assert model()(text(2, 5)).shape == (2, 5, V)


def test_changing_a_future_token_changes_no_earlier_logits():
    lm, tokens = model(), text(2, 7)
    changed = tokens.clone()
    changed[:, 4] = (changed[:, 4] + 1) % V
    before, after = lm(tokens), lm(changed)
    assert torch.equal(before[:, :4], after[:, :4])
    assert (before[:, 4:] != after[:, 4:]).any(dim=-1).all()


@pytest.mark.claim("A20")
@pytest.mark.parametrize("chunks", [(5, 1, 1, 1), (3, 5), (1,) * 8, (8,)])
def test_cached_logits_equal_uncached_ones_for_every_chunking(chunks):  # E01, E05
    lm, tokens = model(), text(2, 8)
    caches = lm.new_caches()
    found = [lm(part, caches=caches) for part in tokens.split(chunks, dim=1)]
    assert_same(torch.cat(found, dim=1), lm(tokens))
    assert [len(cache) for cache in caches] == [8, 8]


def test_bfloat16_logits_differ_by_rounding_and_rank_alike():  # E02
    lm, tokens = model().bfloat16(), text(1, 8)
    caches = lm.new_caches()
    found = torch.cat([lm(part, caches=caches) for part in tokens.split(3, dim=1)], dim=1)
    assert (found - lm(tokens)).abs().max() < 0.1


@pytest.mark.claim("A20")
def test_twenty_greedy_tokens_are_the_same_with_and_without_the_cache():  # E03
    lm, prompt = model(), text(3, 4)
    cached = lm.generate(prompt, 20)
    assert torch.equal(cached, lm.generate(prompt, 20, use_cache=False))
    assert torch.equal(cached[:, :4], prompt)
    assert cached.shape == (3, 24)
    assert min(len(row.unique()) for row in cached[:, 4:]) > 2


@pytest.mark.claim("A20")
def test_a_padded_batch_generates_what_each_prompt_generates_alone():
    lm = model()
    prompts = [text(1, 5, seed=2), text(1, 3, seed=3)]
    padding = torch.tensor([0, 2])
    batch = torch.cat([prompts[0], torch.cat([torch.zeros(1, 2).long(), prompts[1]], dim=1)])
    for use_cache in (True, False):
        together = lm.generate(batch, 9, padding=padding, use_cache=use_cache)
        assert torch.equal(together[:1], lm.generate(prompts[0], 9))
        assert torch.equal(together[1:, 2:], lm.generate(prompts[1], 9))


def test_a_second_prompt_is_not_disturbed_by_the_first():  # E06
    lm = model()
    first, second = text(1, 5, seed=2), text(1, 3, seed=3)
    lm.generate(first, 6)
    assert torch.equal(lm.generate(second, 6), model().generate(second, 6))


def test_more_tokens_than_fit_are_refused(refuses):  # E06
    lm = model()
    assert lm.generate(text(1, 4), MAX_TOKENS - 3).shape == (1, MAX_TOKENS + 1)
    for use_cache in (True, False):
        with refuses(f"33 tokens are more than max_tokens = {MAX_TOKENS}"):
            lm.generate(text(1, 4), MAX_TOKENS - 2, use_cache=use_cache)


def test_a_generator_makes_draws_repeat_and_other_seeds_differ():
    lm, prompt = model(), text(1, 4)

    def drawn(seed):
        return lm.generate(prompt, 20, generator=torch.Generator().manual_seed(seed))

    assert torch.equal(drawn(0), drawn(0))
    assert not torch.equal(drawn(0), drawn(1))


@pytest.mark.gpu
def test_a_generator_on_the_cpu_draws_for_a_model_on_an_accelerator():
    device, generator = default_device(), torch.Generator().manual_seed(0)
    drawn = model().float().to(device).generate(text(2, 4).to(device), 5, generator=generator)
    assert drawn.shape == (2, 9)
    assert drawn.device.type == device.type


def test_a_text_without_tokens_before_it_gets_no_nan():
    logits = model()(text(2, 1))
    assert logits.shape == (2, 1, V)
    assert torch.isfinite(logits).all()


def test_recorded_maps_are_distributions_over_what_may_be_seen():
    lm = model()
    with record_attention(lm) as maps:
        lm(text(2, 5))
    assert list(maps) == ["decoder.blocks.0.attention", "decoder.blocks.1.attention"]
    for weights in maps.values():
        assert weights.shape == (2, 6, 5, 5)
        assert_same(weights.sum(-1), torch.ones(2, 6, 5).double())
        assert (weights.triu(1) == 0).all()
    lm(text(2, 3))
    assert weights.shape == (2, 6, 5, 5)


def test_recording_with_a_cache_is_refused(refuses):
    lm = model()
    with (
        refuses("record_attention reads no cache, but decoder.blocks.0.attention was given one"),
        record_attention(lm),
    ):
        lm(text(1, 2), caches=lm.new_caches())
