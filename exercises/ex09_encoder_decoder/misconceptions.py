"""What people write instead, and right ways that differ from the solution."""

from itertools import pairwise

import numpy as np

from course_lib.grading import misconception, right_variant


@misconception(
    "groups",
    caught_by="test_any_number_in_groups_of_any_size",
    says="This looks as if the smallest number with one digit more, such as 1000 in threes, were "
    "still a single group. No group has more digits than `size`.",
)
def groups_with_one_digit_too_many(n, size):
    found = []
    while n > 10**size:
        n, last = divmod(n, 10**size)
        found.insert(0, last)
    return [n, *found]


@misconception(
    "groups",
    caught_by="test_eight_digits_in_threes",
    says="This looks like groups counted from the left. Borders are counted from the ones; only "
    "the first group may be shorter.",
)
def groups_from_the_left(n, size):
    digits = str(n)
    return [int(digits[i : i + size]) for i in range(0, len(digits), size)]


@misconception(
    "groups",
    caught_by="test_eight_digits_in_threes",
    says="This looks like the last group first. The groups come in the order in which a number is "
    "written and said.",
)
def groups_backwards(n, size):
    found = []
    while n:
        n, last = divmod(n, 10**size)
        found.append(last)
    return found


@misconception(
    "groups",
    caught_by="test_eight_digits_in_threes",
    says="This looks like a division by ten times the size. A border after k digits stands at the "
    "k-th power of ten.",
)
def groups_in_base_ten_times_size(n, size):
    found = []
    while n:
        n, last = divmod(n, 10 * size)
        found.insert(0, last)
    return found


@misconception(
    "groups",
    caught_by="test_eight_digits_in_threes",
    says="This looks as if the first group were lost: what is left when less than a whole group "
    "remains is a group too.",
)
def groups_without_the_first(n, size):
    found = []
    while n >= 10**size:
        n, last = divmod(n, 10**size)
        found.insert(0, last)
    return found


@misconception(
    "groups",
    caught_by="test_eight_digits_in_threes",
    says="This looks like one digit at a time. A group is `size` digits read as one number.",
)
def groups_of_one(n, size):
    return [int(digit) for digit in str(n)]


@misconception(
    "groups",
    caught_by="test_a_group_of_zeros_in_fours",
    says="This looks as if a group of zeros were left out. It is not said aloud, but without it "
    "the groups before it would stand for smaller numbers.",
)
def groups_without_zeros(n, size):
    found = []
    while n:
        n, last = divmod(n, 10**size)
        found = [last, *found] if last else found
    return found


@misconception(
    "groups",
    caught_by="test_a_group_of_zeros_in_fours",
    says="This looks like English groups, whatever the size: a thousand is written into it.",
)
def groups_always_in_threes(n, size):
    return [int(group) for group in f"{n:,}".split(",")]


@right_variant("groups")
def groups_by_text(n, size):
    digits = str(n)
    first = len(digits) % size
    borders = [0] * (first > 0) + list(range(first, len(digits) + 1, size))
    return [int(digits[a:b]) for a, b in pairwise(borders)]


@right_variant("groups")
def groups_by_a_loop(n, size):
    found = []
    while n:
        n, last = divmod(n, 10**size)
        found.append(last)
    return np.array(found[::-1], dtype=float)


def _padded(rows, filler):
    longest = max(map(len, rows))
    return np.array([[*row, *[filler] * (longest - len(row))] for row in rows])


def _rows(sequences, start, end):
    return [[start, *tokens, end] for tokens in sequences]


@misconception(
    "teacher_forcing",
    caught_by="test_two_targets_of_different_lengths",
    says="This looks shifted twice: each target is the token after the next. One shift makes "
    "inputs and targets, and the loss shifts nothing.",
)
def forcing_shifted_twice(sequences, start, end, filler):
    padded = _padded(_rows(sequences, start, end), filler)
    return padded[:, :-2], padded[:, 2:]


@misconception(
    "teacher_forcing",
    caught_by="test_two_targets_of_different_lengths",
    says="This looks like targets equal to the inputs. A decoder that reads the token that it is "
    "to write learns to copy, and nothing else.",
)
def forcing_not_shifted(sequences, start, end, filler):
    padded = _padded(_rows(sequences, start, end), filler)
    return padded, padded


