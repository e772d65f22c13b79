"""Checks of exercise 13: a model that was trained, run in NumPy, and questions about its maps."""

from typing import NamedTuple

import numpy as np

from course_lib import reference
from course_lib.data import pronouns
from course_lib.data.pronouns import IT, Sentence
from course_lib.grading import CheckFailed, expect, hidden, points
from course_lib.grading.student import as_data
from course_lib.reference import BlockWeights, FeedForwardWeights, NormWeights, Projections

SHORTCUTS = {
    "held_out_accuracy": ["sklearn.metrics.accuracy_score"],
    "trained": [],
    "logits_at": [],
    "attention_from": [],
    "share_on_nouns": [],
    "weight_moved": [],
    "finder": [],
}
LIMITS = {"cells": 180}  # the notebook promises a minute, on a machine that is not busy
# Our own NumPy and the learner's PyTorch run the same float32 weights in different orders.
CLOSE = {"rtol": 1e-2, "atol": 1e-4}


class Run(NamedTuple):
    """What a model gives at one place."""

    logits: np.ndarray  # (B, V)
    maps: np.ndarray  # (B, L, H, S)


def run(model, tokens, place) -> Run:
    """A pre-norm encoder, computed by course_lib.reference."""
    num_heads, embedding, positions, blocks, final_norm, to_words = model
    x = embedding[tokens] + positions[: tokens.shape[1]]
    mask = (tokens != pronouns.PADDING)[:, None]
    maps = []
    for attention, attention_norm, feed_forward, feed_forward_norm in blocks:
        block = BlockWeights(
            Projections(*attention),
            NormWeights(*attention_norm),
            FeedForwardWeights(*feed_forward),
            NormWeights(*feed_forward_norm),
        )
        n = reference.layer_norm(x, *block.attention_norm)
        weights = reference.multi_head_weights(n, n, block.attention, num_heads, mask)
        maps.append(weights[:, :, place])
        x = reference.pre_norm_block(x, block, num_heads, mask)
    logits = reference.layer_norm(x, *final_norm)[:, place] @ to_words
    return Run(logits, np.stack(maps, axis=1))


@points("1/2", task="train")
def test_the_share_of_held_out_texts_that_are_right(student):
    """Five texts of three tokens, three of them held out, asked at the third and at the second."""
    named = np.array([[2, 0, 1], [0, 3, 1], [3, 0, 2], [1, 2, 3], [0, 1, 2]])
    logits = -np.abs(np.arange(4.0) - named[..., None])
    answers = np.array([1, 3, 2, 3, 1])
    held_out = np.array([False, True, True, True, False])
    for place, share in ((2, 2 / 3), (1, 1 / 3)):
        expect(student.held_out_accuracy(logits, answers, held_out, place), share)


def _numbers_of(student):
    """What `trained` returned, and the language of the texts that it was trained on."""
    model = student.trained()
    if isinstance(model, tuple | list) and len(model) == 6:
        num_heads, embedding, positions, *rest = map(as_data, model)
        for language in ("en", "ko"):
            V = len(pronouns.vocabulary(language))
            if np.shape(embedding)[:1] == np.shape(rest[-1])[1:] == (V,):
                return (int(num_heads), embedding, positions, *rest), language
    raise CheckFailed("`trained` has to return what `as_arrays` makes of your reader.")


def _run_at_it(model, language, sentences):
    try:
        with np.errstate(all="ignore"):
            found = run(model, pronouns.encode(sentences, language), IT)
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        said = "The numbers of your model do not fit together: {error}"
        raise CheckFailed(said, error=str(error)) from None
    if not np.isfinite(found.logits).all():
        raise CheckFailed(
            "Your model rates words with NaN (not a number) or infinity. If the loss turned into "
            "NaN in training, start again with a lower rate of learning."
        )
    return Run(*(numbers.astype(float) for numbers in found))


def _right(model, language, sentences):
    """True for each sentence in which the model names the noun that is meant."""
    logits = _run_at_it(model, language, sentences).logits
    return logits.argmax(axis=-1) == pronouns.answers(sentences, language)


def _rounded_down(share):
    """To whole per cent, so that none is shown that would have been enough."""
    return np.floor(100 * share) / 100


def _held_out(sentences):
    return [sentence for sentence in sentences if sentence.is_held_out]


@points(1, task="train")
def test_your_model_on_held_out_texts_by_kind(student):
    """Held-out texts in which the predicate fits one of the two nouns."""
    right = _right(*_numbers_of(student), _held_out(pronouns.kind_sentences()))
    share = _rounded_down(right.mean())
    if share < 0.9:
        raise CheckFailed(
            "{share:.0%} of them are right, and 90 % have to be. A bag of words can do this. Is "
            "the loss taken at “it”, and does `trained` return the reader that you trained?",
            share=share,
        )


