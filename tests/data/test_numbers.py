"""Numbers in words: checked by hand, read back by parsers of their own, drawn without leaks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.data import numbers

BY_HAND = {
    1: ("one", "일"),
    9: ("nine", "구"),
    10: ("ten", "십"),
    11: ("eleven", "십 일"),
    19: ("nineteen", "십 구"),
    20: ("twenty", "이십"),
    21: ("twenty one", "이십 일"),
    80: ("eighty", "팔십"),
    99: ("ninety nine", "구십 구"),
    100: ("one hundred", "백"),
    101: ("one hundred one", "백 일"),
    110: ("one hundred ten", "백 십"),
    111: ("one hundred eleven", "백 십 일"),
    305: ("three hundred five", "삼백 오"),
    1_000: ("one thousand", "천"),
    1_010: ("one thousand ten", "천 십"),
    1_111: ("one thousand one hundred eleven", "천 백 십 일"),
    2_024: ("two thousand twenty four", "이천 이십 사"),
    9_999: ("nine thousand nine hundred ninety nine", "구천 구백 구십 구"),
    10_000: ("ten thousand", "만"),
    10_001: ("ten thousand one", "만 일"),
    11_000: ("eleven thousand", "만 천"),
    12_300: ("twelve thousand three hundred", "만 이천 삼백"),
    20_000: ("twenty thousand", "이 만"),
    57_068: ("fifty seven thousand sixty eight", "오 만 칠천 육십 팔"),
    100_000: ("one hundred thousand", "십 만"),
    110_000: ("one hundred ten thousand", "십 일 만"),
    210_000: ("two hundred ten thousand", "이십 일 만"),
    340_000: ("three hundred forty thousand", "삼십 사 만"),
    1_000_000: ("one million", "백 만"),
    1_010_000: ("one million ten thousand", "백 일 만"),
    3_000_040: ("three million forty", "삼백 만 사십"),
    10_000_000: ("ten million", "천 만"),
    11_111_111: (
        "eleven million one hundred eleven thousand one hundred eleven",
        "천 백 십 일 만 천 백 십 일",
    ),
    12_345_678: (
        "twelve million three hundred forty five thousand six hundred seventy eight",
        "천 이백 삼십 사 만 오천 육백 칠십 팔",
    ),
    40_000_005: ("forty million five", "사천 만 오"),
    99_999_999: (
        "ninety nine million nine hundred ninety nine thousand nine hundred ninety nine",
        "구천 구백 구십 구 만 구천 구백 구십 구",
    ),
}
any_number = st.integers(1, 99_999_999)
of_any_length = st.integers(1, 8).flatmap(lambda n: st.integers(10 ** (n - 1), 10**n - 1))


def read_english(words: list[str]) -> int:
    """The number that the words name, by adding and multiplying from left to right."""
    names = (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen"
    )
    values = {name: value for value, name in enumerate(names.split())}
    tens = "twenty thirty forty fifty sixty seventy eighty ninety"
    values |= {name: 10 * value for value, name in enumerate(tens.split(), start=2)}
    total = group = 0
    for word in words:
        if word == "hundred":
            group *= 100
        elif word in ("thousand", "million"):
            total, group = total + group * {"thousand": 10**3, "million": 10**6}[word], 0
        else:
            group += values[word]
    return total + group


def read_korean(text: str) -> int:
    """The number that the syllables name. A unit without a digit before it counts once."""
    total = group = digit = 0
    for syllable in text:
        if syllable == "만":
            total, group, digit = (group + digit or 1) * 10_000, 0, 0
        elif syllable in "십백천":
            group, digit = group + (digit or 1) * 10 ** ("십백천".index(syllable) + 1), 0
        else:
            digit = "영일이삼사오육칠팔구".index(syllable)
    return total + group + digit


@pytest.mark.parametrize("number", BY_HAND)
def test_numbers_checked_by_hand(number):
    english, korean = BY_HAND[number]
    assert numbers.english(number) == english.split()
    assert numbers.korean(number) == korean.split()


@given(any_number | of_any_length)
def test_both_languages_read_back_as_the_number(number):
    assert read_english(numbers.english(number)) == number
    assert read_korean("".join(numbers.korean(number))) == number


@given(any_number | of_any_length)
def test_one_is_said_at_the_end_of_a_group_alone_and_never_alone_before_ten_thousand(number):
    tokens = numbers.korean(number)
    after = dict(zip(tokens, [*tokens[1:], None], strict=True))
    assert after.get("일") in (None, "만")
    assert tokens[:2] != ["일", "만"]
    assert not {"일십", "일백", "일천"} & set(tokens)


def test_every_word_of_both_vocabularies_stands_in_some_number_and_only_once_in_its_list():
    for vocabulary, say in ((numbers.ENGLISH, numbers.english), (numbers.KOREAN, numbers.korean)):
        said = {word for number in (*range(1, 10_000), 10**6, 10**7) for word in say(number)}
        assert len(set(vocabulary)) == len(vocabulary)
        assert said | {"<pad>", "<start>", "<end>"} == {*vocabulary, "<start>", "<end>"}
    assert [numbers.KOREAN[i] for i in (numbers.PADDING, numbers.START, numbers.END)] == [
        *("<pad>", "<start>", "<end>")
    ]
    assert numbers.ENGLISH[numbers.PADDING] == "<pad>"


@pytest.mark.parametrize("number", [0, -7, 100_000_000])
def test_numbers_out_of_range_are_refused(number, refuses):
    for say in (numbers.english, numbers.korean):
        with refuses(f"numbers from 1 to 99999999 have words here, {number} has none"):
            say(number)


def test_drawn_numbers_have_the_lengths_asked_for_and_every_digit():
    lengths = np.random.default_rng(0).integers(1, 9, size=2000)
    drawn = numbers.draw(lengths, np.random.default_rng(1))
    assert [len(str(number)) for number in drawn] == lengths.tolist()
    longest = np.array([[*map(int, str(number))] for number in drawn[lengths == 8]])
    assert [set(column) for column in longest.T] == [set(range(1, 10)), *[set(range(10))] * 7]
    share_of_zeros = (longest[:, 1:] == 0).mean()
    assert 0.28 < share_of_zeros < 0.37  # half of 1/10, half of 1/2 + 1/2 · 1/10


@pytest.mark.parametrize("per_length", [2, 50, 200])
def test_test_numbers_are_distinct_and_as_many_of_each_length_but_for_a_third_of_the_short(
    per_length,
):
    chosen = numbers.draw_test(per_length, np.random.default_rng(0))
    counts = np.bincount([len(str(number)) for number in chosen], minlength=9)[1:]
    most = [3, 30, 300] + [per_length] * 5
    assert counts.tolist() == [min(per_length, third) for third in most]
    assert len(set(chosen)) == len(chosen)
    assert chosen == numbers.draw_test(per_length, np.random.default_rng(0))
    assert chosen != numbers.draw_test(per_length, np.random.default_rng(1))


def test_training_numbers_are_never_hidden_ones_and_their_lengths_are_equally_likely():
    hidden = {*range(1, 8), *range(10, 95), 123}
    drawn = numbers.draw_training(3000, hidden, np.random.default_rng(0), lengths=[1, 2, 5])
    assert drawn.shape == (3000,)
    assert not hidden & set(drawn.tolist())
    short = drawn[drawn < 100]
    assert set(short.tolist()) == {8, 9, 95, 96, 97, 98, 99}
    assert {len(str(number)) for number in drawn} == {1, 2, 5}
    drawn = numbers.draw_training(4000, {7}, np.random.default_rng(0))
    counts = np.bincount([len(str(number)) for number in drawn], minlength=9)[1:]
    assert (abs(counts - 500) < 100).all()


def test_encoded_numbers_are_padded_at_the_end_and_decode_to_their_words():
    chosen = (12_300, 7, 23_456_789)
    english, korean = numbers.encode_english(chosen), numbers.encode_korean(np.array(chosen))
    assert english.shape == (3, 12)
    assert korean.shape == (3, 11)
    for number, source, target in zip(chosen, english, korean, strict=True):
        words = numbers.english(number)
        assert [numbers.ENGLISH[i] for i in source] == words + ["<pad>"] * (12 - len(words))
        said = ["<start>", *numbers.korean(number), "<end>"]
        assert [numbers.KOREAN[i] for i in target] == said + ["<pad>"] * (11 - len(said))
        assert numbers.decode_korean(target[1:]) == numbers.korean(number)


def test_decoding_stops_at_the_first_end_and_works_without_one():
    first, second = (numbers.KOREAN.index(token) for token in ("만", "이천"))
    assert numbers.decode_korean([first, numbers.END, second]) == ["만"]
    assert numbers.decode_korean([first, second]) == ["만", "이천"]