@misconception(
    "teacher_forcing",
    caught_by="test_two_targets_of_different_lengths",
    says="This looks as if no row had its end token. A decoder that was never asked to end "
    "never stops.",
)
def forcing_without_end(sequences, start, end, filler):
    padded = _padded([[start, *tokens] for tokens in sequences], filler)
    return padded[:, :-1], padded[:, 1:]


@misconception(
    "teacher_forcing",
    caught_by="test_two_targets_of_different_lengths",
    says="This looks as if no row had its start token. Then nothing teaches the decoder to write "
    "the first token: there is no position before it.",
)
def forcing_without_start(sequences, start, end, filler):
    padded = _padded([[*tokens, end] for tokens in sequences], filler)
    return padded[:, :-1], padded[:, 1:]


@misconception(
    "teacher_forcing",
    caught_by="test_two_targets_of_different_lengths",
    says="This looks as if the start token moved the inputs by one, and the targets were shifted "
    "all the same. Putting the start token before the inputs is the shift.",
)
def forcing_started_and_shifted(sequences, start, end, filler):
    x = _padded([[start, *tokens] for tokens in sequences], filler)
    y = _padded([[*tokens[1:], end, filler] for tokens in sequences], filler)
    return x, y


@misconception(
    "teacher_forcing",
    caught_by="test_two_targets_of_different_lengths",
    says="This looks like filler before the tokens. It comes after them, where the causal mask "
    "hides it from every real position.",
)
def forcing_filled_on_the_left(sequences, start, end, filler):
    backwards = [row[::-1] for row in _rows(sequences, start, end)]
    padded = _padded(backwards, filler)[:, ::-1]
    return padded[:, :-1], padded[:, 1:]


@misconception(
    "teacher_forcing",
    caught_by="test_two_targets_of_different_lengths",
    says="This looks like inputs and targets exchanged: the decoder would be asked for the token "
    "before.",
)
def forcing_exchanged(sequences, start, end, filler):
    padded = _padded(_rows(sequences, start, end), filler)
    return padded[:, 1:], padded[:, :-1]


@misconception(
    "teacher_forcing",
    caught_by="test_two_targets_of_different_lengths",
    says="This looks like filler between a target and its end token. The end follows the last "
    "real token; filler comes after both.",
)
def forcing_with_the_end_after_the_filler(sequences, start, end, filler):
    rows = _padded([[start, *tokens] for tokens in sequences], filler)
    padded = np.concatenate([rows, np.full((len(rows), 1), end)], axis=1)
    return padded[:, :-1], padded[:, 1:]


@misconception(
    "teacher_forcing",
    caught_by="test_two_targets_of_different_lengths",
    says="This looks like the end token used as filler. The loss leaves out filler by its number, "
    "and would leave out the real ends along with it.",
)
def forcing_filled_with_the_end(sequences, start, end, filler):
    padded = _padded(_rows(sequences, start, end), end)
    return padded[:, :-1], padded[:, 1:]


@misconception(
    "teacher_forcing",
    caught_by="test_two_targets_of_different_lengths",
    says="This looks like inputs that never hold the end token. Nothing is asked at that place, so "
    "a model would not mind; but here the inputs are the filled row without its last place, and "
    "in a shorter row the end stands before that.",
)
def forcing_with_no_end_to_read(sequences, start, end, filler):
    x = _padded([[start, *tokens] for tokens in sequences], filler)
    y = _padded([[*tokens, end] for tokens in sequences], filler)
    return x, y


@misconception(
    "teacher_forcing",
    caught_by="test_other_special_tokens",
    says="This looks like filler that is always 0. Which number is filler is an argument, since 0 "
    "may be a word.",
)
def forcing_filled_with_zeros(sequences, start, end, filler):
    padded = _padded(_rows(sequences, start, end), 0)
    return padded[:, :-1], padded[:, 1:]


@right_variant("teacher_forcing")
def forcing_row_by_row(sequences, start, end, filler):
    T = 1 + max(len(tokens) for tokens in sequences)
    x, y = [], []
    for tokens in sequences:
        y.append(([*tokens, end] + T * [filler])[:T])
        x.append([start, *y[-1][:-1]])
    return x, y


