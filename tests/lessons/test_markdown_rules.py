"""Each rule catches what it is for, and leaves good Markdown alone."""

import pytest

from tests.lessons import markdown_rules as rules
from tests.lessons.notebooks import faults_of, lesson, markdown, notebook, setup


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_a_good_lesson_keeps(rule):
    good = r"""**Bold**, `**`, $a_1$ and $2$, or \$5 and `$`; **$x$** too.

$$
x = 10
$$

<details><summary>Why?</summary>

| a | b |
|---|---|
| 1 | $x$ |

</details>

```python
print("$", {a}, ":::")
```

<img src="a.svg" alt="A line"> ![A line](a.svg)
"""
    assert list(rule(lesson(markdown("good", good)))) == []
    assert list(rule(lesson(markdown("good", good), language="ko"))) == []


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("A title\n\nWhy?", "does not begin with"),
        ("## A title\n\nWhy?", "does not begin with"),
        ("# The root $d$\n\nWhy?", "neither mathematics nor a number"),
        ("# 4. Scaling\n\nWhy?", "neither mathematics nor a number"),
        ("# 4\n\nWhy?", "neither mathematics nor a number"),
        ("# A title\n\nBecause.", "asks no question"),
    ],
)
def test_the_opening_without_a_plain_title_or_a_question_is_caught(source, fault):
    opening = notebook(markdown("first", source), setup())
    assert [fault in found for found in rules.opens_with_a_title_and_a_question(opening)] == [True]


def test_a_lesson_whose_second_cell_is_not_the_setup_is_caught():
    opening = notebook(markdown("first", "# A title\n\nWhy?"), markdown("second", "More."))
    assert len(list(rules.opens_with_a_title_and_a_question(opening))) == 1


def test_a_second_title_is_caught():
    assert faults_of(rules.has_the_sections_in_order, "# Another")


def test_sections_that_are_missing_added_or_out_of_order_are_caught():
    assert faults_of(rules.has_the_sections_in_order, "## One more")
    whole = lesson()
    whole.cells[-1].source = whole.cells[-1].source.replace("## Measured", "### Measured")
    assert list(rules.has_the_sections_in_order(whole))
    whole = lesson()
    whole.cells[-1].source = "\n\n".join(f"## {title}" for title in sorted(rules.SECTIONS["en"]))
    assert list(rules.has_the_sections_in_order(whole))


def test_a_korean_lesson_has_korean_sections():
    whole = lesson(language="ko")
    assert not list(rules.has_the_sections_in_order(whole))
    whole.cells[-1].source = whole.cells[-1].source.replace("## 재어 보기", "## Measured")
    assert list(rules.has_the_sections_in_order(whole))


@pytest.mark.parametrize("heading", ["# $QK^T$의 의미", "### The size of $d$", "A $x$\n---"])
def test_mathematics_in_a_heading_is_caught(heading):  # H22, H23
    assert faults_of(rules.headings_hold_no_mathematics, heading)


@pytest.mark.parametrize(
    "source",
    [
        "see {ref}`there`",
        "```{note}\nMind.\n```",
        ":::{note}\nMind.\n:::",
        ":::\nMind.\n:::",
        "(there)=\n",
        "as said[^1]",
        "~~not so~~",
    ],
)
def test_what_only_myst_understands_is_caught(source):
    assert faults_of(rules.is_commonmark, source)


@pytest.mark.parametrize(
    "source", ["$x$2 times", "$x$2배", "$ x$ is", "$x $ is", "costs $5", "$x$ and $y"]
)
def test_dollars_on_which_renderers_differ_are_caught(source):  # H21
    assert faults_of(rules.dollars_enclose_mathematics, source)


@pytest.mark.parametrize(
    "source", ["**어텐션(Attention)**은", "**$d_k$**로", "**주의:**다음", "**$d_k$**s"]
)
def test_bold_that_does_not_close_is_caught(source):  # H19
    assert faults_of(rules.bold_closes, source)


@pytest.mark.parametrize("source", [r"$\text{가중치}_{ij}$", "$$\n가 = 1\n$$"])
def test_hangul_in_mathematics_is_caught(source):  # H24
    assert faults_of(rules.mathematics_holds_no_hangul, source)


@pytest.mark.parametrize(
    "source",
    [r"$\operatorname{Var}(s)$", r"$$\mbox{if } x$$", r"$\newcommand{\R}{r}$", r"$\def\R{r}$"],
)
def test_a_macro_that_github_forbids_is_caught(source):
    assert faults_of(rules.mathematics_uses_macros_that_github_allows, source)
    assert not faults_of(
        rules.mathematics_uses_macros_that_github_allows, r"$\mathrm{Var}(\defect)$"
    )


@pytest.mark.parametrize(
    "source", ['<img src="a.png">', '<img src="a.png" alt="">', "<img alt=' ' src=a>", "![](a.png)"]
)
def test_a_picture_without_alternative_text_is_caught(source):
    assert faults_of(rules.pictures_have_alternative_text, source)
