"""The configurations of the two books differ in their words and in nothing else."""

import yaml

from tests.site.toc import ROOT

MAY_DIFFER = {"title", "author", "sphinx.config.language"}


def flat(value: object, path: str = "") -> dict[str, object]:
    """A nested configuration as one level: {"sphinx.config.language": "en"}."""
    if not isinstance(value, dict):
        return {path: value}
    found = {}
    for key, inner in value.items():
        found |= flat(inner, f"{path}.{key}".lstrip("."))
    return found


def test_the_korean_book_is_configured_as_the_english_one():
    english, korean = (
        flat(yaml.safe_load((ROOT / name).read_text(encoding="utf-8")))
        for name in ("_config.yml", "_config.ko.yml")
    )
    assert english.keys() == korean.keys()
    differing = {key for key, value in english.items() if korean[key] != value}
    assert differing == MAY_DIFFER
