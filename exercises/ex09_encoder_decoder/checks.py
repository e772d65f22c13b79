"""Checks of exercise 09: two groupings, teacher forcing, cross-attention, greedy decoding."""

from itertools import pairwise

import numpy as np

from course_lib import data, reference
from course_lib.grading import expect, hidden, points

SHORTCUTS = {
    "groups": [],
    "teacher_forcing": [
        "course_lib.data.inputs_and_targets",
        "course_lib.data.windows.inputs_and_targets",
    ],
    "cross_attention": [
        "course_lib.reference.scaled_dot_product_attention",
        "course_lib.reference.attention_weights",
        "course_lib.reference.multi_head_attention",
        "course_lib.reference.multi_head_weights",
        "course_lib.nn.scaled_dot_product_attention",
        "torch.nn.functional.scaled_dot_product_attention",
        "torch.nn.MultiheadAttention",
    ],
    "greedy": [],
    "exact_matches": [],
}
PADDING, START, END = 0, 1, 2


@points("1/2", task="groups")
def test_eight_digits_in_threes(student):
    """23,456,789 as English groups it."""
    expect(student.groups(23_456_789, 3), np.array([23, 456, 789]))


@points("1/2", task="groups")
def test_a_group_of_zeros_in_fours(student):
    """Twenty million as Korean groups it: a 2000 before 만, and nothing but zeros after it."""
    expect(student.groups(20_000_000, 4), np.array([2000, 0]))


@points("1/2", task="groups")
@hidden
def test_any_number_in_groups_of_any_size(student, rng):
    """Small numbers, a number at a border, long ones with empty groups."""
    for size in range(5, 1, -1):
        base = 10**size
        first, last = (int(digits) for digits in rng.integers(1, base, size=2))
        expect(student.groups(last, size), np.array([last]))
        expect(student.groups(base, size), np.array([1, 0]))
        expect(student.groups(first * base**2 + last, size), np.array([first, 0, last]))


@points("1/2", task="teacher_forcing")
def test_two_targets_of_different_lengths(student):
    """Three tokens and one, with start 1, end 2 and filler 0."""
    x = np.array([[1, 5, 6, 7], [1, 8, 2, 0]])
    y = np.array([[5, 6, 7, 2], [8, 2, 0, 0]])
    expect(student.teacher_forcing([[5, 6, 7], [8]], START, END, PADDING), (x, y))


@points("1/2", task="teacher_forcing")
def test_other_special_tokens(student):
    """Three targets, with start 11, end 12 and filler −1."""
    x = np.array([[11, 4, 3, 12, -1], [11, 9, 8, 7, 6], [11, 5, 12, -1, -1]])
    y = np.array([[4, 3, 12, -1, -1], [9, 8, 7, 6, 12], [5, 12, -1, -1, -1]])
    expect(student.teacher_forcing([[4, 3], [9, 8, 7, 6], [5]], 11, 12, -1), (x, y))


@points(1, task="teacher_forcing")
@hidden
def test_targets_of_any_lengths(student, rng):
    """Any lengths, one of them zero."""
    lengths = np.append(rng.integers(1, 9, size=4), [0, 7])
    sequences = [rng.integers(3, 40, size=length).tolist() for length in lengths]
    padded = np.full((len(lengths), lengths.max() + 2), PADDING)
    for row, tokens in zip(padded, sequences, strict=True):
        row[: len(tokens) + 2] = START, *tokens, END
    expected = data.inputs_and_targets(padded)
    expect(student.teacher_forcing(sequences, START, END, PADDING), expected)


def _texts(rng, lengths, d_model, d_memory):
    """Three target positions, five source places, d_k = 13 and d_v = 2."""
    B = len(lengths)
    texts = rng.normal(size=(B, 3, d_model)), rng.normal(size=(B, 5, d_memory))
    shapes = (d_model, 13), (d_memory, 13), (d_memory, 2)
    return *texts, np.array(lengths), *(rng.normal(size=shape) / 2 for shape in shapes)


def _crossed(target, memory, lengths, W_Q, W_K, W_V):
    mask = reference.padding_mask(lengths, memory.shape[1])
    mask = np.broadcast_to(mask, (len(target), target.shape[1], memory.shape[1]))
    query, key, value = target @ W_Q, memory @ W_K, memory @ W_V
    output = reference.scaled_dot_product_attention(query, key, value, mask)
    return output, reference.attention_weights(query, key, mask)


@points("1/2", task="cross_attention")
def test_full_sources_as_wide_as_the_target(student, rng):
    """Two sources without padding: the target asks, the memory is asked."""
    arguments = _texts(rng, [5, 5], 7, 7)
    expect(student.cross_attention(*arguments), _crossed(*arguments))


@points(1, task="cross_attention")
def test_a_padded_source_wider_than_the_target(student, rng):
    """The second source has two real places among five, and the memory has its own width."""
    arguments = _texts(rng, [5, 2], 7, 11)
    expect(student.cross_attention(*arguments), _crossed(*arguments))


