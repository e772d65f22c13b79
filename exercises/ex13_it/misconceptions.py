"""What people write instead, and right ways that differ from the solution."""

import numpy as np

from course_lib import reference
from course_lib.data.pronouns import IT
from course_lib.grading import misconception, right_variant
from course_lib.reference import BlockWeights, FeedForwardWeights, NormWeights, Projections

ACCURACY = "test_the_share_of_held_out_texts_that_are_right"


@misconception(
    "held_out_accuracy",
    caught_by=ACCURACY,
    says="This looks like the share among all texts. Those that the model was trained on are in "
    "it, and a model that knows them by heart would look good.",
)
def accuracy_of_all_texts(logits, answers, held_out, place):
    return (logits[:, place].argmax(axis=-1) == answers).mean()


@misconception(
    "held_out_accuracy",
    caught_by=ACCURACY,
    says="This looks like the share among the training texts: `held_out` is True for the others.",
)
def accuracy_of_training_texts(logits, answers, held_out, place):
    return (logits[:, place].argmax(axis=-1) == answers)[~held_out].mean()


@misconception(
    "held_out_accuracy",
    caught_by=ACCURACY,
    says="This looks like the right ones among the held-out texts, divided by the number of all "
    "texts. They can only be compared with the held-out ones.",
)
def accuracy_divided_by_all_texts(logits, answers, held_out, place):
    return ((logits[:, place].argmax(axis=-1) == answers) & held_out).mean()


@misconception(
    "held_out_accuracy",
    caught_by=ACCURACY,
    says="This looks like the answers at the last token, as of a model that writes on. This model "
    "is asked at `place`.",
)
def accuracy_at_the_last_token(logits, answers, held_out, place):
    return (logits[:, -1].argmax(axis=-1) == answers)[held_out].mean()


@misconception(
    "held_out_accuracy",
    caught_by=ACCURACY,
    says="This looks like a number of texts. A share is wanted: the number over all that were "
    "asked.",
)
def accuracy_as_a_count(logits, answers, held_out, place):
    return (logits[:, place].argmax(axis=-1) == answers)[held_out].sum()


@misconception(
    "held_out_accuracy",
    caught_by=ACCURACY,
    says="This looks like per cent. A share between 0 and 1 is wanted.",
)
def accuracy_in_per_cent(logits, answers, held_out, place):
    return 100 * (logits[:, place].argmax(axis=-1) == answers)[held_out].mean()


@right_variant("held_out_accuracy")
def accuracy_by_a_loop(logits, answers, held_out, place):
    chosen = np.flatnonzero(held_out)
    right = [int(np.argmax(logits[row][place]) == answers[row]) for row in chosen]
    return sum(right) / len(right)


@right_variant("held_out_accuracy")
def accuracy_of_chosen_rows(logits, answers, held_out, place):
    named = np.argmax(logits[held_out, place, :], axis=1)
    return np.float32(np.count_nonzero(named == answers[held_out]) / np.count_nonzero(held_out))


def _weights(block):
    attention, attention_norm, feed_forward, feed_forward_norm = block
    return BlockWeights(
        Projections(*attention),
        NormWeights(*attention_norm),
        FeedForwardWeights(*feed_forward),
        NormWeights(*feed_forward_norm),
    )


def _start(model, tokens):
    """The inputs of the first block, and the mask that hides padding."""
    return model[1][tokens] + model[2][: tokens.shape[1]], (tokens != 0)[:, None]


def _through(model, x, mask, block_of=reference.pre_norm_block):
    """The blocks one after the other; the last normalisation is left out."""
    for block in model[3]:
        x = block_of(x, _weights(block), model[0], mask)
    return x


def _read_out(model, x):
    return reference.layer_norm(x, *model[4]) @ model[5]


@misconception(
    "logits_at",
    caught_by="test_logits_of_full_texts",
    says="This looks as if the last normalisation were missing. A pre-norm stack never normalises "
    "its stream; what leaves it has to be normalised once.",
)
def logits_without_the_last_norm(model, tokens, place):
    return _through(model, *_start(model, tokens))[:, place] @ model[5]


