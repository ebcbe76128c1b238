"""Test files made by hand: their content is what they demand, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from fairtrial.domain.demands import (
    Aspect,
    AssertionKind,
    Change,
    Compared,
    Comparison,
    Demand,
    FileDemands,
    Source,
    Support,
    WrittenTest,
)
from fairtrial.domain.names import RepoPath
from fairtrial.integrity import CannotRead, Language
from fairtrial.integrity.compare import Side, compare
from fairtrial.integrity.syntax import digest

Files = Mapping[str, bytes]


class Written:
    """The language of files made by hand."""

    SUFFIXES: tuple[str, ...] = (".py", ".java")

    def read(self, text: str) -> FileDemands:
        """What was written down."""
        try:
            told = json.loads(text)
        except ValueError as error:
            raise CannotRead(f"it is not written by hand: {error}") from error
        return FileDemands(
            tests=tuple(
                WrittenTest(
                    **{
                        **each,
                        "names": tuple(each["names"]),
                        "demands": _demands(each["demands"]),
                        "uses": frozenset(each["uses"]),
                    }
                )
                for each in told["tests"]
            ),
            support={
                each["name"]: Support(
                    **{
                        **each,
                        "demands": _demands(each["demands"]),
                        "uses": frozenset(each["uses"]),
                    }
                )
                for each in told["support"]
            },
            imports=told["imports"],
        )


WRITTEN: Final = Written()


def language(path: RepoPath) -> Language | None:
    """The language of a path, by its suffix."""
    return WRITTEN if path.endswith(WRITTEN.SUFFIXES) else None


def _demands(told: list[dict[str, Any]]) -> tuple[Demand, ...]:
    return tuple(
        Demand(
            **{
                **each,
                "aspect": Aspect(each["aspect"]),
                "kind": None if each["kind"] is None else AssertionKind(each["kind"]),
                "source": Source(each["source"]),
            }
        )
        for each in told
    )


def equal(subject: str, expected: str, **said: Any) -> Demand:
    """`assert subject == expected`."""
    return Demand(
        aspect=Aspect.ASSERTION,
        kind=said.pop("kind", AssertionKind.EQUAL),
        subject=subject,
        expected=expected,
        source=said.pop("source", Source.LITERAL),
        text=f"assert {subject} == {expected}",
        **said,
    )


def asserted(kind: AssertionKind, subject: str = "total(_)", **said: Any) -> Demand:
    """Any assertion."""
    return Demand(aspect=Aspect.ASSERTION, kind=kind, subject=subject, **said)


def made(aspect: Aspect, subject: str = "", **said: Any) -> Demand:
    """Any other demand."""
    return Demand(aspect=aspect, subject=subject, **said)


def test_of(name: str, *demands: Demand, **said: Any) -> WrittenTest:
    """A test with a digest of its demands."""
    words = [repr(each.key) for each in demands]
    return WrittenTest(
        names=tuple(name.split("::")),
        demands=demands,
        digest=said.pop("digest", digest([*words, *sorted(said.get("uses", ()))])),
        uses=frozenset(said.pop("uses", ())),
        # The whole file is one line.
        line=1,
        last_line=1,
        **said,
    )


def support_of(name: str, *demands: Demand, **said: Any) -> Support:
    """A helper with a digest of its demands and its text."""
    words = [repr(each.key) for each in demands]
    return Support(
        name=name,
        demands=demands,
        digest=said.pop("digest", digest([*words, said.get("text", "")])),
        uses=frozenset(said.pop("uses", ())),
        **said,
    )


def file_of(
    *tests: WrittenTest,
    support: tuple[Support, ...] = (),
    imports: Mapping[str, str] | None = None,
) -> bytes:
    """A file that holds these."""
    told = {
        "tests": [_plain(asdict(each)) for each in tests],
        "support": [_plain(asdict(each)) for each in support],
        "imports": dict(imports or {}),
    }
    return json.dumps(told, sort_keys=True).encode()


def _plain(told: dict[str, Any]) -> dict[str, Any]:
    return {**told, "uses": sorted(told["uses"])}


def comparison(
    base: Files,
    head: Files,
    *,
    base_production: Files | None = None,
    head_production: Files | None = None,
) -> Comparison:
    """The comparison of two sides; what differs between them is what changed."""
    old, new = base_production or {}, head_production or base_production or {}
    return compare(
        Side(files=_paths(base), production=_paths(old)),
        Side(files=_paths(head), production=_paths(new)),
        changed=_changed(base, head),
        changed_production=_changed(old, new),
        language=language,
    )


def one(base: Files, head: Files, **said: Files) -> Compared:
    """The only test that the comparison tells."""
    found = comparison(base, head, **said)
    assert not found.unread
    (compared,) = found.tests
    return compared


def between(was: WrittenTest, now: WrittenTest) -> Compared:
    """What became of the only test of a file."""
    return one({"test_a.py": file_of(was)}, {"test_a.py": file_of(now)})


def rules(compared: Compared) -> dict[str, Change]:
    """Each difference's rule with what it does."""
    return {each.rule: each.change for each in compared.differences}


def _changed(base: Files, head: Files) -> frozenset[RepoPath]:
    return frozenset(
        RepoPath(path) for path in {*base, *head} if base.get(path) != head.get(path)
    )


def _paths(files: Files) -> Mapping[RepoPath, bytes]:
    return {RepoPath(path): data for path, data in files.items()}
