"""What the models refuse before they write: texts, padding, caches and memories that don't fit."""

import pytest
import torch

from course_lib.nn import EncoderDecoder, KVCache, LanguageModel, TransformerBlock, padding_mask

V, MAX_TOKENS = 13, 16


def model(**options) -> LanguageModel:
    return LanguageModel(V, 12, 3, 17, 2, MAX_TOKENS, **options).eval()


def translator() -> EncoderDecoder:
    return EncoderDecoder(V, 11, 12, 3, 17, 2, MAX_TOKENS).eval()


TOKENS = torch.arange(10).reshape(2, 5)


def test_a_text_without_a_batch_is_refused(refuses):
    with refuses("tokens must have shape (B, T), got (5,); a batch of one text is tokens[None]"):
        model()(TOKENS[0])
    with refuses("prompt must have shape (B, T), got (5,)"):
        model().generate(TOKENS[0], 3)
    with refuses("source must have shape (B, T), got (5,)"):
        translator().greedy_decode(TOKENS[0], 0, 1)
    with refuses("target must have shape (B, T), got (5,)"):
        translator()(TOKENS, TOKENS[0])


def test_texts_that_are_no_tensor_of_whole_numbers_are_refused(refuses):
    for texts, found in (
        (TOKENS.tolist(), "must be a tensor, got list"),
        (TOKENS.double(), "must be whole token numbers, got dtype torch.float64"),
    ):
        with refuses(f"tokens {found}"):
            model()(texts)
        with refuses(f"prompt {found}"):
            model().generate(texts, 3)
        with refuses(f"source {found}"):
            translator().greedy_decode(texts, 0, 1)
        with refuses(f"target {found}"):
            translator()(TOKENS, texts)


def test_where_the_ratings_are_nan_no_token_is_the_likeliest(refuses):
    # As after an overflow in float16: argmax takes NaN for the largest, and writes token 0.
    for writer in (model(), translator()):
        writer.to_logits.weight.data[3, 0] = float("nan")
        with refuses("no token is the likeliest: the ratings of 2 of 2 texts hold NaN"):
            if isinstance(writer, LanguageModel):
                writer.generate(TOKENS, 3)
            else:
                writer.greedy_decode(TOKENS, 0, 1)


def test_writing_needs_a_token_to_begin_with_and_a_number_of_tokens(refuses):
    with refuses("a prompt of at least one token and num_tokens ≥ 0, got shape (2, 0) and 3"):
        model().generate(TOKENS[:, :0], 3)
    with refuses("a prompt of at least one token and num_tokens ≥ 0, got shape (2, 5) and -1"):
        model().generate(TOKENS, -1)


@pytest.mark.parametrize(
    ("padding", "message"),
    [
        (torch.ones(2, 5).long(), "padding must be one whole number for each sequence, got shape"),
        (torch.tensor([True, False]), "got shape (2,) of dtype torch.bool"),
        (torch.tensor([1.0, 0.0]), "got shape (2,) of dtype torch.float32"),
        ([1, 0], "padding must be a tensor, got list"),
        (torch.tensor([1]), "padding has 1 numbers for 2 sequences"),
        (
            torch.tensor([-1, 0]),
            "between 0 and the 5 tokens of the prompt, got [-1, 0]",
        ),
        (
            torch.tensor([6, 0]),
            "between 0 and the 5 tokens of the prompt, got [6, 0]",
        ),
    ],
)
def test_padding_is_one_count_for_each_sequence(refuses, padding, message):
    # An attention mask of ones and zeros, as other libraries have it, is the first of them.
    with refuses(message):
        model().generate(TOKENS, 3, padding=padding)
    with refuses("padding must lie between 0 and max_tokens = 16, got [17, 0]"):
        model()(TOKENS, padding=torch.tensor([17, 0]))
    assert model()(TOKENS, padding=torch.tensor([5, 0])).isfinite().all()


def test_padding_may_be_counted_in_bytes(as_a_user):
    lm, padding = model(), torch.tensor([3, 0])
    roomy = LanguageModel(V, 12, 3, 17, 2, max_tokens=300)
    for dtype in (torch.uint8, torch.int8, torch.uint16, torch.int32):
        assert torch.equal(lm(TOKENS, padding=padding.to(dtype)), lm(TOKENS, padding=padding))
        assert roomy(TOKENS, padding=padding.to(dtype)).shape == (2, 5, V)
        assert padding_mask(padding.to(dtype), 300).sum(dim=-1).tolist() == [[3], [0]]


def test_caches_that_are_not_one_for_each_block_are_refused(refuses):
    for caches, found in (
        ([], "0 different ones of 0"),
        ([KVCache()], "1 different ones of 1"),
        ([KVCache()] * 2, "1 different ones of 2"),
        ([KVCache() for _ in range(3)], "3 different ones of 3"),
    ):
        with refuses(f"each of the 2 blocks needs a cache of its own, got {found}"):
            model()(TOKENS, caches=caches)


def test_caches_of_different_lengths_are_refused(refuses):
    lm = model()
    caches = lm.new_caches()
    lm(TOKENS, caches=caches)
    caches[1].keys, caches[1].values = caches[1].keys[..., :3, :], caches[1].values[..., :3, :]
    with refuses("the caches must hold equally many tokens, got [5, 3]"):
        lm(TOKENS, caches=caches)


def test_a_memory_is_read_by_a_block_that_was_made_for_it_and_by_no_other(refuses):
    x, memory = torch.randn(2, 5, 12), torch.randn(2, 7, 12)
    with refuses("a block with d_memory = 12 needs a memory"):
        TransformerBlock(12, 3, 17, d_memory=12)(x)
    with refuses("a block without d_memory can't read a memory of shape (2, 7, 12)"):
        TransformerBlock(12, 3, 17)(x, memory=memory)


def test_a_source_mask_of_two_axes_is_refused_also_where_all_sizes_are_alike(refuses):
    square = torch.arange(9).reshape(3, 3)
    real = padding_mask(torch.tensor([3, 1, 2]), 3)
    with refuses("source_mask must have shape (B, 1, S) = (3, 1, 3), got (3, 3)"):
        translator()(square, square, real[:, 0])


def test_an_end_token_that_can_never_come_is_refused(refuses):
    with refuses("end_token = 11 is not among the 11 tokens"):
        translator().greedy_decode(TOKENS, 0, 11)