@right_variant("teacher_forcing")
def forcing_by_filling_two_tables(sequences, start, end, filler):
    shape = len(sequences), 1 + max(len(tokens) for tokens in sequences)
    x, y = np.full(shape, filler), np.full(shape, filler)
    x[:, 0] = start
    for row_x, row_y, tokens in zip(x, y, sequences, strict=True):
        n = len(tokens)
        row_x[1 : n + 1], row_y[:n], row_y[n] = tokens, tokens, end
        row_x[n + 1 : n + 2] = end
    return x, y


def _softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _scores(query, key):
    return query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])


def _real(lengths, memory):
    return np.arange(memory.shape[1]) < lengths[:, None, None]


def _attend(scores, real, value):
    weights = _softmax(np.where(real, scores, -np.inf))
    return weights @ value, weights


@misconception(
    "cross_attention",
    caught_by="test_full_sources_as_wide_as_the_target",
    says="This looks like the two texts exchanged: the source asks and the target answers. The "
    "decoder's positions ask; there is one row of weights for each of them.",
)
def cross_exchanged(target, memory, lengths, W_Q, W_K, W_V):
    weights = _softmax(_scores(memory @ W_Q, target @ W_K))
    return weights @ (target @ W_V), weights


@misconception(
    "cross_attention",
    caught_by="test_full_sources_as_wide_as_the_target",
    says="This looks like the target attending to itself: the source is never read.",
)
def cross_within_the_target(target, memory, lengths, W_Q, W_K, W_V):
    weights = _softmax(_scores(target @ W_Q, target @ W_K))
    return weights @ (target @ W_V), weights


@misconception(
    "cross_attention",
    caught_by="test_full_sources_as_wide_as_the_target",
    says="This looks like the source attending to itself. That is the encoder's work, and it is "
    "done; here the target asks.",
)
def cross_within_the_source(target, memory, lengths, W_Q, W_K, W_V):
    return _attend(_scores(memory @ W_Q, memory @ W_K), _real(lengths, memory), memory @ W_V)


@misconception(
    "cross_attention",
    caught_by="test_full_sources_as_wide_as_the_target",
    says="This looks like a causal mask between target and source. The source is complete before "
    "the first target token is written, and all of it may be seen.",
)
def cross_with_a_causal_mask(target, memory, lengths, W_Q, W_K, W_V):
    seen = np.tri(target.shape[1], memory.shape[1], dtype=bool) & _real(lengths, memory)
    return _attend(_scores(target @ W_Q, memory @ W_K), seen, memory @ W_V)


@misconception(
    "cross_attention",
    caught_by="test_full_sources_as_wide_as_the_target",
    says="This looks like scores divided by the square root of the target's width, or the "
    "memory's. What is summed in a score are the d_k products of a query and a key.",
)
def cross_scaled_by_the_width(target, memory, lengths, W_Q, W_K, W_V):
    scores = (target @ W_Q) @ (memory @ W_K).swapaxes(-1, -2) / np.sqrt(target.shape[-1])
    return _attend(scores, _real(lengths, memory), memory @ W_V)


@misconception(
    "cross_attention",
    caught_by="test_full_sources_as_wide_as_the_target",
    says="This looks like scores that are not divided by √d_k.",
)
def cross_not_scaled(target, memory, lengths, W_Q, W_K, W_V):
    scores = (target @ W_Q) @ (memory @ W_K).swapaxes(-1, -2)
    return _attend(scores, _real(lengths, memory), memory @ W_V)


@misconception(
    "cross_attention",
    caught_by="test_full_sources_as_wide_as_the_target",
    says="This looks like a softmax over the target's positions. Each target position shares its "
    "attention out among the source's places: a row sums to one, not a column.",
)
def cross_over_the_target(target, memory, lengths, W_Q, W_K, W_V):
    weights = _softmax(_scores(target @ W_Q, memory @ W_K), axis=-2) * _real(lengths, memory)
    return weights @ (memory @ W_V), weights


