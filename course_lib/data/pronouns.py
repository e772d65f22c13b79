"""Two nouns, a verb, "it" and a predicate: texts in which "it" can be worked out, in two languages.

By kind: an animal and a thing, and the predicate fits one of them.
    The cat saw the car. It was hungry.   고양이가 자동차를 보았다. 그것은 배가 고팠다.
By role: two animals, and verb and predicate together decide between the first and the second.
    The cat chased the dog. It was afraid.   고양이가 개를 쫓았다. 그것은 겁이 났다.

A sentence is put together once, from English names, and said in either language. A token is a word
in English and a morpheme in Korean, so that particles (가, 를, 은) are tokens of their own.
"""

from collections.abc import Sequence
from functools import cache
from itertools import chain, permutations, product
from typing import NamedTuple

import numpy as np
from jaxtyping import Int
from numpy import ndarray as Array

from course_lib.messages import Said

KOREAN_NOUNS = {
    "cat": "고양이",
    "dog": "개",
    "fox": "여우",
    "rabbit": "토끼",
    "wolf": "늑대",
    "goat": "염소",
    "monkey": "원숭이",
    "tiger": "호랑이",
    "bear": "곰",
    "horse": "말",
    "deer": "사슴",
    "otter": "수달",
    "giraffe": "기린",
    "penguin": "펭귄",
    "panda": "판다",
    "bus": "버스",
    "car": "자동차",
    "train": "기차",
    "truck": "트럭",
    "bicycle": "자전거",
    "drone": "드론",
    "rocket": "로켓",
}
THINGS = ("bus", "car", "train", "truck", "bicycle", "drone", "rocket")
UNSEEN = "panda"  # has a token, and is in no text
ANIMALS = tuple(noun for noun in KOREAN_NOUNS if noun not in (*THINGS, UNSEEN))


def ends_in_consonant(korean: str) -> bool:
    """Whether the last syllable is closed. Of 28 syllables in a row, Unicode has the open first."""
    return (ord(korean[-1]) - ord("가")) % 28 != 0


# Animals whose names take the Korean particles 가, 를, 는, and those that take 이, 을, 은.
OPEN = tuple(animal for animal in ANIMALS if not ends_in_consonant(KOREAN_NOUNS[animal]))
CLOSED = tuple(animal for animal in ANIMALS if ends_in_consonant(KOREAN_NOUNS[animal]))
PLACE = {noun: i for group in (OPEN, CLOSED, THINGS) for i, noun in enumerate(group)}

KOREAN_VERBS = {
    "saw": "보았다",
    "passed": "지나쳤다",
    "blocked": "막았다",
    "chased": "쫓았다",
    "attacked": "공격했다",
    "avoided": "피했다",
    "feared": "무서워했다",
    "fed": "먹였다",
    "begged": "졸랐다",
}
KIND_VERBS = ("saw", "passed", "blocked")  # the first wants an animal before it

KOREAN_PREDICATES = {  # "+" joins morphemes that are written together
    "hungry": "배+가 고팠다",
    "afraid": "겁+이 났다",
    "sleepy": "잠+이 왔다",
    "red": "빨간색+이었다",
    "new": "새것+이었다",
    "broken": "고장+이 났다",
    "angry": "화+가 났다",
    "weak": "힘+이 약했다",
    "kind": "마음+이 착했다",
}
ANIMAL_PREDICATES = ("hungry", "afraid", "sleepy")
THING_PREDICATES = ("red", "new", "broken")

# Which noun "it" is by verb and predicate, 0 the first or 1 the second.
ROLES = {
    ("chased", "hungry"): 0,
    ("chased", "angry"): 0,
    ("chased", "afraid"): 1,
    ("chased", "weak"): 1,
    ("attacked", "hungry"): 0,
    ("attacked", "angry"): 0,
    ("attacked", "afraid"): 1,
    ("attacked", "weak"): 1,
    ("avoided", "hungry"): 1,
    ("avoided", "angry"): 1,
    ("avoided", "afraid"): 0,
    ("avoided", "weak"): 0,
    ("feared", "hungry"): 1,
    ("feared", "angry"): 1,
    ("feared", "afraid"): 0,
    ("feared", "weak"): 0,
    ("fed", "hungry"): 1,
    ("fed", "kind"): 0,
    ("begged", "hungry"): 0,
    ("begged", "kind"): 1,
}

IT = 6  # the position of "it" and of 그것 in every sentence
PADDING = 0  # the token that fills up a sentence shorter than the others