@misconception(
    "logits_at",
    caught_by="test_logits_of_full_texts",
    says="This looks like a model without positions: the same words in another order give the same "
    "logits.",
)
def logits_without_positions(model, tokens, place):
    _, mask = _start(model, tokens)
    return _read_out(model, _through(model, model[1][tokens], mask))[:, place]


@misconception(
    "logits_at",
    caught_by="test_logits_of_full_texts",
    says="This looks like the logits at the last token. The answer is read at `place`.",
)
def logits_at_the_end(model, tokens, place):
    return _read_out(model, _through(model, *_start(model, tokens)))[:, -1]


@misconception(
    "logits_at",
    caught_by="test_logits_of_full_texts",
    says="This looks like the logits at “it”. The checks ask at other places too: the answer is "
    "read at `place`.",
)
def logits_at_it(model, tokens, place):
    return _read_out(model, _through(model, *_start(model, tokens)))[:, IT]


@misconception(
    "logits_at",
    caught_by="test_logits_of_full_texts",
    says="This looks like the mean over all tokens. The answer is read at one of them.",
)
def logits_averaged(model, tokens, place):
    return _read_out(model, _through(model, *_start(model, tokens))).mean(axis=1)


@misconception(
    "logits_at",
    caught_by="test_logits_of_full_texts",
    says="This looks like post-norm blocks, which normalise after adding. The reader was trained "
    "with normalisation before each part.",
)
def logits_of_post_norm_blocks(model, tokens, place):
    x = _through(model, *_start(model, tokens), reference.post_norm_block)
    return _read_out(model, x)[:, place]


@misconception(
    "logits_at",
    caught_by="test_logits_of_full_texts",
    says="This looks like one wide head. With the same matrices, the number of heads decides which "
    "columns make a dot product.",
)
def logits_with_one_head(model, tokens, place):
    return _read_out(model, _through((1, *model[1:]), *_start(model, tokens)))[:, place]


@misconception(
    "logits_at",
    caught_by="test_logits_of_full_texts",
    says="These look like probabilities. The logits are wanted, as they are before the softmax.",
)
def logits_as_probabilities(model, tokens, place):
    return reference.softmax(_read_out(model, _through(model, *_start(model, tokens)))[:, place])


@misconception(
    "logits_at",
    caught_by="test_logits_of_texts_with_padding",
    says="This looks as if the filling were read. Its tokens are no part of the text, and the same "
    "text in a longer batch would get other logits.",
)
def logits_with_padding_read(model, tokens, place):
    x, _ = _start(model, tokens)
    return _read_out(model, _through(model, x, None))[:, place]


@misconception(
    "logits_at",
    caught_by="test_logits_of_texts_with_padding",
    says="This looks like one block alone. The blocks work one after the other, each on what the "
    "one before it gave.",
)
def logits_after_one_block(model, tokens, place):
    one = (*model[:3], model[3][:1], *model[4:])
    return _read_out(model, _through(one, *_start(model, tokens)))[:, place]


@right_variant("logits_at")
def logits_text_by_text(model, tokens, place):
    rows = []
    for text in tokens:
        text = text[text != 0]
        x = model[1][text] + model[2][: len(text)]
        for block in model[3]:
            x = reference.pre_norm_block(x, _weights(block), model[0])
        rows.append(_read_out(model, x[place]))
    return rows


@right_variant("logits_at")
def logits_in_float32(model, tokens, place):
    x, mask = _start(model, tokens)
    return _read_out(model, _through(model, x.astype(np.float32), mask)).astype(np.float32)[
        :, place
    ]


