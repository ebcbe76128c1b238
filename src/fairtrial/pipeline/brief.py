"""What every step of a run needs: the request, the subject, all trees, the world."""

from __future__ import annotations

from contextlib import ExitStack
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from fairtrial.benches import Bench
from fairtrial.clients.git import Git
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import HunkId, RepoPath, TestId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.request import Request
from fairtrial.domain.settings import BudgetSettings, Settings, SuiteSettings
from fairtrial.laboratory.source import TreeSource
from fairtrial.pipeline.world import World
from fairtrial.policy.acceptance import Acceptance
from fairtrial.policy.paths import changed_classes
from fairtrial.runners import Order
from fairtrial.subject.subject import Subject, read_subject
from fairtrial.trees.listing import Entry, Read, bytes_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """Everything that is fixed before the first trial."""

    request: Request
    world: World
    subject: Subject
    source: TreeSource
    #: What has to be closed when the run ends, however it ends.
    closers: ExitStack
    #: Trial names are unique in a run, whichever suite they belong to.
    numbers: count[int] = field(default_factory=lambda: count(1))
    #: What was worked out from this value and nothing else.
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def trials(self) -> int:
        """How many trials were begun so far."""
        return next(copy(self.numbers)) - 1

    @property
    def settings(self) -> Settings:
        """The settings of the base."""
        return self.subject.settings

    @property
    def acceptance(self) -> Acceptance:
        """Who accepted the change as it stands; GitHub is asked when it matters."""
        return self.subject.accepted()

    @property
    def budget(self) -> BudgetSettings:
        """The base's budget; its minutes are the request's where it names some."""
        asked, configured = self.request.budget, self.settings.budget
        return configured if asked is None else replace(configured, minutes=asked)

    @property
    def changed(self) -> frozenset[PathClass]:
        """The classes in which base and head differ."""
        return changed_classes(self.subject.changed)

    @property
    def hunks(self) -> tuple[HunkId, ...]:
        """All changed hunks that can be a culprit, in the order of the change."""
        changes = self.subject.sides.changes
        return tuple(hunk.id for one in changes.values() for hunk in one.hunks)

    def paths(self, path_class: PathClass) -> tuple[RepoPath, ...]:
        """The changed paths of one class."""
        return tuple(
            change.path
            for change in self.subject.changed
            if change.path_class is path_class
        )

    def closing(self, bench: Bench) -> Bench:
        """The same bench, closed when the run ends."""
        self.closers.callback(bench.close)
        return bench

    def order_of(self, suite: SuiteSettings) -> Order | None:
        """The order that the suite's configuration names; base's file, as ever.

        With `--config` the file may stand beside the configuration instead. Raises
        ConfigurationError when there is no such file.
        """
        if suite.order is None:
            return None
        text = self._text(suite.order.file)
        if text is None:
            raise ConfigurationError(
                f"{self.settings.source}: suite {suite.name}: order: "
                f"`{suite.order.file}` is not in the base.",
                means="The order is control, so the base's file counts.",
                remedy="Commit the file to the base, or give its right path.",
            )
        lines = (line.strip() for line in text.decode("utf-8").splitlines())
        ids = tuple(TestId(line) for line in lines if line)
        return Order(first=ids, only=suite.order.only)

    def _text(self, file: str) -> bytes | None:
        sides = self.subject.sides
        entry = sides.base.get(RepoPath(file))
        if entry is not None and entry.is_file:
            return bytes_of(entry, sides.read)
        config = self.request.config
        beside = None if config is None else config.parent / file
        if beside is not None and beside.is_file():
            return beside.read_bytes()
        return None

    def read(self, path: RepoPath) -> tuple[bytes | None, bytes | None]:
        """A file at base and at head; None on the side that has no such file."""
        sides = self.subject.sides
        return (
            _bytes(sides.base.get(path), sides.read),
            _bytes(sides.head.get(path), sides.read),
        )


def read_brief(git: Git, request: Request, world: World, closers: ExitStack) -> Brief:
    """All that is fixed before the first trial; raises ConfigurationError."""
    subject = read_subject(git, request, token=world.token, people=world.people)
    return Brief(
        request=request,
        world=world,
        subject=subject,
        source=TreeSource(sides=subject.sides),
        closers=closers,
    )


def _bytes(entry: Entry | None, read: Read) -> bytes | None:
    return bytes_of(entry, read) if entry is not None and entry.is_file else None