@points(1, task="train")
def test_your_model_on_held_out_texts_by_role(student):
    """Held-out texts in which verb and predicate decide together between two animals."""
    right = _right(*_numbers_of(student), _held_out(pronouns.role_sentences()))
    share = _rounded_down(right.mean())
    if share < 0.75:
        raise CheckFailed(
            "{share:.0%} of them are right, and 75 % have to be. Guessing between the two nouns "
            "gives one half, and so does a bag of words, or a model with one layer. With two "
            "layers, longer training or another start helps.",
            share=share,
        )


@points(1, task="train")
@hidden
def test_your_model_on_texts_that_differ_in_one_thing(student, rng):
    """Held-out texts in fours: as it is, another predicate, another verb, the nouns exchanged."""
    model, language = _numbers_of(student)
    right = _right(model, language, list(_fours(rng))).reshape(-1, 4)
    share = _rounded_down(right.all(axis=1).mean())
    if share < 0.9:
        raise CheckFailed(
            "{share:.0%} of the fours are right in all of their texts, and 90 % have to be. The "
            "answer has to turn when the predicate alone is exchanged, the verb alone, or the "
            "order of the nouns.",
            share=share,
        )


def _fours(rng):
    """Four sentences for each held-out pair of animals, in one order and in the other."""
    clauses = _held_out(pronouns.role_sentences())
    pairs = dict.fromkeys((clause.first, clause.second) for clause in clauses)
    for first, second in pairs:
        chased, avoided = rng.choice(["chased", "attacked"]), rng.choice(["avoided", "feared"])
        afraid, hungry = rng.choice(["afraid", "weak"]), rng.choice(["hungry", "angry"])
        yield Sentence(first, chased, second, afraid)
        yield Sentence(first, chased, second, hungry)
        yield Sentence(first, avoided, second, afraid)
        yield Sentence(second, chased, first, afraid)


def _model(rng, num_heads, num_layers, *, T=11, V=13):
    """A small model at random, with heads of width 5 that read and 7 hidden numbers."""
    d = 5 * num_heads

    def norm():
        return 1 + rng.normal(size=d) / 3, rng.normal(size=d) / 3

    def block():
        attention = tuple(rng.normal(size=(d, d)) / 2 for _ in range(4))
        shapes = (d, 7), (7,), (7, d), (d,)
        feed_forward = tuple(rng.normal(size=shape) / 2 for shape in shapes)
        return attention, norm(), feed_forward, norm()

    blocks = tuple(block() for _ in range(num_layers))
    tables = rng.normal(size=(V, d)), rng.normal(size=(T, d))
    return num_heads, *tables, blocks, norm(), rng.normal(size=(d, V))


def _tokens(rng, lengths, T, V=13):
    """Tokens at random, the rows filled up after their lengths."""
    tokens = rng.integers(1, V, size=(len(lengths), T))
    return np.where(np.arange(T) < np.array(lengths)[:, None], tokens, pronouns.PADDING)


@points("1/2", task="logits_at")
def test_logits_of_full_texts(student, rng):
    """Three texts of nine tokens, one layer, two heads, asked at position 3."""
    model, tokens = _model(rng, 2, 1), _tokens(rng, [9, 9, 9], 9)
    expect(student.logits_at(model, tokens, 3), run(model, tokens, 3).logits, **CLOSE)


@points("1/2", task="logits_at")
def test_logits_of_texts_with_padding(student, rng):
    """Texts of nine, four and six tokens, two layers, asked at position 2."""
    model, tokens = _model(rng, 2, 2), _tokens(rng, [9, 4, 6], 9)
    expect(student.logits_at(model, tokens, 2), run(model, tokens, 2).logits, **CLOSE)


@points("1/2", task="logits_at")
@hidden
def test_logits_of_any_model(student, rng):
    """Other numbers of heads, layers and tokens."""
    for num_heads, num_layers, T in ((3, 1, 5), (2, 3, 11)):
        model, tokens = _model(rng, num_heads, num_layers), _tokens(rng, [T, 4], T)
        place = int(rng.integers(4))
        expect(student.logits_at(model, tokens, place), run(model, tokens, place).logits, **CLOSE)


@points("1/2", task="attention_from")
def test_maps_of_one_layer(student, rng):
    """Two texts of five tokens, one layer, three heads: what position 3 looks at."""
    model, tokens = _model(rng, 3, 1), _tokens(rng, [5, 5], 5)
    expect(student.attention_from(model, tokens, 3), run(model, tokens, 3).maps, **CLOSE)


@points("1/2", task="attention_from")
def test_maps_of_two_layers_with_padding(student, rng):
    """Texts of nine, four and six tokens, two layers, three heads: what position 2 looks at."""
    model, tokens = _model(rng, 3, 2), _tokens(rng, [9, 4, 6], 9)
    expect(student.attention_from(model, tokens, 2), run(model, tokens, 2).maps, **CLOSE)