@misconception(
    "cross_attention",
    caught_by="test_full_sources_as_wide_as_the_target",
    says="This looks like the two results exchanged: first the output, then the weights.",
)
def cross_results_exchanged(target, memory, lengths, W_Q, W_K, W_V):
    scores = _scores(target @ W_Q, memory @ W_K)
    return _attend(scores, _real(lengths, memory), memory @ W_V)[::-1]


@misconception(
    "cross_attention",
    caught_by="test_a_padded_source_wider_than_the_target",
    says="This looks as if the padding had not been hidden. The row without padding comes out "
    "right, the padded one does not: what a sentence gives then depends on its neighbours.",
)
def cross_without_a_mask(target, memory, lengths, W_Q, W_K, W_V):
    return _attend(_scores(target @ W_Q, memory @ W_K), True, memory @ W_V)


@misconception(
    "cross_attention",
    caught_by="test_a_padded_source_wider_than_the_target",
    says="This looks like the padding hidden after the softmax. It has taken its share by then, "
    "and what is left does not sum to one.",
)
def cross_masked_late(target, memory, lengths, W_Q, W_K, W_V):
    weights = _softmax(_scores(target @ W_Q, memory @ W_K)) * _real(lengths, memory)
    return weights @ (memory @ W_V), weights


@misconception(
    "cross_attention",
    caught_by="test_a_padded_source_wider_than_the_target",
    says="This looks like zeros in the place of the padding's vectors. Their scores are then 0, "
    "and a score of 0 has a weight like any other: it draws the output towards zero.",
)
def cross_with_zeroed_padding(target, memory, lengths, W_Q, W_K, W_V):
    memory = memory * _real(lengths, memory).swapaxes(-1, -2)
    return _attend(_scores(target @ W_Q, memory @ W_K), True, memory @ W_V)


@misconception(
    "cross_attention",
    caught_by="test_a_padded_source_wider_than_the_target",
    says="This looks like scores multiplied by the mask. The padding's scores become 0, and a "
    "score of 0 has a weight like any other.",
)
def cross_with_multiplied_scores(target, memory, lengths, W_Q, W_K, W_V):
    weights = _softmax(_scores(target @ W_Q, memory @ W_K) * _real(lengths, memory))
    return weights @ (memory @ W_V), weights


@misconception(
    "cross_attention",
    caught_by="test_a_padded_source_wider_than_the_target",
    says="This looks like the mask the wrong way round: the padding is seen and the words are "
    "not. In key_padding_mask of nn.MultiheadAttention, True means hidden.",
)
def cross_upside_down(target, memory, lengths, W_Q, W_K, W_V):
    scores = np.where(_real(lengths, memory), -1e30, _scores(target @ W_Q, memory @ W_K))
    return _attend(scores, True, memory @ W_V)


@misconception(
    "cross_attention",
    caught_by="test_a_padded_source_wider_than_the_target",
    says="This looks one place too generous: a source of n words has the places 0 to n − 1.",
)
def cross_off_by_one(target, memory, lengths, W_Q, W_K, W_V):
    scores = _scores(target @ W_Q, memory @ W_K)
    return _attend(scores, _real(lengths + 1, memory), memory @ W_V)


@misconception(
    "cross_attention",
    caught_by="test_a_padded_source_wider_than_the_target",
    says="This looks as if the lengths had hidden rows, which are the target's positions. They "
    "are the source's lengths: they hide columns, the keys.",
)
def cross_with_hidden_queries(target, memory, lengths, W_Q, W_K, W_V):
    rows = np.arange(target.shape[1])[:, None] < lengths[:, None, None]
    weights = _softmax(_scores(target @ W_Q, memory @ W_K)) * rows
    return weights @ (memory @ W_V), weights


@misconception(
    "cross_attention",
    caught_by="test_what_stands_in_the_padding_does_not_matter",
    says="This looks like a large number taken from the padding's scores. A score can be larger "
    "still; only −∞ can't be beaten.",
)
def cross_with_a_small_fill(target, memory, lengths, W_Q, W_K, W_V):
    fill = np.where(_real(lengths, memory), 0, -1e4)
    return _attend(_scores(target @ W_Q, memory @ W_K) + fill, True, memory @ W_V)


