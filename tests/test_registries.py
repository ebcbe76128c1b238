"""Each plug-in is a file, a line in its registry, a test, and a place in the docs."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

import pytest
from specimens import names, read

from fairtrial.cli import COMMANDS
from fairtrial.diagnosis import FAILURE_KINDS
from fairtrial.domain.decisions import Category
from fairtrial.integrity import LANGUAGES
from fairtrial.reporters import REPORTERS
from fairtrial.runners import RUNNERS
from fairtrial.verdicts import RULES

ROOT: Final = Path(__file__).parents[1]
SOURCE: Final = ROOT / "src" / "fairtrial"

#: Files in a plug-in's folder that are no plug-in: what several of them share.
SHARED: Final = {
    "integrity": {"compare", "errors", "syntax"},
    "diagnosis": set[str](),
    "reporters": {
        "audit",
        "audit_reader",
        "commands",
        "counts",
        "headline",
        "hostile",
        "leftovers",
        "plain_json",
        "progress",
        "publication",
        "receipt",
        "receipt_checks",
        "receipt_envelope",
        "receipt_reader",
        "report_reader",
        "sections",
        "strict_json",
        "table",
        "words",
    },
    "runners": {"detection", "junit"},
    "verdicts": {"_by_kind", "_sentences"},
}


def modules(folder: str) -> set[str]:
    found = pkgutil.iter_modules([str(SOURCE / folder)])
    return {each.name for each in found if not each.ispkg} - SHARED[folder]


@pytest.mark.parametrize(
    ("folder", "registered"),
    [
        ("diagnosis", {name.replace("-", "_") for name in FAILURE_KINDS}),
        ("integrity", set(LANGUAGES)),
        ("reporters", set(REPORTERS)),
        ("runners", set(RUNNERS)),
        ("verdicts", {category.value.replace("-", "_") for category in RULES}),
    ],
)
def test_each_file_is_registered_under_its_own_name(
    folder: str, registered: Collection[str]
) -> None:
    assert modules(folder) == set(registered)


@pytest.mark.parametrize("folder", sorted(SHARED))
def test_each_file_that_is_said_to_be_shared_exists(folder: str) -> None:
    assert [] == [
        name for name in SHARED[folder] if not (SOURCE / folder / f"{name}.py").exists()
    ]


@pytest.mark.parametrize("folder", sorted(SHARED))
def test_each_plug_in_has_tests_that_name_it(folder: str) -> None:
    text = "".join(path.read_text() for path in (ROOT / "tests" / folder).glob("*.py"))

    assert [] == [
        name
        for name in sorted(modules(folder))
        if not any(
            form in text for form in (name, name.upper(), name.replace("_", "-"))
        )
    ]


def headings(page: str) -> set[str]:
    text = (ROOT / "docs" / page).read_text()
    return set(re.findall(r"^##+ `?([\w-]+)`?", text, flags=re.MULTILINE))


def test_each_category_has_a_heading() -> None:
    assert {category.value for category in Category} <= headings("verdicts.md")


def test_each_runner_has_a_heading() -> None:
    assert set(RUNNERS) <= {name.lower() for name in headings("runners.md")}


def test_each_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    action = (ROOT / "docs" / "action.md").read_text()

    assert [] == [
        name for name in COMMANDS if f"fairtrial {name}" not in readme + action
    ]


@pytest.mark.parametrize("name", names())
def test_each_specimen_says_its_exit_code_and_its_verdicts(name: str) -> None:
    expected = read(name).expected

    assert expected["exit"] in {0, 10, 11, 12}
    assert isinstance(expected["verdicts"], dict)


def test_each_category_that_an_experiment_can_show_has_a_specimen() -> None:
    shown = {
        fields["category"]
        for name in names()
        for fields in read(name).expected["verdicts"].values()
    } | {rule for name in names() for rule in read(name).expected.get("findings", {})}

    assert {category.value for category in Category} - shown == UNSHOWN


#: What takes chance; told by simulated inquiries.
UNSHOWN: Final = {"non-deterministic"}
