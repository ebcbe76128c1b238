"""Every word that a report can say has an entry in docs/glossary.md."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind
from fairtrial.domain.paths import PathClass
from fairtrial.domain.results import Outcome

GLOSSARY = Path(__file__).parent.parent / "docs" / "glossary.md"


def entries(*, nested: bool) -> list[str]:
    """The words that have an entry, at the top or below one."""
    indent = "  " if nested else ""
    pattern = rf"^{indent}- \*\*([^*]+)\*\*(?: \([^)]*\))?: .+\.$"
    return re.findall(pattern, GLOSSARY.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    "words",
    [
        [category.value for category in Category],
        [outcome.value for outcome in Outcome],
        [decision.word for decision in Decision],
    ],
    ids=["categories", "outcomes", "decisions"],
)
def test_every_word_of_a_verdict_has_its_entry(words: Iterable[str]) -> None:
    assert [] == sorted(set(words) - set(entries(nested=True)))


def test_no_word_of_a_verdict_is_left_from_an_older_time() -> None:
    known = {
        *(category.value for category in Category),
        *(outcome.value for outcome in Outcome),
        *(decision.word for decision in Decision),
    }

    assert [] == sorted(set(entries(nested=True)) - known)


def test_every_class_of_path_has_its_entry() -> None:
    assert set() == {cls.value for cls in PathClass} - set(entries(nested=False))


@pytest.mark.parametrize("word", [*ContextKind, *Blame])
def test_contexts_and_sides_are_named(word: str) -> None:
    assert f"`{word}`" in GLOSSARY.read_text("utf-8")
