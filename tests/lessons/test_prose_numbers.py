"""The checker of numbers in prose sees a changed digit, and takes no name or year for a number."""

import nbformat
import pytest

from tests.lessons.notebooks import code, lesson, markdown
from tests.lessons.prose_numbers import (
    Number,
    claimed,
    ledger,
    numbers,
    prose,
    said_in,
    significant_digits,
    unprinted,
)

PRINTED = "0.793 and 0.207\n-0.318 = 0.822 - 1.140\n12,345,678 bytes, 4096, 1.25e-07\n"


def written(prose_text: str, printed: str = PRINTED) -> list[str]:
    """The faults of a lesson with this prose, whose one cell printed `printed`."""
    cell = code("print", "print(x)")
    cell.outputs = [nbformat.v4.new_output("stream", text=printed)]
    return unprinted(lesson(markdown("prose", prose_text), cell), elsewhere=set())


@pytest.mark.parametrize(
    "right",
    [
        "0.793 against 0.207.",
        "It is −0.318, or -0.318; in size 0.318.",
        "$0.822-1.140 = -0.318$ and 0.822 − 1.140",
        r"$$q \cdot0.793 \approx \frac{-0.318}{\sqrt2}$$",
        "12,345,678 bytes, 12345678 bytes, 12\u202f345\u202f678 bytes",
        r"$12{,}345{,}678$ and $12\,345\,678$",
        "| a | b |\n|---|---|\n| 0.793 | 0.207 |",
        "**0.793**, _0.207_ and `0.793`",
        "1.25e-7, 1.25 × 10⁻⁷ and $1.25 \\times 10^{-7}$",
        "<details><summary>0.793?</summary>\n\n0.207\n\n</details>",
        "```\nweight 0.793\n```",
        "from 0.207–0.793",
        "0.793은 고양이, 나머지(0.207)는 자동차, 합이−0.318",
    ],
)
def test_a_number_that_was_printed_passes(right):
    assert written(right) == []
    assert list(claimed(right))


@pytest.mark.parametrize(
    "wrong",
    [
        "0.783 against 0.207.",
        "0.79300",
        "It is −0.317.",
        "$0.822-1.141$",
        r"$$q \cdot0.794$$",
        r"$\frac{-0.319}{2}$",
        "12,345,679 bytes",
        r"$12{,}345{,}679$",
        "12,845 bytes",
        "| a | b |\n|---|---|\n| 0.798 | 0.207 |",
        "**0.783**",
        "`0.783`",
        "[0.783](https://example.org)",
        "![0.783](a.svg)",
        "1.26e-7",
        "1.25 × 10⁻⁸",
        "$1.25 \\times 10^{-8}$",
        "1.25e-7 = 1.25",
        "<details><summary>0.783?</summary>\n\nText.\n\n</details>",
        "```\nweight 0.783\n```",
        "from 0.207–0.783",
        "(0.783)",
        "405B parameters",
        "the step 2048",
        "약0.783이다",
        "2048년",
        "1.2345",
    ],
)
def test_a_number_that_was_not_printed_is_caught(wrong):
    assert len(written(wrong)) == 1


def test_a_sign_that_was_not_printed_is_caught():
    assert written("It is −0.793.")
    assert written("$-0.793$")


def test_each_changed_digit_is_caught():
    right = "0.793, −0.318 and 12,345,678 bytes"
    assert written(right) == []
    for place, digit in enumerate(right):
        if digit.isdigit():
            wrong = right[:place] + str((int(digit) + 1) % 10) + right[place + 1 :]
            assert written(wrong), wrong


@pytest.mark.parametrize(
    "name",
    [
        "$10000^{2i/d}$, 10 000 and 120",
        "0.79, 64 and 8.0",
        "float64, `float16`, H200 and A100",
        "`(4, 512, 512)`, `d_model = 512`, `x[:, 128]`",
        "the 2017 paper (Vaswani et al., 2017) of 2017",
        "arXiv:1706.03762, [arXiv:1706.03762](https://arxiv.org/abs/1706.03762)",
        "https://example.org/1234 and doi:10.1080/00437956.1954.11659520",
        "Python 3.11, 3.12 and 3.13, torch 2.11.0, CC BY 4.0",
        "section 3.2.1",
        '```python\nprint("0.783")\n```',
        "<!-- 0.783 -->",
        "2017년 논문(Vaswani 외, 2017)과 Python 3.11과 3.13, PyTorch 2.13에서",
        "## 출처\n\n- Harris, *Word* 10, 1954, 146–162쪽",
        "## Sources\n\n- Harris, *Word* 10, 1954, pages 146–162",
    ],
)
def test_what_is_no_measured_number_passes(name):
    assert written(name) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [("0.79", 2), ("0.790", 3), ("0.0079", 2), ("100", 1), ("1024", 4), ("1200", 2), ("8.00", 3)],
)
def test_significant_digits_are_counted_as_a_scientist_does(text, count):
    assert [significant_digits(number) for number in numbers(text)] == [count]


def test_a_number_keeps_its_sign_digits_and_power():
    assert list(numbers("−1,234.50e+03 x2 [-7]")) == [
        Number("-", "1234.50", "3"),
        Number("-", "7", ""),
    ]


def test_the_alternative_text_of_a_figure_is_prose():
    cell = code("draw", "plt.show()", alt="A bar that reaches to 0.783.")
    assert ("draw", "A bar that reaches to 0.783.") in list(prose(lesson(cell)))
    assert unprinted(lesson(cell), set()) == ["cell draw: 0.783 is printed nowhere"]


def test_the_value_of_a_last_line_counts_as_printed_and_a_figure_does_not():
    cell = code("value", "x")
    cell.outputs = [nbformat.v4.new_output("execute_result", data={"text/plain": "0.783"})]
    assert unprinted(lesson(markdown("prose", "0.783"), cell), set()) == []
    cell.outputs = [nbformat.v4.new_output("display_data", data={"text/plain": "0.783"})]
    assert unprinted(lesson(markdown("prose", "0.783"), cell), set())


def test_the_ledger_counts_where_it_exists(tmp_path):
    path = tmp_path / "claims.toml"
    assert ledger(path) == set()
    path.write_text('[[claim]]\nid = "A12"\nfigures = "weights 0.783, −0.207"\nvalue = 3.864\n')
    assert ledger(path) >= {"0.783", "-0.207", "0.207", "3.864"}
    assert unprinted(lesson(markdown("prose", "0.783")), ledger(path)) == []


def test_a_printed_number_counts_without_its_sign_but_not_with_another():
    assert said_in(["-0.318 and 0.793"]) == {"-0.318", "0.318", "0.793"}