def _all_maps(model, tokens, normalised=True, before=True, chained=True, mask=True):
    """The maps of each layer, (B, H, T, S), with what can be forgotten about them."""
    x, real = _start(model, tokens)
    real = real if mask else None
    found = []
    for block in map(_weights, model[3]):
        after = reference.pre_norm_block(x, block, model[0], real)
        seen = x if before else after
        n = reference.layer_norm(seen, *block.attention_norm) if normalised else seen
        found.append(reference.multi_head_weights(n, n, block.attention, model[0], real))
        x = after if chained else x
    return found


def _from(found, place):
    return np.stack([weights[:, :, place] for weights in found], axis=1)


@misconception(
    "attention_from",
    caught_by="test_maps_of_one_layer",
    says="This looks like the weight that the token is given by all others: a column of the map. "
    "What a token looks at is its row, and a row sums to 1.",
)
def attention_to(model, tokens, place):
    return np.stack([weights[:, :, :, place] for weights in _all_maps(model, tokens)], axis=1)


@misconception(
    "attention_from",
    caught_by="test_maps_of_one_layer",
    says="This looks as if the stream were read as it is. In a pre-norm block queries and keys are "
    "made from the normalised stream, with the block's own gain and bias.",
)
def attention_without_the_norm(model, tokens, place):
    return _from(_all_maps(model, tokens, normalised=False), place)


@misconception(
    "attention_from",
    caught_by="test_maps_of_one_layer",
    says="This looks like maps of what comes out of the block. The block looks before it writes: "
    "its map is made from what goes in.",
)
def attention_after_the_block(model, tokens, place):
    return _from(_all_maps(model, tokens, before=False), place)


@misconception(
    "attention_from",
    caught_by="test_maps_of_one_layer",
    says="This looks like the mean over the heads, which PyTorch's own layer returns. Every head "
    "has a map of its own, and the mean hides what they look at.",
)
def attention_averaged_over_heads(model, tokens, place):
    return _from(_all_maps(model, tokens), place).mean(axis=2)


@misconception(
    "attention_from",
    caught_by="test_maps_of_one_layer",
    says="This looks like what the last token looks at. The row of `place` is wanted.",
)
def attention_from_the_last(model, tokens, place):
    return _from(_all_maps(model, tokens), -1)


@misconception(
    "attention_from",
    caught_by="test_maps_of_two_layers_with_padding",
    says="This looks as if every layer read the embeddings. The second layer reads what the first "
    "one wrote, and only there do the nouns know what was done and said.",
)
def attention_of_the_embeddings(model, tokens, place):
    return _from(_all_maps(model, tokens, chained=False), place)


@misconception(
    "attention_from",
    caught_by="test_maps_of_two_layers_with_padding",
    says="This looks like the layers in reverse. The first one comes first.",
)
def attention_layers_reversed(model, tokens, place):
    return _from(_all_maps(model, tokens)[::-1], place)


@misconception(
    "attention_from",
    caught_by="test_maps_of_two_layers_with_padding",
    says="This looks as if the filling got weight. Hide it before the softmax, in every layer.",
)
def attention_to_padding(model, tokens, place):
    return _from(_all_maps(model, tokens, mask=False), place)


@misconception(
    "attention_from",
    caught_by="test_maps_of_two_layers_with_padding",
    says="This looks as if layers and heads had changed places. The order of the axes is texts, "
    "layers, heads, tokens.",
)
def attention_heads_before_layers(model, tokens, place):
    return _from(_all_maps(model, tokens), place).swapaxes(1, 2)


@right_variant("attention_from")
def attention_text_by_text(model, tokens, place):
    rows = np.zeros((len(tokens), len(model[3]), model[0], tokens.shape[1]))
    for row, text in zip(rows, tokens, strict=True):
        real = text[text != 0][None]
        row[:, :, : real.shape[1]] = _from(_all_maps(model, real), place)[0]
    return rows