@misconception(
    "cross_attention",
    caught_by="test_what_stands_in_the_padding_does_not_matter",
    says="This looks like a softmax without subtracting the largest score first: the exponential "
    "of 900 is too large for a float, and infinity over infinity is not a number.",
)
def cross_overflowing(target, memory, lengths, W_Q, W_K, W_V):
    scores = np.where(_real(lengths, memory), _scores(target @ W_Q, memory @ W_K), -np.inf)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return weights @ (memory @ W_V), weights


@misconception(
    "cross_attention",
    caught_by="test_full_sources_as_wide_as_the_target",
    says="This looks like scores divided by d_k. What divides them is its square root.",
)
def cross_scaled_without_the_root(target, memory, lengths, W_Q, W_K, W_V):
    scores = (target @ W_Q) @ (memory @ W_K).swapaxes(-1, -2) / W_Q.shape[-1]
    return _attend(scores, _real(lengths, memory), memory @ W_V)


@right_variant("cross_attention")
def cross_by_loops(target, memory, lengths, W_Q, W_K, W_V):
    outputs, weights = [], []
    for y, m, length in zip(target, memory, lengths, strict=True):
        real = _softmax((y @ W_Q) @ (m[:length] @ W_K).T / np.sqrt(W_K.shape[1]))
        outputs.append(real @ (m[:length] @ W_V))
        weights.append(np.pad(real, ((0, 0), (0, len(m) - length))))
    return np.array(outputs), np.array(weights)


@right_variant("cross_attention")
def cross_by_einsum(target, memory, lengths, W_Q, W_K, W_V):
    scores = np.einsum("btd,dk,ek,bse->bts", target, W_Q, W_K, memory, optimize=True)
    scores = np.where(_real(lengths, memory), scores / np.sqrt(W_Q.shape[1]), -1e30)
    weights = _softmax(scores)
    return np.einsum("bts,bsd->btd", weights, memory) @ W_V, weights


def _decode(
    next_logits, start, end, max_tokens, *, after=None, stop=np.all, reads=True, choose=np.argmax
):
    """Greedy decoding with one thing done otherwise."""
    rows, new = np.arange(len(next_logits)), np.full(len(next_logits), start)
    ended, written = np.zeros(len(rows), dtype=bool), []
    while len(written) < max_tokens and not stop(ended):
        likeliest = choose(next_logits[rows, new if reads else start], axis=1)
        new = np.where(ended, end if after is None else after(likeliest), likeliest)
        ended = ended | (new == end)
        written.append(new)
    return np.stack(written, axis=1)


@right_variant("cross_attention")
def cross_in_float32(target, memory, lengths, W_Q, W_K, W_V):
    target, memory, W_Q, W_K, W_V = (a.astype(np.float32) for a in (target, memory, W_Q, W_K, W_V))
    scores = _scores(target @ W_Q, memory @ W_K)
    return _attend(scores, _real(lengths, memory), memory @ W_V)


@misconception(
    "greedy",
    caught_by="test_one_text_until_its_end",
    says="This looks as if the start token were part of what was written. It is what the decoder "
    "stands on before the first token, and no token of the text.",
)
def greedy_with_the_start(next_logits, start, end, max_tokens):
    written = _decode(next_logits, start, end, max_tokens)
    return np.concatenate([np.full((len(written), 1), start), written], axis=1)


@misconception(
    "greedy",
    caught_by="test_one_text_until_its_end",
    says="This looks as if it wrote on to the last allowed token. Once every row has ended "
    "there is nothing left to write.",
)
def greedy_without_stopping(next_logits, start, end, max_tokens):
    return _decode(next_logits, start, end, max_tokens, stop=lambda ended: False)


@misconception(
    "greedy",
    caught_by="test_one_text_until_its_end",
    says="This looks as if the end token were thrown away. It is what tells a text that is "
    "complete from one that was cut off.",
)
def greedy_without_the_end(next_logits, start, end, max_tokens):
    written = _decode(next_logits, start, end, max_tokens)
    return written[:, :-1] if (written[:, -1] == end).all() else written


@misconception(
    "greedy",
    caught_by="test_one_text_until_its_end",
    says="This looks as if each step stood on the start token again. The token that was written "
    "has to go back in.",
)
def greedy_always_at_the_start(next_logits, start, end, max_tokens):
    return _decode(next_logits, start, end, max_tokens, reads=False)


