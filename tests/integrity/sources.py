"""Test files as sources, held against each other with the languages themselves."""

from __future__ import annotations

from collections.abc import Mapping

from fairtrial.domain.demands import Change, Compared, Match
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.compare import Side, compare

PRODUCTION = {"src/cart.py": "def total(prices):\n    return sum(prices)\n"}


def told(
    base: Mapping[str, str],
    head: Mapping[str, str],
    base_production: Mapping[str, str] = PRODUCTION,
    head_production: Mapping[str, str] | None = None,
) -> dict[str, Compared]:
    """What the comparison tells, by the test's name at head, or where it went."""
    new = base_production if head_production is None else head_production

    def plain(files: Mapping[str, str]) -> Mapping[RepoPath, bytes]:
        return {RepoPath(path): text.encode() for path, text in files.items()}

    def differing(
        one: Mapping[str, str], other: Mapping[str, str]
    ) -> frozenset[RepoPath]:
        return frozenset(
            RepoPath(path)
            for path in {*one, *other}
            if one.get(path) != other.get(path)
        )

    found = compare(
        Side(files=plain(base), production=plain(base_production)),
        Side(files=plain(head), production=plain(new)),
        changed=differing(base, head),
        changed_production=differing(base_production, new),
    )
    assert not found.unread
    return {
        str(each.base if each.match is Match.MERGED else each.head or each.base): each
        for each in found.tests
    }


def rules(compared: Compared) -> dict[str, Change]:
    return {each.rule: each.change for each in compared.differences}
