from __future__ import annotations

from collections.abc import Mapping

import pytest
from specimens.tampering import Pattern, patterns, project

from fairtrial.domain.demands import HEAVINESS, Change, Comparison
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.compare import Side, compare

#: What the tests' side of a pattern amounts to, by the pattern's kind.
AMOUNTS = {
    "weakened": {Change.WEAKENED},
    "gone": {Change.WEAKENED},
    "removed": {Change.WEAKENED},
    "re-specified": {Change.RE_SPECIFIED},
    "stronger": {Change.STRONGER},
    # Some honest work can't be told from other inputs by its text: experiments tell.
    "equal": {Change.EQUAL, Change.STRONGER, Change.RE_SPECIFIED},
}
SILENT = {
    "only-production-refactored",
    "subject-renamed",
    "module-moved",
    "test-file-moved",
    "test-renamed",
    "reformatted",
    "commented",
    "constant-extracted",
    "grouped-in-a-class",
    "skipped-on-another-platform",
    "marker-added",
}
RULES = {
    "equal-to-not-none": "assertion-weakened",
    "assert-true": "assertion-vacuous",
    "self-comparison": "expected-derived",
    "exception-swallowed": "exception-swallowed",
    "subject-mocked": "subject-mocked",
    "tolerance-widened": "tolerance-widened",
    "dead-branch": "code-unreachable",
    "early-return": "code-unreachable",
    "row-dropped": "row-removed",
    "helper-gutted": "helper-weakened",
    "fixture-returns-the-answer": "fixture-changed",
    "snapshot-regenerated": "golden-changed",
    "conftest-patches-the-subject": "subject-mocked",
    "shadowed-by-a-later-definition": "test-shadowed",
    "renamed-out-of-the-pattern": "test-renamed-away",
    "skip-in-the-body": "skip-added",
    "test-file-deleted": "test-removed",
    "input-changed": "input-changed",
}

TOLD = [each for each in patterns() if each.kind in AMOUNTS]


def of(pattern: Pattern) -> Comparison:
    before = {**project()["base"], **pattern.base}
    after = dict(before)
    for path, old, new in pattern.edits:
        after[path] = after[path].replace(old, new)
    after |= {**pattern.head, **pattern.production}
    for path in pattern.deleted:
        del after[path]
    return compare(
        side(before),
        side(after),
        changed=changed(before, after, "tests/"),
        changed_production=changed(before, after, "src/"),
    )


def side(files: Mapping[str, str]) -> Side:
    return Side(files=below(files, "tests/"), production=below(files, "src/"))


def below(files: Mapping[str, str], folder: str) -> Mapping[RepoPath, bytes]:
    return {
        RepoPath(path): text.encode()
        for path, text in files.items()
        if path.startswith(folder)
    }


def changed(
    before: Mapping[str, str], after: Mapping[str, str], folder: str
) -> frozenset[RepoPath]:
    return frozenset(
        RepoPath(path)
        for path in {*before, *after}
        if path.startswith(folder) and before.get(path) != after.get(path)
    )


@pytest.mark.parametrize("pattern", TOLD, ids=lambda it: it.name)
def test_each_pattern_is_what_it_is(pattern: Pattern) -> None:
    found = of(pattern)

    heaviest = max(
        (each.change for each in found.tests),
        key=HEAVINESS.__getitem__,
        default=Change.EQUAL,
    )
    assert not found.unread
    assert heaviest in AMOUNTS[pattern.kind]
    if pattern.name in SILENT:
        assert Change.EQUAL is heaviest
    if pattern.name in RULES:
        told = {each.rule for test in found.tests for each in test.differences}
        assert RULES[pattern.name] in told


@pytest.mark.parametrize(
    "name", ["test-file-moved", "test-renamed", "reformatted", "commented"]
)
def test_what_is_only_moved_or_reformatted_needs_no_experiment(name: str) -> None:
    (pattern,) = [each for each in patterns() if each.name == name]

    found = of(pattern).tests

    assert found
    assert all(each.identical for each in found)


def test_every_pattern_that_is_named_here_exists() -> None:
    assert {*SILENT, *RULES} <= {each.name for each in patterns()}