@misconception(
    "greedy",
    caught_by="test_one_text_until_its_end",
    says="This looks like the columns of the table: it finds the token that is most often followed "
    "by this one. The logits of what comes next are a row.",
)
def greedy_by_columns(next_logits, start, end, max_tokens):
    return _decode(next_logits.swapaxes(1, 2), start, end, max_tokens)


@misconception(
    "greedy",
    caught_by="test_one_text_until_its_end",
    says="This looks like the smallest logit. The likeliest token is the one with the largest.",
)
def greedy_by_the_smallest(next_logits, start, end, max_tokens):
    return _decode(next_logits, start, end, max_tokens, choose=np.argmin)


@misconception(
    "greedy",
    caught_by="test_one_text_until_its_end",
    says="This looks like a row for each step. The result has a row for each text: stack the "
    "steps along the second axis.",
)
def greedy_with_steps_first(next_logits, start, end, max_tokens):
    return _decode(next_logits, start, end, max_tokens).T


@misconception(
    "greedy",
    caught_by="test_a_text_that_ends_before_the_other",
    says="This looks as if all texts stopped with the first that ended. The others are not done.",
)
def greedy_until_one_has_ended(next_logits, start, end, max_tokens):
    return _decode(next_logits, start, end, max_tokens, stop=np.any)


@misconception(
    "greedy",
    caught_by="test_a_text_that_ends_before_the_other",
    says="This looks as if a text went on after its end while the other was still being written. "
    "What a text says then depends on its neighbours in the batch.",
)
def greedy_going_on_after_the_end(next_logits, start, end, max_tokens):
    return _decode(next_logits, start, end, max_tokens, after=lambda likeliest: likeliest)


@misconception(
    "greedy",
    caught_by="test_a_text_that_ends_before_the_other",
    says="This looks like zeros after the end. Here a text that has ended goes on with its end "
    "token; 0 may be a word.",
)
def greedy_with_zeros_after_the_end(next_logits, start, end, max_tokens):
    return _decode(next_logits, start, end, max_tokens, after=lambda likeliest: 0)


@misconception(
    "greedy",
    caught_by="test_no_more_tokens_than_allowed",
    says="This looks one token too long: `max_tokens` counts all that is written.",
)
def greedy_one_too_long(next_logits, start, end, max_tokens):
    return _decode(next_logits, start, end, max_tokens + 1)


@misconception(
    "greedy",
    caught_by="test_no_more_tokens_than_allowed",
    says="This looks one token too short: the start token is not written, and does not count "
    "towards `max_tokens`.",
)
def greedy_one_too_short(next_logits, start, end, max_tokens):
    return _decode(next_logits, start, end, max_tokens - 1)


@right_variant("greedy")
def greedy_row_by_row(next_logits, start, end, max_tokens):
    texts = []
    for table in next_logits:
        text, last = [], start
        while last != end and len(text) < max_tokens:
            last = int(np.argmax(table[last]))
            text.append(last)
        texts.append(text)
    longest = max(map(len, texts))
    return [text + [end] * (longest - len(text)) for text in texts]


@right_variant("greedy")
def greedy_cut_afterwards(next_logits, start, end, max_tokens):
    new = np.full((len(next_logits), 1), start)
    written = np.empty((len(next_logits), 0), dtype=int)
    for _ in range(max_tokens):
        rated = np.take_along_axis(next_logits, new[:, :, None], axis=1)
        new = rated.argmax(axis=-1)
        written = np.concatenate([written, new], axis=1)
    ended = np.logical_or.accumulate(written == end, axis=1)
    needed = min(max_tokens, int((~ended).sum(axis=1).max()) + 1)
    return np.where(ended, end, written)[:, :needed]


def _before_end(row, end):
    row = [int(token) for token in row]
    return row[: row.index(end)] if end in row else row


@misconception(
    "exact_matches",
    caught_by="test_seven_translations",
    says="This looks like whole rows compared. What stands behind the end is no part of the "
    "translation: one side has filler there, the other its end token again.",
)
def exact_to_the_last_place(written, targets, end):
    T = min(written.shape[1], targets.shape[1])
    return (written[:, :T] == targets[:, :T]).all(axis=1)


