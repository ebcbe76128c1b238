"""Real cases with known truth, as a corpus folder's `cases.yaml` has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One change of a real project, and what is true of one of its tests."""

    id: str
    kind: str
    repo: str
    python: str
    #: A commit, or one with paths taken out.
    base: str | Mapping[str, Any]
    #: A commit, "same", or base with some paths of another commit.
    head: str | Mapping[str, Any]
    requirements: Path
    install: str | None
    command: str
    env: Mapping[str, str] = field(default_factory=dict)
    #: A file of test ids; None for the suite's own order.
    order: Path | None
    #: It passes in its suite and fails alone: there is nothing for a gate to judge.
    alone: bool
    test: str
    truth: Mapping[str, Any]
    #: One set of tests that is known to make it fail, or that it needs.
    polluters: tuple[str, ...] = ()
    setters: tuple[str, ...] = ()
    #: What they leave behind, as somebody read it in the code.
    mechanism: str = ""

    @property
    def company(self) -> tuple[str, ...]:
        """The tests that are known to make it fail, or that it needs."""
        return self.polluters or self.setters


def read(corpus: Path) -> tuple[Case, ...]:
    """All cases of a corpus, in its order."""
    found = yaml.safe_load((corpus / "cases.yaml").read_text(encoding="utf-8"))
    return tuple(_case(corpus, each) for each in found)


def _case(corpus: Path, fields: Mapping[str, Any]) -> Case:
    order = fields.get("order")
    alone = order == "alone"
    return Case(
        id=fields["id"],
        kind=fields["kind"],
        repo=fields["repo"],
        python=str(fields["python"]),
        base=fields["base"],
        head=fields.get("head", "same"),
        requirements=corpus / fields["requirements"],
        install=fields.get("install"),
        command=fields["command"],
        env={name: str(value) for name, value in (fields.get("env") or {}).items()},
        order=None if order is None or alone else corpus / order,
        alone=alone,
        test=fields["test"],
        truth=fields["truth"],
        polluters=tuple(fields.get("polluters") or ()),
        setters=tuple(fields.get("setters") or ()),
        mechanism=fields.get("mechanism", ""),
    )


def agrees(truth: Mapping[str, Any], seen: Mapping[str, Any]) -> bool:
    """Whether a verdict says what is true; a truth may allow "this or that"."""
    for name, value in truth.items():
        allowed = value.split(" or ") if isinstance(value, str) else [value]
        if seen.get(name) not in allowed:
            return False
    return True