@points("1/2", task="cross_attention")
def test_what_stands_in_the_padding_does_not_matter(student):
    """Two real places score 900 each, or −900; the padding gets nothing, whatever it scores."""
    target, memory = np.array([[[1.0], [-1.0]]]), np.array([[[900.0], [900.0], [10901.0]]])
    one, two = np.array([[1.0]]), np.array([[2.0]])
    expected = np.full((1, 2, 1), 1800.0), np.array([[[0.5, 0.5, 0.0]] * 2])
    expect(student.cross_attention(target, memory, np.array([2]), one, one, two), expected)


@points(1, task="cross_attention")
@hidden
def test_sources_of_any_length(student, rng):
    """Sources of all lengths, a memory narrower than the target, large scores."""
    target, *rest = _texts(rng, rng.permutation([1, 2, 3, 4, 5]), 11, 7)
    for scale in (1, 10):  # larger ones are lost on float32
        arguments = scale * target, *rest
        expect(student.cross_attention(*arguments), _crossed(*arguments))


def _model(rng, *texts, V=7):
    """Logits of shape (B, V, V) that lead row b from START through the tokens of its text."""
    logits = rng.random((len(texts), V, V))
    for table, text in zip(logits, texts, strict=True):
        for last, following in pairwise([START, *text]):
            table[last, following] = 2.0
    return logits


@points("1/2", task="greedy")
def test_one_text_until_its_end(student, rng):
    """The likeliest tokens are 4, 3 and the end."""
    expect(student.greedy(_model(rng, [4, 3, END, 3]), START, END, 10), np.array([[4, 3, END]]))


@points("1/2", task="greedy")
def test_a_text_that_ends_before_the_other(student, rng):
    """The first text ends at its second token, the other at its fourth."""
    logits = _model(rng, [3, END, 5, 6, 4], [4, 6, 5, END, 3])
    expect(student.greedy(logits, START, END, 10), np.array([[3, END, END, END], [4, 6, 5, END]]))


@points("1/2", task="greedy")
def test_no_more_tokens_than_allowed(student, rng):
    """Four tokens are allowed, and one of the two texts would go on."""
    logits = _model(rng, [3, 4, 5, 6, END], [6, END, 5, 4, 3])
    expect(student.greedy(logits, START, END, 4), np.array([[3, 4, 5, 6], [6, END, END, END]]))


@points(1, task="greedy")
@hidden
def test_a_batch_of_texts(student, rng):
    """Five texts of any lengths, written to their end and cut short."""
    lengths = rng.integers(1, 6, size=5)
    words = [rng.permutation(np.arange(3, 11)).tolist() for _ in lengths]
    expected = np.full((5, lengths.max() + 1), END)
    texts = []
    for row, n, text in zip(expected, lengths, words, strict=True):
        row[:n] = text[:n]
        texts.append([*text[:n], END, *text[n:]])
    logits = _model(rng, *texts, V=11)
    expect(student.greedy(logits, START, END, 20), expected)
    expect(student.greedy(logits, START, END, int(lengths.max())), expected[:, :-1])


@points("1/2", task="exact_matches")
def test_seven_translations(student):
    """Two are right; the others end early, late or never, are out of order, or were cut off."""
    targets = [[5, 6, 7, 2], [8, 2], [5, 6, 2], [9, 2], [3, 4, 2], [3, 4, 2], [3, 4, 5, 6, 7, 2]]
    written = [[5, 6, 7], [8, 2, 2], [5, 2, 2], [9, 4, 2], [4, 3, 2], [3, 4, 4], [3, 4, 5]]
    tail = [[2, 2]] * 5 + [[4, 4], [6, 7]]
    expected = np.array([True, True, False, False, False, False, False])
    targets = np.array([row + [PADDING] * (6 - len(row)) for row in targets])
    arguments = np.concatenate([written, tail], axis=1), targets, END
    expect(student.exact_matches(*arguments), expected)


@points("1/2", task="exact_matches")
@hidden
def test_translations_with_one_wrong_token(student, rng):
    """Right ones, ones with a single wrong token, and ones cut off before their end."""
    targets = rng.integers(3, 20, size=(7, 6))
    ends = np.append(rng.integers(2, 6, size=6), 4)  # the last is right, and cut off by one
    after = np.arange(6) - ends[:, None]
    targets = np.where(after > 0, -1, np.where(after == 0, END, targets))
    written = np.where(after > 0, END, targets)
    wrong = np.append(rng.permutation([True, True, True, True, False, False]), False)
    place = rng.integers(0, ends + 1)
    written[wrong, place[wrong]] = 20
    expect(student.exact_matches(written, targets, END), ~wrong)
    expect(student.exact_matches(written[:, :4], targets, END), ~wrong & (ends < 4))
