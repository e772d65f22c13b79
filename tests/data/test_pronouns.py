"""What decides the meaning of "it" in the texts, and that nothing less does: by enumeration."""

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import pytest

from course_lib import messages, words
from course_lib.data import pronouns
from course_lib.data.pronouns import ROLES, Sentence, kind_sentences, role_sentences

ROLE, KIND = role_sentences(), kind_sentences()
DOCUMENT = Sentence("cat", "saw", "car", "hungry"), Sentence("cat", "saw", "car", "red")
each_language = pytest.mark.parametrize("language", messages.LANGUAGES)


def best_share(sentences: list[Sentence], seen: Callable) -> Fraction:
    """The largest share of right answers of any rule that is told `seen(sentence)` alone."""
    counts: dict = defaultdict(Counter)
    for each in sentences:
        counts[seen(each)][each.referent] += 1
    return Fraction(sum(max(c.values()) for c in counts.values()), len(sentences))


def bag(language: str) -> Callable:
    return lambda each: tuple(sorted(pronouns.tokens(each, language)))


def both_splits(sentences: list[Sentence]) -> list[list[Sentence]]:
    return [[s for s in sentences if s.is_held_out is held_out] for held_out in (False, True)]


@each_language
@pytest.mark.parametrize("split", [ROLE, *both_splits(ROLE)], ids=["all", "training", "held-out"])
def test_by_role_a_bag_of_words_is_at_chance(split, language):
    assert best_share(split, bag(language)) == Fraction(1, 2)


@pytest.mark.parametrize("split", [ROLE, *both_splits(ROLE)], ids=["all", "training", "held-out"])
def test_by_role_neither_place_nor_verb_nor_predicate_decides(split):
    """Each rule below also knows both nouns in their order."""
    assert best_share(split, lambda s: (s.first, s.second)) == Fraction(1, 2)
    assert best_share(split, lambda s: (s.first, s.second, s.verb)) == Fraction(1, 2)
    assert best_share(split, lambda s: (s.first, s.second, s.predicate)) == Fraction(1, 2)
    assert best_share(split, lambda s: s) == 1
    for place in ("first", "second"):  # the second is also the nearest
        assert sum(getattr(s, place) == s.referent for s in split) * 2 == len(split)


def test_by_role_separate_votes_of_verb_and_predicate_are_right_in_three_of_four_cells_at_most():
    """The cells fall into squares of which no sum of two votes has all four right.

    v + p > 0, v + q < 0, w + p < 0 and w + q > 0 can't be: the first and last say v + w + p + q > 0
    and the others < 0.
    """
    left = dict(ROLES)
    squares = 0
    for (v, p), (w, q) in combinations(ROLES, 2):
        corners = [(v, p), (w, q), (v, q), (w, p)]
        answers = [left.get(corner) for corner in corners]
        if v != w and p != q and answers in ([0, 0, 1, 1], [1, 1, 0, 0]):
            for corner in corners:
                del left[corner]
            squares += 1
    assert not left
    assert 4 * squares == len(ROLES)


@each_language
@pytest.mark.claim("E12")
def test_by_kind_a_bag_of_words_is_enough(language):
    assert best_share(KIND, bag(language)) == 1
    assert best_share(KIND, lambda s: (s.first, s.second, s.verb)) == Fraction(1, 2)
    for place in ("first", "second"):
        assert sum(getattr(s, place) == s.referent for s in KIND) * 2 == len(KIND)


def test_by_role_the_answer_turns_with_the_verb_with_the_predicate_and_with_the_order():
    said = {s: s.referent for s in ROLE}
    for s in ROLE:
        assert s._replace(first=s.second, second=s.first) in said  # both orders
        other_verbs = [v for v, p in ROLES if p == s.predicate]
        other_predicates = [p for v, p in ROLES if v == s.verb]
        by_verb = {said[s._replace(verb=verb)] for verb in other_verbs}
        by_predicate = {said[s._replace(predicate=predicate)] for predicate in other_predicates}
        assert by_verb == by_predicate == {s.first, s.second}


