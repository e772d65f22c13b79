"""Every Korean text keeps every rule."""

import pytest

from tests.lessons.korean_rules import RULES
from tests.lessons.korean_texts import FILES, words_of


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_korean_text(path, rule):
    faults = [f"{words.where}: {fault}" for words in words_of(path) for fault in rule(words)]
    assert faults == []