@points(1, task="attention_from")
@hidden
def test_maps_of_any_model(student, rng):
    """Other numbers of heads, layers and tokens."""
    for num_heads, num_layers, T in ((2, 3, 11), (1, 2, 5)):
        model, tokens = _model(rng, num_heads, num_layers), _tokens(rng, [T, 4], T)
        place = int(rng.integers(4))
        expect(
            student.attention_from(model, tokens, place), run(model, tokens, place).maps, **CLOSE
        )


# In tenths: three texts, two layers, one head, five tokens.
MAPS = (
    np.array(
        [
            [[[1, 4, 2, 3, 0]], [[0, 9, 0, 1, 0]]],
            [[[5, 0, 2, 1, 2]], [[2, 0, 1, 0, 7]]],
            [[[1, 2, 3, 1, 3]], [[2, 0, 4, 1, 3]]],
        ]
    )
    / 10
)


@points("1/2", task="questions")
def test_the_share_on_two_nouns(student):
    """Three texts, two layers, one head; the nouns stand in other places in each text."""
    nouns = np.array([[1, 3], [0, 4], [2, 3]])
    expect(student.share_on_nouns(MAPS, nouns), np.array([[0.6], [0.8]]))


@points("1/2", task="questions")
def test_the_weight_that_moved(student):
    """The same maps, and others: two, five and five tenths moved in the first layer."""
    exchanged = np.array(
        [
            [[[3, 4, 2, 1, 0]], [[0, 1, 0, 9, 0]]],
            [[[2, 2, 4, 2, 0]], [[2, 0, 1, 0, 7]]],
            [[[4, 2, 0, 3, 1]], [[2, 1, 3, 1, 3]]],
        ]
    )
    expect(student.weight_moved(MAPS, exchanged / 10), np.array([[0.4], [0.3]]))


@points("1/2", task="questions")
def test_the_head_that_finds_the_noun(student):
    """Three texts, two layers, three heads, four tokens."""
    maps = np.array(
        [
            [
                [[2, 6, 1, 1], [4, 4, 1, 1], [0, 3, 3, 4]],
                [[1, 5, 2, 2], [10, 0, 0, 0], [1, 7, 1, 1]],
            ],
            [
                [[6, 1, 1, 2], [1, 3, 5, 1], [3, 3, 1, 3]],
                [[2, 2, 5, 1], [10, 0, 0, 0], [9, 0, 0, 1]],
            ],
            [
                [[6, 2, 1, 1], [1, 2, 3, 4], [3, 1, 3, 3]],
                [[1, 1, 2, 6], [0, 0, 1, 9], [2, 4, 1, 3]],
            ],
        ]
    )
    expect(student.finder(maps / 10, np.array([1, 2, 3])), (1, 0, 16 / 30))


def _places(sentences, language, nouns):
    """The positions of `nouns`, one of them or several for each sentence."""
    texts = [pronouns.tokens(sentence, language) for sentence in sentences]
    return np.array(
        [
            [text.index(pronouns.noun_in(noun, language)) for noun in those]
            for text, those in zip(texts, nouns, strict=True)
        ]
    )


def _ask(student, maps, exchanged, nouns, meant):
    """All three questions; the true answers are worked out one text at a time."""
    on_nouns = np.mean(
        [m[..., two].sum(axis=-1) for m, two in zip(maps, nouns, strict=True)], axis=0
    )
    expect(student.share_on_nouns(maps, nouns), on_nouns)
    moved = [
        np.maximum(one - other, 0).sum(axis=-1) for one, other in zip(maps, exchanged, strict=True)
    ]
    expect(student.weight_moved(maps, exchanged), np.mean(moved, axis=0))
    weight = np.mean([m[..., place] for m, place in zip(maps, meant, strict=True)], axis=0)
    layer, head = np.argwhere(weight == weight.max())[0]
    expect(student.finder(maps, meant), (layer, head, weight.max()))


@points("1/2", task="questions")
def test_the_three_answers_for_your_own_model(student):
    """Your own model's maps at “it”, for held-out texts by role with “hungry” and with “afraid”."""
    model, language = _numbers_of(student)
    texts = [s for s in _held_out(pronouns.role_sentences()) if s.predicate == "afraid"]
    exchanged = [text._replace(predicate="hungry") for text in texts]
    maps = _run_at_it(model, language, texts).maps
    nouns = _places(texts, language, [(text.first, text.second) for text in texts])
    meant = _places(texts, language, [(text.referent,) for text in texts])[:, 0]
    _ask(student, maps, _run_at_it(model, language, exchanged).maps, nouns, meant)


@points(1, task="questions")
@hidden
def test_the_three_answers_for_any_maps(student, rng):
    """Other numbers of texts, layers, heads and tokens."""
    B, L, H, S = 7, 3, 2, 11
    maps, exchanged = (reference.softmax(2 * rng.normal(size=(B, L, H, S))) for _ in range(2))
    nouns = np.stack([rng.permutation(S)[:2] for _ in range(B)])
    _ask(student, maps, exchanged, nouns, rng.integers(S, size=B))