@right_variant("attention_from")
def attention_by_einsum(model, tokens, place):
    x, mask = _start(model, tokens)
    num_heads, layers = model[0], []
    for block in model[3]:
        (W_Q, W_K, _, _), norm, _, _ = block
        n = reference.layer_norm(x, *norm)
        q = (n[:, place] @ W_Q).reshape(len(x), num_heads, -1)
        k = (n @ W_K).reshape(*x.shape[:2], num_heads, -1)
        scores = np.einsum("bhd,bshd->bhs", q, k) / np.sqrt(q.shape[-1])
        layers.append(reference.softmax(np.where(mask, scores, -np.inf)))
        x = reference.pre_norm_block(x, _weights(block), num_heads, mask)
    return np.array(layers).swapaxes(0, 1).astype(np.float32)


def _on(maps, places):
    """The weight of one token of each text, (B, L, H)."""
    return maps[np.arange(len(maps)), :, :, places]


@misconception(
    "share_on_nouns",
    caught_by="test_the_share_on_two_nouns",
    says="This looks like the first noun alone. The weight of both nouns together is wanted.",
)
def share_on_the_first_noun(maps, nouns):
    return _on(maps, nouns[:, 0]).mean(axis=0)


@misconception(
    "share_on_nouns",
    caught_by="test_the_share_on_two_nouns",
    says="This looks like the mean of the two nouns. Shares of one whole are added.",
)
def share_as_a_mean(maps, nouns):
    return (_on(maps, nouns[:, 0]) + _on(maps, nouns[:, 1])).mean(axis=0) / 2


@misconception(
    "share_on_nouns",
    caught_by="test_the_share_on_two_nouns",
    says="This looks as if the first text's places were used for all texts. Each text has its own.",
)
def share_at_the_first_texts_places(maps, nouns):
    return maps[..., nouns[0]].sum(axis=-1).mean(axis=0)


@misconception(
    "share_on_nouns",
    caught_by="test_the_share_on_two_nouns",
    says="This looks like the sum over the texts. Their mean is wanted, which stays a share.",
)
def share_summed_over_texts(maps, nouns):
    return (_on(maps, nouns[:, 0]) + _on(maps, nouns[:, 1])).sum(axis=0)


@misconception(
    "share_on_nouns",
    caught_by="test_the_share_on_two_nouns",
    says="This looks like the noun with the larger weight alone. Both are wanted, added.",
)
def share_on_the_larger_noun(maps, nouns):
    return np.maximum(_on(maps, nouns[:, 0]), _on(maps, nouns[:, 1])).mean(axis=0)


@right_variant("share_on_nouns")
def share_by_a_mask(maps, nouns):
    is_noun = (np.arange(maps.shape[-1]) == nouns[:, :, None]).any(axis=1)
    return np.einsum("blhs,bs->lh", maps, is_noun) / len(maps)


@right_variant("share_on_nouns")
def share_by_a_loop(maps, nouns):
    rows = [m[:, :, one] + m[:, :, two] for m, (one, two) in zip(maps, nouns, strict=True)]
    return (sum(rows) / len(rows)).tolist()


@misconception(
    "weight_moved",
    caught_by="test_the_weight_that_moved",
    says="This looks like the sum of all differences. What leaves one token arrives at another, so "
    "that each piece is counted twice.",
)
def moved_without_the_half(maps, exchanged):
    return np.abs(maps - exchanged).sum(axis=-1).mean(axis=0)


@misconception(
    "weight_moved",
    caught_by="test_the_weight_that_moved",
    says="This looks like the difference of the mean maps. A move in one text and a move back in "
    "another cancel there: measure each text first, and average afterwards.",
)
def moved_of_the_mean_maps(maps, exchanged):
    return np.abs((maps - exchanged).mean(axis=0)).sum(axis=-1) / 2


@misconception(
    "weight_moved",
    caught_by="test_the_weight_that_moved",
    says="This looks like differences with their signs. Both maps sum to 1, so that these always "
    "sum to 0.",
)
def moved_with_signs(maps, exchanged):
    return (maps - exchanged).sum(axis=-1).mean(axis=0)


