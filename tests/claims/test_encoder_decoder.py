"""Claims B20 and B25: the decoder's two attentions, and the whole Transformer, trained."""

import warnings
from functools import cache

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.data import inputs_and_targets, numbers
from course_lib.nn import (
    EncoderDecoder,
    causal_mask,
    cross_entropy,
    initialise,
    padding_mask,
    record_attention,
    train,
)
from tests.nn.helpers import assert_same, seeded

TEST = numbers.draw_test(100, np.random.default_rng(0))
UNSEEN = [number for number in TEST if 100 <= number < 1000]


def transformer(num_layers) -> EncoderDecoder:
    V = len(numbers.ENGLISH), len(numbers.KOREAN)
    return EncoderDecoder(*V, 32, 4, 64, num_layers, max_tokens=16)


def batch(chosen):
    """Source, mask of its real tokens, the decoder's inputs and its targets."""
    source = torch.from_numpy(numbers.encode_english(chosen))
    x, y = map(torch.from_numpy, inputs_and_targets(numbers.encode_korean(chosen)))
    return source, padding_mask((source != numbers.PADDING).sum(1), source.shape[1]), x, y


@pytest.mark.claim("B20")
def test_in_every_layer_the_first_attention_is_masked_and_the_second_reads_the_whole_source():
    model, (source, real, x, _) = seeded(transformer(2)), batch([23_456_789, 120_300])
    with torch.no_grad(), record_attention(model) as maps:
        model(source, x, real)
    B, T, S = len(x), x.shape[1], source.shape[1]
    for layer in range(2):
        first = maps[f"decoder.blocks.{layer}.attention"]
        second = maps[f"decoder.blocks.{layer}.cross_attention"]
        assert torch.equal(first > 0, causal_mask(T).expand(B, 4, T, T))
        assert torch.equal(second > 0, real[:, None].expand(B, 4, T, S))
        assert torch.equal(
            maps[f"encoder.blocks.{layer}.attention"] > 0, real[:, None].expand(B, 4, S, S)
        )


def copy_block(ours, theirs) -> None:
    """All weights of one of our blocks into PyTorch's layer."""
    pairs = [(ours.attention, theirs.self_attn)]
    norms = [ours.attention_norm, ours.feed_forward_norm]
    if hasattr(ours, "cross_attention"):
        pairs.append((ours.cross_attention, theirs.multihead_attn))
        norms.insert(1, ours.cross_attention_norm)
    for mine, other in pairs:
        stacked = torch.cat([mine.W_Q.weight, mine.W_K.weight, mine.W_V.weight])
        other.in_proj_weight.data.copy_(stacked)
        other.out_proj.weight.data.copy_(mine.W_O.weight)
    for i, norm in enumerate(norms, start=1):
        getattr(theirs, f"norm{i}").load_state_dict(norm.state_dict())
    theirs.linear1.load_state_dict(ours.feed_forward.layer_1.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.layer_2.state_dict())


@pytest.mark.claim("B20", "B25")
def test_the_whole_model_equals_nn_transformer_with_its_masks_upside_down():
    ours, (source, real, x, _) = seeded(transformer(2)), batch([23_456_789, 120_300])
    options = {"dropout": 0.0, "norm_first": True, "batch_first": True, "dtype": torch.float64}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # norm_first rules out the path with nested tensors
        theirs = nn.Transformer(32, 4, 2, 2, 64, **options)
    for mine, other in ((ours.encoder, theirs.encoder), (ours.decoder, theirs.decoder)):
        other.norm.load_state_dict(mine.final_norm.state_dict())
        for block, layer in zip(mine.blocks, other.layers, strict=True):
            copy_block(block, layer)
    hidden = ~real[:, 0]
    output = theirs(
        ours.positions(ours.source_embedding(source)),
        ours.positions(ours.target_embedding(x)),
        tgt_mask=~causal_mask(x.shape[1]),
        src_key_padding_mask=hidden,
        memory_key_padding_mask=hidden,
    )
    assert_same(ours(source, x, real), ours.to_logits(output))


@cache
def trained() -> EncoderDecoder:
    """A small model after a few seconds on numbers below a thousand."""
    model = transformer(1)
    initialise(model, torch.Generator().manual_seed(0))
    drawn = numbers.draw_training(300 * 64, TEST, np.random.default_rng(1), lengths=[1, 2, 3])
    batches = [batch(part) for part in drawn.reshape(-1, 64)]
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2)

    def loss_of(model, batch):
        source, real, x, y = batch
        return cross_entropy(model(source, x, real), y, ignore_index=numbers.PADDING)

    train(model, batches, loss_of, optimiser)
    return model


def exact(model, chosen, read=None) -> float:
    """The share of `chosen` that the model writes as it should, reading `read` if given."""
    source, real, _, _ = batch(chosen if read is None else read)
    written = model.greedy_decode(source, numbers.START, numbers.END, real).tolist()
    return np.mean(
        [
            numbers.decode_korean(row) == numbers.korean(n)
            for row, n in zip(written, chosen, strict=True)
        ]
    )


@pytest.mark.claim("B25")
def test_a_small_transformer_trained_end_to_end_translates_numbers_that_it_never_saw():
    assert len(UNSEEN) == 100
    assert exact(trained(), UNSEEN) > 0.8


@pytest.mark.claim("B25")
def test_it_writes_what_the_encoder_read_and_nothing_of_its_own():
    assert exact(trained(), UNSEEN, read=UNSEEN[::-1]) < 0.1
    model = trained()
    source, real, x, y = batch(UNSEEN)
    with torch.no_grad():
        logits = model(source, x, real)
        blind = model.decode(x, torch.zeros(len(x), source.shape[1], 32), real)
    right = (logits.argmax(-1) == y)[y != numbers.PADDING].float().mean()
    right_blind = (blind.argmax(-1) == y)[y != numbers.PADDING].float().mean()
    assert right > 0.95
    assert right_blind < 0.6
