"""What is judged: head, base, settings, and each changed path with its class."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Final

from fairtrial.clients.git import Git
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import CommitId, RepoPath
from fairtrial.domain.paths import ChangedPath, PathClass
from fairtrial.domain.request import Request
from fairtrial.domain.settings import Authority, Settings
from fairtrial.policy.acceptance import NOBODY, Acceptance
from fairtrial.policy.paths import classify
from fairtrial.policy.paths_globs import first_match
from fairtrial.policy.paths_imports import imported_by_production
from fairtrial.policy.paths_names import named_by_production, ships_as_module
from fairtrial.policy.paths_uses import SUFFIXES as USES
from fairtrial.policy.paths_uses import used_by_production
from fairtrial.settings import PERSON, Standing, standing_of
from fairtrial.subject.acceptances import read_acceptance
from fairtrial.subject.configuration import choose_settings, chosen
from fairtrial.subject.event import LOCAL, Event, EventKind, read_event
from fairtrial.subject.history import History
from fairtrial.subject.revisions import find_revisions
from fairtrial.subject.taking_part import People, taking_part
from fairtrial.trees import Rules, Sides, classes_of, culprit_hunks, read_changes
from fairtrial.trees.changes import differing
from fairtrial.trees.listing import (
    LFS_POINTER_SIZE,
    Listing,
    is_lfs_pointer,
    submodules,
)

#: How many paths a notice names before it counts the rest.
_NAMED: Final = 3

_UNDECODABLE: Final = re.compile(r"[\udc80-\udcff]")

EQUAL_TREES: Final = "Base and head hold the same files: there is nothing to judge."


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """All that is known of a change before anything runs."""

    event: Event
    #: The commit; under a working tree, the one that it stands on.
    head: CommitId
    base: CommitId
    working_tree: bool
    #: How the base was found; a sentence.
    how: str
    settings: Settings
    #: Under whose authority it was made, and who made it so.
    standing: Standing = PERSON
    #: Asks GitHub, once, who accepted it as it stands; the Git has to be open yet.
    accepted: Callable[[], Acceptance] = field(default=lambda: NOBODY, repr=False)
    #: Sorted by path; `explain --paths` prints them.
    changed: tuple[ChangedPath, ...]
    rules: Rules
    #: What every tree of the run is composed from.
    sides: Sides
    #: Sentences that every reader should see.
    notices: tuple[str, ...]

    @property
    def authority(self) -> Authority:
        """Under whose authority the change was made."""
        return self.standing.authority

    @property
    def equal(self) -> bool:
        """Whether there is nothing to judge."""
        return not differing(self.sides.base, self.sides.head)

    @property
    def touches_production(self) -> bool:
        """Whether production, migrations or dependencies differ."""
        return any(
            change.path_class
            in {PathClass.PRODUCTION, PathClass.MIGRATION, PathClass.DEPENDENCIES}
            for change in self.changed
        )


def read_subject(
    git: Git, request: Request, *, token: str = "", people: People | None = None
) -> Subject:
    """What a request asks to judge; the Git stays open as long as blobs are read.

    `token` reads the repository where history has to be fetched, `people` what GitHub
    knows of those who took part. Raises ConfigurationError.
    """
    event = _event(request.event)
    history = History(git=git, server=event.server, token=token)
    found = find_revisions(git, event, history, base=request.base, head=request.head)
    notices: list[str] = []
    base = git.listing(found.base)
    head = git.listing(found.head)
    if found.working_tree:
        taken = git.snapshot()
        head = git.listing(taken.tree)
        if taken.skipped:
            notices.append(
                f"Repositories inside the working tree are left out:"
                f" {_some(taken.skipped)}."
            )
    if base == head:
        notices.append(EQUAL_TREES)
    settings, said = choose_settings(
        base, head, git.read, request.config, request.inputs
    )
    settings = chosen(settings, request.suites)
    part = taking_part(git, event, found, settings, people)
    standing = standing_of(settings, part.actors, request.authority, part.written)
    used, testless = _in_use(git, base, head, settings)
    rules = Rules(
        overrides=settings.paths,
        source=settings.source,
        imported=used,
        testless=testless,
    )
    changed = read_changes(base, head, rules, git.read)
    classes = classes_of(changed)
    sides = Sides(
        base=base,
        head=head,
        classes=classes,
        read=git.read,
        changes=culprit_hunks(base, head, classes, git.read),
    )
    return Subject(
        event=event,
        head=found.head,
        base=found.base,
        working_tree=found.working_tree,
        how=found.how,
        settings=settings,
        standing=standing,
        accepted=cache(
            partial(read_acceptance, git, event, found.head, settings, people)
        ),
        changed=changed,
        rules=rules,
        sides=sides,
        notices=(*notices, *said, *part.notices, *_absent(git, base, head)),
    )


def _event(environ: Mapping[str, str]) -> Event:
    if not environ.get("GITHUB_EVENT_NAME"):
        return LOCAL
    path = environ.get("GITHUB_EVENT_PATH", "")
    try:
        payload = Path(path).read_bytes()
    except OSError as wrong:
        raise ConfigurationError(
            f"The event's payload `{path}` can't be read: {wrong.strerror}.",
            means="GITHUB_EVENT_PATH names it; the runner writes it before a step.",
        ) from wrong
    return read_event(environ, payload)


def _in_use(
    git: Git, base: Listing, head: Listing, settings: Settings
) -> tuple[Mapping[RepoPath, RepoPath], frozenset[RepoPath]]:
    """Changed paths among the tests that production of either side uses, with a user.

    Beside them the modules that are tests by their name and hold none.
    """

    def kind(path: RepoPath) -> PathClass:
        return classify(path, settings.paths).path_class

    suspects = [path for path in differing(base, head) if kind(path) is PathClass.TEST]
    if not suspects:
        return {}, frozenset()
    found: dict[RepoPath, RepoPath] = {}
    holding: dict[RepoPath, list[bytes]] = {}
    for listing in (base, head):
        here = [path for path in suspects if path in listing]
        python = {
            path: entry.blob
            for path, entry in listing.items()
            if path.endswith(".py") and entry.is_file
        }
        texts = git.read_all(python.values())
        production: dict[RepoPath, bytes] = {}
        tests: dict[RepoPath, bytes] = {}
        for path, blob in python.items():
            side = tests if kind(path) is PathClass.TEST else production
            side[path] = texts[blob]
        modules = [path for path in here if path in python]
        for path in modules:
            holding.setdefault(path, []).append(tests[path])
        found |= imported_by_production(modules, production, tests)
        for path in here:
            user = None if path in python else named_by_production(path, production)
            if user is not None:
                found[path] = user
        found |= _used(git, listing, here, kind)
    return found, frozenset(
        path
        for path, sources in holding.items()
        if first_match(settings.paths.get(PathClass.TEST, ()), path) is None
        and ships_as_module(path, sources)
    )


def _used(
    git: Git,
    listing: Listing,
    suspects: Sequence[RepoPath],
    kind: Callable[[RepoPath], PathClass],
) -> Mapping[RepoPath, RepoPath]:
    """The suspects in other languages than Python that production uses, with a user.

    What decides about tests (a runner's configuration) may well name helpers of tests.
    """
    asked = [path for path in suspects if path.endswith(USES)]
    if not asked:
        return {}
    blobs = {
        path: entry.blob
        for path, entry in listing.items()
        if path.endswith(USES) and entry.is_file
    }
    texts = git.read_all(blobs.values())
    sides: dict[PathClass, dict[RepoPath, bytes]] = {one: {} for one in PathClass}
    for path, blob in blobs.items():
        sides[kind(path)][path] = texts[blob]
    production = sides[PathClass.PRODUCTION] | sides[PathClass.MIGRATION]
    return used_by_production(asked, production, sides[PathClass.TEST])


def _absent(git: Git, base: Listing, head: Listing) -> tuple[str, ...]:
    """What a trial will miss, because git's objects do not hold it."""
    said = []
    modules = submodules(head)
    if modules:
        said.append(f"Submodules are not part of the trials: {_some(modules)}.")
    pointers = _lfs_pointers(git, head)
    if pointers:
        said.append(
            f"The content of git LFS files is not part of the trials:"
            f" {_some(pointers)}."
        )
    strange = [path for path in differing(base, head) if _UNDECODABLE.search(path)]
    if strange:
        said.append(f"{len(strange)} changed path(s) are not written in UTF-8.")
    return tuple(said)


def _lfs_pointers(git: Git, listing: Listing) -> list[RepoPath]:
    attributes = [
        entry.blob
        for path, entry in listing.items()
        if path.rpartition("/")[2] == ".gitattributes" and entry.is_file
    ]
    if not any(b"filter=lfs" in data for data in git.read_all(attributes).values()):
        return []
    small = {
        path: listing[path].blob
        for path, size in git.sizes(listing).items()
        if size <= LFS_POINTER_SIZE
    }
    texts = git.read_all(small.values())
    return [path for path, blob in small.items() if is_lfs_pointer(texts[blob])]


def _some(names: Sequence[str]) -> str:
    listed = ", ".join(names[:_NAMED])
    more = len(names) - _NAMED
    return f"{listed} and {more} more" if more > 0 else listed


__all__ = ["EventKind", "Subject", "read_subject"]