@misconception(
    "exact_matches",
    caught_by="test_seven_translations",
    says="This looks like whole rows compared, width and all. The two tables may have different "
    "widths, and then no row equals another; only what stands up to the end counts.",
)
def exact_with_the_width(written, targets, end):
    return np.array([np.array_equal(w, t) for w, t in zip(written, targets, strict=True)])


@misconception(
    "exact_matches",
    caught_by="test_seven_translations",
    says="This looks like the share of right tokens. A translation with one wrong digit is another "
    "number: it counts as wrong.",
)
def exact_by_shares(written, targets, end):
    pairs = zip(written, targets, (targets == end).argmax(axis=1) + 1, strict=True)
    return np.array([(w[:n] == t[: len(w[:n])]).mean() for w, t, n in pairs])


@misconception(
    "exact_matches",
    caught_by="test_seven_translations",
    says="This looks like a comparison that stops with the shorter text. A translation that ends "
    "too early, or too late, is wrong.",
)
def exact_up_to_the_shorter(written, targets, end):
    found = []
    for row, target in zip(written, targets, strict=True):
        pairs = zip(_before_end(row, end), _before_end(target, end), strict=False)
        found.append(all(a == b for a, b in pairs))
    return np.array(found)


@misconception(
    "exact_matches",
    caught_by="test_seven_translations",
    says="This looks as if both ends were taken off before comparing. A text that was cut off "
    "where its end should stand then counts as right.",
)
def exact_with_the_ends_taken_off(written, targets, end):
    def text(row):
        return row[: row.index(end)] if end in row else row

    pairs = zip(written.tolist(), targets.tolist(), strict=True)
    return [text(one) == text(other) for one, other in pairs]


@misconception(
    "exact_matches",
    caught_by="test_seven_translations",
    says="This looks as if the end token were not compared. Without it, a translation that says "
    "too much counts as right.",
)
def exact_without_the_end(written, targets, end):
    pairs = zip(written, targets, (targets == end).argmax(axis=1), strict=True)
    return np.array([(w[:n] == t[:n]).all() for w, t, n in pairs])


@misconception(
    "exact_matches",
    caught_by="test_seven_translations",
    says="This looks like the place of the end taken from what was written. A text that was cut "
    "off has no end, and `argmax` of a row without True is 0.",
)
def exact_up_to_the_written_end(written, targets, end):
    pairs = zip(written, targets, (written == end).argmax(axis=1) + 1, strict=True)
    return np.array([np.array_equal(w[:n], t[:n]) for w, t, n in pairs])


@misconception(
    "exact_matches",
    caught_by="test_seven_translations",
    says="This looks as if the order of the tokens did not matter.",
)
def exact_in_any_order(written, targets, end):
    texts = [
        (sorted(_before_end(w, end)), sorted(_before_end(t, end)))
        for w, t in zip(written, targets, strict=True)
    ]
    return np.array([w == t for w, t in texts])


@misconception(
    "exact_matches",
    caught_by="test_seven_translations",
    says="This looks like one share for the whole batch. The answer here is True or False for each "
    "translation; their mean is for later.",
)
def exact_on_average(written, targets, end):
    return np.mean(exact_by_pairs(written, targets, end))


@misconception(
    "exact_matches",
    caught_by="test_seven_translations",
    says="This looks as if one right token were enough: `any` in the place of `all`.",
)
def exact_with_any(written, targets, end):
    T = min(written.shape[1], targets.shape[1])
    return (written[:, :T] == targets[:, :T]).any(axis=1)


@right_variant("exact_matches")
def exact_by_pairs(written, targets, end):
    return [
        end in w and _before_end(w, end) == _before_end(t, end)
        for w, t in zip(written, targets, strict=True)
    ]


@right_variant("exact_matches")
def exact_with_a_mask(written, targets, end):
    missing = max(0, targets.shape[1] - written.shape[1])
    written = np.pad(written, ((0, 0), (0, missing)), constant_values=-7)
    T = targets.shape[1]
    counted = np.arange(T) <= (targets == end).argmax(axis=1)[:, None]
    return ((written[:, :T] == targets) | ~counted).all(axis=1).astype(np.float32)
