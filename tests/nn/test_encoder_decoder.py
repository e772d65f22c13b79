"""The full Transformer."""

import pytest
import torch

from course_lib.nn import EncoderDecoder, padding_mask, record_attention
from tests.nn.helpers import assert_finite_gradients, assert_same, seeded

SOURCE_V, TARGET_V, MAX_TOKENS = 11, 13, 16


def model() -> EncoderDecoder:
    return seeded(EncoderDecoder(SOURCE_V, TARGET_V, 12, 3, 17, 2, MAX_TOKENS)).eval()


def texts(B=2, S=7, T=5):
    generator = torch.Generator().manual_seed(1)
    return (
        torch.randint(SOURCE_V, (B, S), generator=generator),
        torch.randint(TARGET_V, (B, T), generator=generator),
    )


@pytest.mark.claim("B25", "B20")
def test_target_logits_see_all_of_the_source_and_no_later_target():
    transformer, (source, target) = model(), texts()
    logits = transformer(source, target)
    assert logits.shape == (2, 5, TARGET_V)
    later, elsewhere = target.clone(), source.clone()
    later[:, 3] = (later[:, 3] + 1) % TARGET_V
    elsewhere[:, -1] = (elsewhere[:, -1] + 1) % SOURCE_V
    assert torch.equal(transformer(source, later)[:, :3], logits[:, :3])
    assert (transformer(elsewhere, target) != logits).any(dim=-1).all()


def test_padding_the_source_changes_nothing():
    transformer, (source, target) = model(), texts()
    mask = padding_mask(torch.tensor([7, 4]), 7)
    logits = transformer(source, target, mask)
    assert_same(logits[1:], transformer(source[1:, :4], target[1:]))
    assert_finite_gradients(logits.square().sum(), transformer)


def test_cached_decoding_equals_decoding_at_once():
    transformer, (source, target) = model(), texts()
    memory = transformer.encode(source)
    caches = transformer.decoder.new_caches()
    parts = [transformer.decode(t, memory, caches=caches) for t in target.split(2, dim=1)]
    assert_same(torch.cat(parts, dim=1), transformer(source, target))


def test_greedy_decoding_takes_the_likeliest_token_each_time_and_stops():
    transformer, (source, _) = model(), texts()
    written = transformer.greedy_decode(source, start_token=0, end_token=1)
    assert written.shape[1] <= MAX_TOKENS
    so_far = torch.cat([torch.zeros(2, 1).long(), written], dim=1)
    likeliest = transformer(source, so_far[:, :-1]).argmax(dim=-1)
    for row, expected in zip(written, likeliest, strict=True):
        end = (row == 1).nonzero()
        length = end[0].item() + 1 if len(end) else len(row)
        assert torch.equal(row[:length], expected[:length])
        assert (row[length:] == 1).all()


def test_a_row_that_has_ended_goes_on_with_its_end_token():
    transformer, (source, _) = model(), texts()
    transformer.to_logits.weight.data.zero_()  # every logit is 0, so that token 0 is taken
    assert torch.equal(transformer.greedy_decode(source, 5, 0), torch.zeros(2, 1).long())
    assert torch.equal(transformer.greedy_decode(source, 5, 1), torch.zeros(2, MAX_TOKENS).long())


def test_no_texts_are_decoded_to_no_texts():
    transformer, (source, _) = model(), texts()
    assert transformer.greedy_decode(source[:0], 0, 1).shape == (0, 0)


def test_recording_names_self_and_cross_attention():
    transformer, (source, target) = model(), texts()
    with record_attention(transformer) as maps:
        transformer(source, target, padding_mask(torch.tensor([7, 4]), 7))
    cross = maps["decoder.blocks.1.cross_attention"]
    assert cross.shape == (2, 3, 5, 7)
    assert (cross[1, :, :, 4:] == 0).all()
    assert len(maps) == 6
