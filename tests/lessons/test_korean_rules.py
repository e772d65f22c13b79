"""Each rule for Korean text catches what it is for, and leaves good Korean alone."""

import pytest

from tests.lessons import korean_rules as rules
from tests.lessons.korean_reading import (
    CONSONANT,
    RIEUL,
    UNKNOWN,
    VOWEL,
    ending,
    of_formula,
    of_word,
)
from tests.lessons.korean_rules import Words

GOOD = r"""# 쿼리, 키, 값

**쿼리**(query)는 찾는 것이고, <strong>로짓(logit)</strong>은 점수다.
0.793은 $d_k$를 4로 나눈 값이고, 나은 결과는 차이에 있다. 효과가 무엇인가?
‘그것’이 있는 곳으로 간다. 경로는 $\sqrt{d_k}$로, 모델로 이어진다.

문서 B의 “어텐션은 계층 정규화를 합니다”라는 말, “the cat saw the car and it was hungry”라는 문장,
`query`와 $W^Q$를 본다. 아니다. 지니다. 필요하다.
$QK^\top$는 PyTorch의 `F.softmax`로 얻고, (0.90, 0.25)와 $x_i^2$은 2이다. 100 %가 3이며,
[다음 장](04_scaling.ipynb)의 봉우리를 본다. $d_{\text{model}}$로 나누면 $n = 3$이 된다.

| 값 | $T$ |
|---|---|
| 키(key) | `attn_mask`는 참이다. RNN은, GPU는, KL로. |

<details><summary>왜 $N$으로 나누는가?</summary>

## 출처

- Vaswani 외, [Attention is all you need and more](https://example.org), 2017.
"""


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_good_korean_keeps(rule):
    assert list(rule(Words("good", GOOD))) == []
    assert list(rule(Words("good", "{n}개 중 {share:.0%}를 맞힌다", markdown=False))) == []


@pytest.mark.parametrize(
    "wrong",
    [
        "쿼리은 찾는다",
        "벡터을 더한다",
        "값를 더한다",
        "벡터으로 쓴다",
        "행렬으로 쓴다",
        "토큰로 쓴다",
        "값와 키",
        "키과 값",
        "토큰가 있다",
        "값는 크다",
        "행렬는 크다",
        "벡터이 있다",
        "그 값로는 안 된다",
        "로짓(logit)는",
        "<strong>로짓(logit)</strong>를",
        "**벡터**을 본다",
        "‘그것’는 고양이다",
        "0.793는 크다",
        "0.949은 크다",
        "1.120가 크다",
        "7으로 나눈다",
        "10로 나눈다",
        "2을 곱한다",
        "50%은",
        "$d_k$은 크다",
        "$N$는 크다",
        r"$\sqrt{d_k}$으로 나눈다",
        r"$d_{\text{model}}$으로",
        r"$x^2$를 더한다",
        r"$W^Q$을",
        r"$-\infty$을 더한다",
        "$T = 3$가 된다",
        "`key`과 `value`",
        "`attn_mask`은",
        "`d_k`을",
        "`None`는",
        "PyTorch은",
        "RNN는",
        "KL으로",
        "GPU을",
        "token가",
        "합은 3다.",
        "합은 10였다.",
        "(0.90, 0.25)은 크다",
        "$p$은(는) 크다",
    ],
)
def test_a_particle_that_does_not_fit_is_caught(wrong):
    assert len(list(rules.particles_fit(Words("wrong", wrong)))) == 1


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        (rules.bold_closes, "**어텐션(attention)**은 평균이다"),
        (rules.bold_closes, "*‘그것’*은 대명사다"),
        (rules.mathematics_holds_no_hangul, r"$\text{가중치}_{ij}$"),
        (rules.no_english_is_left_over, "The cat saw the car."),
        (rules.no_english_is_left_over, "왜 The answer in two sentences 인가"),
        (rules.terms_are_korean, "attention 가중치를 구한다"),
        (rules.terms_are_korean, "두 token의 값"),
        (rules.endings_are_plain, "값을 더합니다."),
        (rules.endings_are_plain, "값을 더해요."),
        (rules.endings_are_plain, "값을 더하면 될까요?"),
        (rules.endings_are_plain, "값을 더하십시오."),
        (rules.endings_are_plain, "점수입니다"),
        (rules.terms_have_no_rivals, "질의를 만든다"),
        (rules.terms_have_no_rivals, "계층을 쌓는다"),
        (rules.terms_have_no_rivals, "닷 프로덕트를 구한다"),
        (rules.terms_have_no_rivals, "멀티-헤드 어텐션"),
        (rules.terms_have_no_rivals, "그레이디언트가 작다"),
        (rules.nothing_sounds_translated, "우리는 값을 더한다"),
        (rules.nothing_sounds_translated, "키에 대하여 더한다"),
    ],
)
def test_what_a_korean_author_would_not_write_is_caught(rule, wrong):
    assert len(list(rule(Words("wrong", wrong)))) == 1