class Sentence(NamedTuple):
    """The four words that differ from sentence to sentence, by their English names."""

    first: str
    verb: str
    second: str
    predicate: str

    @property
    def referent(self) -> str | None:
        """The noun that "it" means; None where both could be meant."""
        nouns = (self.first, self.second)
        said_of_things = self.predicate in THING_PREDICATES
        fitting = [noun for noun in nouns if (noun in THINGS) == said_of_things]
        if len(fitting) == 1:
            return fitting[0]
        role = ROLES.get((self.verb, self.predicate))
        return None if role is None or not fitting else nouns[role]

    @property
    def is_held_out(self) -> bool:
        """Whether the pair of nouns, in either order, is kept from training.

        Every noun is in training pairs and in held-out ones; cat and dog, cat and car are held out.
        """
        return UNSEEN in self or (PLACE[self.first] + PLACE[self.second]) % 4 == 1


def role_sentences() -> list[Sentence]:
    """All sentences by role: each pair in both orders, each verb with each of its predicates.

    The two nouns take the same Korean particles. Others would tell their order by themselves: with
    이 and 를 about, 곰 and 고양이 can only be 곰이 고양이를.
    """
    pairs = [*permutations(OPEN, 2), *permutations(CLOSED, 2)]
    return [Sentence(a, verb, b, predicate) for (a, b), (verb, predicate) in product(pairs, ROLES)]


def kind_sentences() -> list[Sentence]:
    """All sentences by kind: each animal with each thing, in both orders where the verb allows."""
    seers = [(animal, "saw", thing) for animal, thing in product(ANIMALS, THINGS)]
    others = [(a, verb, b) for a, _, b in seers for verb in KIND_VERBS[1:]]
    turned = [(b, verb, a) for a, verb, b in others]
    predicates = ANIMAL_PREDICATES + THING_PREDICATES
    clauses = product(seers + others + turned, predicates)
    return [Sentence(a, verb, b, predicate) for (a, verb, b), predicate in clauses]


def written(sentence: Sentence, language: str) -> str:
    """The two sentences as people write them."""
    text = " ".join("".join(word) for word in _morphemes(sentence, language))
    return Said(text if language == "ko" else text.replace("the", "The", 1).replace(". it", ". It"))


def tokens(sentence: Sentence, language: str) -> list[str]:
    """The tokens in order: words in English, morphemes in Korean; stops are tokens too."""
    return list(chain.from_iterable(_morphemes(sentence, language)))


@cache
def vocabulary(language: str) -> tuple[str, ...]:
    """All tokens, each at the index that stands for it; the filling one first."""
    everything = [*kind_sentences(), *role_sentences(), Sentence(UNSEEN, "saw", UNSEEN, "red")]
    every_token = chain.from_iterable(tokens(each, language) for each in everything)
    return ("<pad>", *dict.fromkeys(every_token))


def encode(sentences: Sequence[Sentence], language: str) -> Int[Array, "n T"]:
    """The index of every token, one sentence a row, filled up with PADDING on the right."""
    index = {token: i for i, token in enumerate(vocabulary(language))}
    rows = [[index[token] for token in tokens(each, language)] for each in sentences]
    T = max(map(len, rows))
    return np.array([row + [PADDING] * (T - len(row)) for row in rows])


def answers(sentences: Sequence[Sentence], language: str) -> Int[Array, "n"]:
    """The index of the noun that "it" means in each sentence."""
    index = vocabulary(language).index
    return np.array([index(noun_in(_decided(each), language)) for each in sentences])


def noun_in(noun: str, language: str) -> str:
    """The noun's token in `language`."""
    return KOREAN_NOUNS[noun] if language == "ko" else noun


def _decided(sentence: Sentence) -> str:
    if sentence.referent is None:
        raise ValueError(f"{written(sentence, 'en')!r} does not say which noun is meant")
    return sentence.referent


def _morphemes(sentence: Sentence, language: str) -> list[tuple[str, ...]]:
    """The sentence as words, each as the tokens that it is made of."""
    if language == "en":
        a, verb, b, predicate = sentence
        text = f"the {a} {verb} the {b}+. it was {predicate}+."
    elif language == "ko":
        a, b = KOREAN_NOUNS[sentence.first], KOREAN_NOUNS[sentence.second]
        verb, predicate = KOREAN_VERBS[sentence.verb], KOREAN_PREDICATES[sentence.predicate]
        a, b = _with_particle(a, "이", "가"), _with_particle(b, "을", "를")
        text = f"{a} {b} {verb}+. 그것+은 {predicate}+."
    else:
        raise ValueError(f"language must be en or ko, got {language!r}")
    return [tuple(word.split("+")) for word in text.split()]


def _with_particle(noun: str, after_consonant: str, after_vowel: str) -> str:
    return f"{noun}+{after_consonant if ends_in_consonant(noun) else after_vowel}"