@misconception(
    "weight_moved",
    caught_by="test_the_weight_that_moved",
    says="This looks like the largest difference alone. Weight that moves to several tokens has to "
    "be counted at all of them.",
)
def moved_at_one_token(maps, exchanged):
    return np.abs(maps - exchanged).max(axis=-1).mean(axis=0)


@misconception(
    "weight_moved",
    caught_by="test_the_weight_that_moved",
    says="This looks like the mean over the tokens. It gets smaller with every token that has no "
    "part in it; the pieces are added.",
)
def moved_averaged_over_tokens(maps, exchanged):
    return np.abs(maps - exchanged).mean(axis=-1).mean(axis=0)


@misconception(
    "weight_moved",
    caught_by="test_the_weight_that_moved",
    says="This looks like squared differences, or their root. A share of the weight is wanted, and "
    "for that plain differences are added.",
)
def moved_as_a_distance(maps, exchanged):
    return np.sqrt(((maps - exchanged) ** 2).sum(axis=-1)).mean(axis=0)


@right_variant("weight_moved")
def moved_as_what_arrives(maps, exchanged):
    return np.clip(exchanged - maps, 0, None).sum(axis=-1).mean(axis=0)


@right_variant("weight_moved")
def moved_as_what_does_not_stay(maps, exchanged):
    return 1 - np.minimum(maps, exchanged).sum(axis=3).sum(axis=0) / len(maps)


@misconception(
    "finder",
    caught_by="test_the_head_that_finds_the_noun",
    says="This looks as if layers and heads were counted from 1. As everywhere in Python, the "
    "first has the number 0.",
)
def finder_from_one(maps, meant):
    layer, head, weight = _finder(_on(maps, meant).mean(axis=0))
    return layer + 1, head + 1, weight


@misconception(
    "finder",
    caught_by="test_the_head_that_finds_the_noun",
    says="This looks like head and layer in the wrong order: the layer comes first.",
)
def finder_turned_round(maps, meant):
    layer, head, weight = _finder(_on(maps, meant).mean(axis=0))
    return head, layer, weight


@misconception(
    "finder",
    caught_by="test_the_head_that_finds_the_noun",
    says="This looks like the head that is surest of any token. A head may look hard at a full "
    "stop; what counts is its weight on the noun that is meant.",
)
def finder_of_any_token(maps, meant):
    return _finder(maps.max(axis=-1).mean(axis=0))


@misconception(
    "finder",
    caught_by="test_the_head_that_finds_the_noun",
    says="This looks like the best text of each head. One lucky text is not finding: take the mean "
    "over the texts.",
)
def finder_in_the_best_text(maps, meant):
    return _finder(_on(maps, meant).max(axis=0))


@misconception(
    "finder",
    caught_by="test_the_head_that_finds_the_noun",
    says="This looks as if the first text's noun were looked for in all texts. It stands in "
    "another place in each.",
)
def finder_of_the_first_texts_noun(maps, meant):
    return _finder(maps[..., meant[0]].mean(axis=0))


@misconception(
    "finder",
    caught_by="test_the_head_that_finds_the_noun",
    says="This looks like the sum of the weights over the texts. Their mean is wanted, which can "
    "be read as a share.",
)
def finder_with_a_sum(maps, meant):
    return _finder(_on(maps, meant).sum(axis=0))


def _finder(weights):
    layer, head = np.unravel_index(weights.argmax(), weights.shape)
    return layer, head, weights[layer, head]


@right_variant("finder")
def finder_by_division(maps, meant):
    weights = np.take_along_axis(maps, meant[:, None, None, None], axis=3)[..., 0].mean(axis=0)
    layer, head = divmod(int(weights.argmax()), weights.shape[1])
    return layer, head, float(weights.max())


@right_variant("finder")
def finder_by_a_loop(maps, meant):
    best = (0, 0, -1.0)
    for layer in range(maps.shape[1]):
        for head in range(maps.shape[2]):
            weight = sum(maps[b, layer, head, s] for b, s in enumerate(meant)) / len(meant)
            best = (layer, head, weight) if weight > best[2] else best
    return best
