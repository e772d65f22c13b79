"""A solution of exercise 13. Its model is trained in training.py, the cells that come before."""

import numpy as np

from course_lib import reference


def held_out_accuracy(logits, answers, held_out, place):
    right = logits[:, place].argmax(axis=-1) == answers
    return right[held_out].mean()


def trained():
    return as_arrays(reader)


def inputs_and_mask(model, tokens):
    _, embedding, positions, *_ = model
    return embedding[tokens] + positions[: tokens.shape[1]], (tokens != PADDING)[:, None]


def logits_at(model, tokens, place):
    num_heads, _, _, blocks, final_norm, to_words = model
    x, mask = inputs_and_mask(model, tokens)
    for block in blocks:
        x = reference.pre_norm_block(x, as_weights(block), num_heads, mask)
    return reference.layer_norm(x[:, place], *final_norm) @ to_words


def attention_from(model, tokens, place):
    num_heads, _, _, blocks, _, _ = model
    x, mask = inputs_and_mask(model, tokens)
    maps = []
    for block in map(as_weights, blocks):
        n = reference.layer_norm(x, *block.attention_norm)
        weights = reference.multi_head_weights(n, n, block.attention, num_heads, mask)
        maps.append(weights[:, :, place])
        x = reference.pre_norm_block(x, block, num_heads, mask)
    return np.stack(maps, axis=1)


def share_on_nouns(maps, nouns):
    places = nouns[:, None, None, :]
    return np.take_along_axis(maps, places, axis=-1).sum(axis=-1).mean(axis=0)


def weight_moved(maps, exchanged):
    return np.abs(maps - exchanged).sum(axis=-1).mean(axis=0) / 2


def finder(maps, meant):
    weights = maps[np.arange(len(maps)), :, :, meant].mean(axis=0)
    layer, head = np.unravel_index(weights.argmax(), weights.shape)
    return layer, head, weights[layer, head]