@pytest.mark.parametrize("wrong", ["{noun}은", "값 {n:.3f}를 더한다", "{n}으로 나눈다"])
def test_a_particle_after_a_value_is_caught(wrong):
    assert len(list(rules.values_take_no_particle(Words("wrong", wrong, markdown=False)))) == 1


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_an_untranslated_message_is_caught_by_one_rule_at_most(rule):
    english = Words("message", "the weight of the cat", markdown=False)
    assert bool(list(rule(english))) == (rule is rules.no_english_is_left_over)


@pytest.mark.parametrize(
    ("tex", "sound"),
    [
        ("d_k", VOWEL),
        ("d_{ij}", VOWEL),
        ("N", CONSONANT),
        ("L", RIEUL),
        ("p(1-p)", VOWEL),
        (r"\sqrt{2}", VOWEL),
        (r"QK^\top", VOWEL),
        ("W_h^Q", VOWEL),
        (r"\|x\|^2", CONSONANT),
        (r"d_{\text{model}}", RIEUL),
        (r"\operatorname{softmax}(s)", VOWEL),
        (r"\alpha_j", VOWEL),
        ("x = 10", CONSONANT),
        ("x = 7,", RIEUL),
        ("(T, d_k)", VOWEL),
        (r"\frac{1}{2}", UNKNOWN),
        (r"\hat p", UNKNOWN),
        ("10^{-3}", UNKNOWN),
        ("x^{n}", UNKNOWN),
        (r"\|q\|", UNKNOWN),
        ("f'", UNKNOWN),
    ],
)
def test_a_formula_is_read_to_its_end(tex, sound):
    assert of_formula(tex) == sound


@pytest.mark.parametrize(
    ("word", "sound"),
    [
        ("attn_mask", VOWEL),
        ("d_model", RIEUL),
        ("default_device()", VOWEL),
        ("float16", CONSONANT),
        ("LSTM", CONSONANT),
        ("BLEU", VOWEL),
        ("pre-norm", CONSONANT),
        ("COURSE_SECRET", CONSONANT),
        ("unheard", UNKNOWN),
        ("x[:, 0]", UNKNOWN),
    ],
)
def test_a_word_is_read_as_koreans_say_it(word, sound):
    assert of_word(word) == sound


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("로짓(logit)", CONSONANT),
        ("결과는 (0.2, 0.95)", VOWEL),
        ("결과 (로짓)", UNKNOWN),
        ("cos(a, b)", UNKNOWN),
        ("‘그것’", CONSONANT),
        ("“모델”", RIEUL),
        ("1/3", UNKNOWN),
        ("30%", VOWEL),
        ("값)", UNKNOWN),
    ],
)
def test_what_stands_before_a_particle_is_found(text, sound):
    assert ending(text) == sound
