"""docs/demands.md says what the comparison and the policy say; held by enumeration."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from fairtrial.domain.settings import Authority
from fairtrial.integrity import LANGUAGES
from fairtrial.integrity.compare import RULES
from fairtrial.policy.effects import (
    Edit,
    Effect,
    Killed,
    Oracle,
    consequence_of,
    effect_of,
)

PAGE: Final = (Path(__file__).parents[1] / "docs" / "demands.md").read_text()

#: The page's rows, in its words.
ROWS: Final = {
    "fails, and holds on base's": (Oracle.FAILS, Killed.UNMEASURED),
    "fails at both sides, in different ways": (Oracle.OTHERWISE, Killed.UNMEASURED),
    "fails at both sides, by an assertion": (Oracle.RED_BEFORE, Killed.UNMEASURED),
    "could run at neither side": (Oracle.BROKEN_BEFORE, Killed.UNMEASURED),
    "can't be built: production removed what it uses": (
        Oracle.CONTRACT_REMOVED,
        Killed.UNMEASURED,
    ),
    "holds, and no kill is lost": (Oracle.HOLDS, Killed.KEPT),
    "holds, and a kill is lost": (Oracle.HOLDS, Killed.LOST),
    "holds, kills not measured": (Oracle.HOLDS, Killed.UNMEASURED),
    "could not be told": (Oracle.UNKNOWN, Killed.UNMEASURED),
}
COLUMNS: Final = (
    (Edit.EQUAL, Edit.STRONGER),
    (Edit.ARRANGED,),
    (Edit.RE_SPECIFIED,),
    (Edit.WEAKENED,),
    (Edit.GONE,),
)


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def rows(first: str) -> dict[str, list[str]]:
    """The rows of the table whose head begins with a cell, by their first cells."""
    lines = iter(PAGE.splitlines())
    for line in lines:
        if line.startswith(f"| {first} |"):
            break
    next(lines)
    found = {}
    for line in lines:
        if not line.startswith("|"):
            break
        name, *rest = cells(line)
        found[name] = rest
    return found


def test_every_pattern_is_explained_as_it_is_in_the_code() -> None:
    shown = rows("pattern")
    for rule, (change, sentence) in RULES.items():
        assert [change.value, sentence] == shown[f"`{rule}`"]


def test_every_pattern_on_the_page_is_one() -> None:
    own = {"test-edited", "test-gone", "mutant-survives"}
    own |= {"new-test-kills-nothing", "base-unlisted"}

    assert {f"`{name}`" for name in (*RULES, *own)} == set(rows("pattern"))


def test_the_table_of_effects_is_the_policys() -> None:
    shown = rows("base's version, on head's production")

    assert set(ROWS) == set(shown)
    for name, (oracle, killed) in ROWS.items():
        for edits, effect in zip(COLUMNS, shown[name], strict=True):
            for edit in edits:
                assert effect == effect_of(edit, oracle, killed).value, (name, edit)


def test_the_table_of_consequences_is_the_policys() -> None:
    shown = rows("effect")

    assert set(Effect) - {Effect.NOTHING} == {Effect(name) for name in shown}
    for name, told in shown.items():
        for authority, words in zip(Authority, told, strict=True):
            found = consequence_of(Effect(name), authority)
            assert found is not None
            word = "notice" if found.decision.word == "pass" else found.decision.word
            assert word == words.partition(":")[0]
            named = re.findall(r"`([\w-]+)`", words)
            assert named in ([found.category.value], [])


def test_each_language_has_a_heading_and_a_test() -> None:
    tests = Path(__file__).parent / "integrity"
    for language in LANGUAGES:
        assert f"\n### {language}\n" in PAGE
        assert list(tests.glob(f"test_{language}*.py")), language