def test_pairs_of_nouns_are_held_out_in_both_orders_and_every_noun_is_trained_in_both_places():
    for sentences in (ROLE, KIND):
        training, held_out = both_splits(sentences)
        pairs = [{frozenset((s.first, s.second)) for s in split} for split in (training, held_out)]
        assert not pairs[0] & pairs[1]
        assert 0.2 < len(held_out) / len(sentences) < 0.35
        nouns = {s.first for s in sentences} | {s.second for s in sentences}
        for split in (training, held_out):
            assert {s.first for s in split} == {s.second for s in split} == nouns
    assert all(s.is_held_out for s in DOCUMENT)
    assert Sentence("dog", "chased", "cat", "afraid").is_held_out


def test_the_documents_pair_is_written_as_the_documents_write_it():
    for language in messages.LANGUAGES:
        written = tuple(pronouns.written(s, language) for s in DOCUMENT)
        assert written == words.SENTENCES[language]
    assert [s.referent for s in DOCUMENT] == ["cat", "car"]
    assert set(DOCUMENT) <= set(KIND)


def test_korean_is_cut_into_morphemes_with_the_particle_that_the_last_sound_asks_for():
    for sentence, text in {
        Sentence(
            "cat", "saw", "car", "hungry"
        ): "고양이 가 자동차 를 보았다 . 그것 은 배 가 고팠다 .",
        Sentence("bear", "chased", "horse", "afraid"): "곰 이 말 을 쫓았다 . 그것 은 겁 이 났다 .",
        Sentence(
            "drone", "passed", "dog", "red"
        ): "드론 이 개 를 지나쳤다 . 그것 은 빨간색 이었다 .",
    }.items():
        assert pronouns.tokens(sentence, "ko") == text.split()
    assert [pronouns.ends_in_consonant(noun) for noun in ("고양이", "곰", "말", "개")] == [
        0,
        1,
        1,
        0,
    ]


def test_by_role_both_nouns_take_the_same_particles():
    for s in ROLE:
        tokens = pronouns.tokens(s, "ko")
        assert (tokens[1], tokens[3]) in {("이", "을"), ("가", "를")}


@each_language
def test_it_stands_at_one_position_in_every_sentence(language):
    it = {"en": "it", "ko": "그것"}[language]
    for s in (*ROLE, *KIND):
        tokens = pronouns.tokens(s, language)
        assert tokens.index(it) == pronouns.IT
        assert tokens.count(it) == 1


@each_language
def test_encoded_sentences_and_answers_decode_to_their_words(language):
    vocabulary = pronouns.vocabulary(language)
    assert len(set(vocabulary)) == len(vocabulary)
    some = [*ROLE[::97], *KIND[::97], *DOCUMENT]
    ids, answers = pronouns.encode(some, language), pronouns.answers(some, language)
    longest = max(len(pronouns.tokens(s, language)) for s in some)
    assert ids.shape == (len(some), longest)
    assert ids.max() < len(vocabulary)
    for s, row, answer in zip(some, ids, answers, strict=True):
        tokens = pronouns.tokens(s, language)
        assert [vocabulary[i] for i in row[: len(tokens)]] == tokens
        assert (row[len(tokens) :] == pronouns.PADDING).all()
        assert vocabulary[answer] == pronouns.noun_in(s.referent, language)


def test_the_unseen_noun_has_a_token_and_is_in_no_text():
    for language in messages.LANGUAGES:
        assert pronouns.noun_in(pronouns.UNSEEN, language) in pronouns.vocabulary(language)
    assert not any(pronouns.UNSEEN in s for s in (*ROLE, *KIND))


@pytest.mark.parametrize(
    "undecided",
    [
        Sentence("cat", "fed", "dog", "angry"),
        Sentence("cat", "saw", "dog", "hungry"),
        Sentence("cat", "saw", "dog", "red"),
        Sentence("car", "passed", "bus", "red"),
    ],
)
def test_a_sentence_that_does_not_decide_has_no_referent_and_no_answer(undecided, refuses):
    assert undecided.referent is None
    assert len(pronouns.encode([undecided], "en")) == 1
    with refuses("does not say which noun is meant"):
        pronouns.answers([undecided], "en")


def test_another_language_is_refused(refuses):
    with refuses("language must be en or ko, got 'de'"):
        pronouns.tokens(DOCUMENT[0], "de")


def test_every_sentence_is_there_once():
    assert len({*ROLE, *KIND}) == len(ROLE) + len(KIND)
    assert len(ROLE) == (8 * 7 + 6 * 5) * len(ROLES)
    assert all(s.referent in (s.first, s.second) for s in (*ROLE, *KIND))
