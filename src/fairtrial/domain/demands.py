"""What tests demand: the nouns that a language reads and the comparison compares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from fairtrial.domain.names import RepoPath


class Aspect(StrEnum):
    """Which side of a test a demand, or a difference, is about."""

    #: Whether the test is there at all.
    PRESENCE = "presence"
    #: Skips, expected failures, disabled tests, with their condition.
    SKIP = "skip"
    #: Focus markers: others do not run while this one has it.
    FOCUS = "focus"
    #: What is looked at and what it has to be.
    ASSERTION = "assertion"
    #: What the test does before it looks: calls, arrangements, inputs.
    ARRANGEMENT = "arrangement"
    #: Handlers that swallow what an assertion or the subject raises.
    SWALLOWED = "swallowed"
    #: Code after an early return, in a dead branch, or in a shadowed definition.
    UNREACHABLE = "unreachable"
    #: Stand-ins, with what they replace.
    MOCK = "mock"
    #: Parameter rows, one demand each.
    ROW = "row"
    RETRY = "retry"
    TIMEOUT = "timeout"
    #: Snapshots and golden files.
    SNAPSHOT = "snapshot"
    #: A helper or fixture that the test uses.
    SUPPORT = "support"


class AssertionKind(StrEnum):
    """What an assertion says of its subject, in any language."""

    EQUAL = "equal"
    IDENTICAL = "identical"
    NOT_EQUAL = "not-equal"
    #: Equal within a tolerance.
    CLOSE = "close"
    #: Holds a part, starts with it, matches a pattern or a subset.
    CONTAINS = "contains"
    MATCHES = "matches"
    #: Less, greater, between.
    ORDERED = "ordered"
    LENGTH = "length"
    TYPE = "type"
    TRUE = "true"
    FALSE = "false"
    NONE = "none"
    NOT_NONE = "not-none"
    #: A given error is raised; `expected` is its type, with its message where asked.
    RAISES = "raises"
    #: Any error will do.
    RAISES_ANY = "raises-any"
    NOT_RAISES = "not-raises"
    #: A stand-in was called; `expected` holds the arguments where they are asked.
    CALLED = "called"
    SNAPSHOT = "snapshot"
    #: Can't fail: `assert True`, `x == x`, a non-empty tuple.
    VACUOUS = "vacuous"
    #: An assertion helper or a matcher that is not known.
    CUSTOM = "custom"


class Source(StrEnum):
    """Where an expected value comes from."""

    LITERAL = "literal"
    #: A name of the test that was resolved to a literal.
    LOCAL = "local"
    #: A parameter row.
    ROW = "row"
    #: A fixture or helper.
    FIXTURE = "fixture"
    #: A file, snapshot or cassette.
    FILE = "file"
    #: Worked out by the production code itself: the test agrees with whatever it does.
    SUBJECT = "subject"
    COMPUTED = "computed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """One thing that a test demands.

    `subject`, `inputs`, `expected` and `tolerance` are normalised text: local names
    that stand for a value are replaced by it, loop and local variables by their order
    of first use, formatting and quotes are one. Two demands are equal when all of
    `key` is equal.
    """

    aspect: Aspect
    #: For assertions; None otherwise.
    kind: AssertionKind | None = None
    #: What is looked at, with its arguments blanked: "total(_)", "cart.items[_]". For
    #: SKIP its kind ("skip", "xfail"), for MOCK the target, for SUPPORT the name.
    subject: str = ""
    #: The arguments of the subject.
    inputs: str = ""
    #: What it has to be. For SKIP the condition, for ROW the row.
    expected: str = ""
    source: Source = Source.UNKNOWN
    tolerance: str = ""
    #: The conditions it stands under ("" for none): `if`, loops, handlers.
    guard: str = ""
    #: As written, for people, on one line.
    text: str = ""
    line: int = 0

    @property
    def key(self) -> tuple[str, ...]:
        """What makes two demands the same demand."""
        kind = "" if self.kind is None else self.kind.value
        return (
            self.aspect.value,
            kind,
            self.subject,
            self.inputs,
            self.expected,
            self.tolerance,
            self.guard,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTest:
    """One test as its source has it; parameter rows belong to their one test."""

    #: Names inside the file: ("TestCart", "test_total"); a describe block is a name.
    names: tuple[str, ...]
    demands: tuple[Demand, ...] = ()
    #: Helpers, fixtures, constants and imported names of test code it uses, by name.
    uses: frozenset[str] = frozenset()
    #: The normalised test without its own name: equal digests are the same test.
    digest: str = ""
    #: First and last line, decorators and annotations included; the first is 1.
    line: int = 0
    last_line: int = 0
    #: As written.
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """A helper, fixture, constant or set-up hook of test code."""

    name: str
    #: What it asserts or arranges itself.
    demands: tuple[Demand, ...] = ()
    uses: frozenset[str] = frozenset()
    digest: str = ""
    #: It applies to every test of its file (or folder) without being named.
    automatic: bool = False
    line: int = 0
    last_line: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDemands:
    """All that one file of test code demands."""

    tests: tuple[WrittenTest, ...] = ()
    support: Mapping[str, Support] = field(default_factory=dict)
    #: Names that are imported: local name to "module" or "module:name", as written.
    imports: Mapping[str, str] = field(default_factory=dict)


class Change(StrEnum):
    """What a difference did to what a test demands, lightest first."""

    EQUAL = "equal"
    STRONGER = "stronger"
    RE_SPECIFIED = "re-specified"
    WEAKENED = "weakened"


#: The heaviest difference of a test is the test's.
HEAVINESS: Final = {change: place for place, change in enumerate(Change)}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Place:
    """Where a test is written: file and names inside it."""

    path: RepoPath
    names: tuple[str, ...]

    def __str__(self) -> str:
        """The way that people write it."""
        return "::".join((self.path, *self.names))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that base's version of a test demanded and head's does not, or else."""

    #: The pattern, in words with hyphens: "assertion-removed", "skip-added".
    rule: str
    aspect: Aspect
    change: Change
    path: RepoPath
    #: In head's file; in base's where head has no such line.
    line: int
    was: str = ""
    now: str = ""


class Match(StrEnum):
    """How a test of base was found again at head."""

    #: Same file, same names.
    SAME = "same"
    RENAMED = "renamed"
    MOVED = "moved"
    #: It became a parameter row of another test.
    MERGED = "merged"
    #: Head has no such test.
    GONE = "gone"
    #: Base has no such test.
    NEW = "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One test before and after the change."""

    match: Match
    base: Place | None
    head: Place | None
    differences: tuple[Difference, ...] = ()
    #: Its text, its helpers and its data are the same but for formatting and place.
    identical: bool = False

    @property
    def change(self) -> Change:
        """The heaviest of its differences."""
        return max(
            (each.change for each in self.differences),
            key=HEAVINESS.__getitem__,
            default=Change.EQUAL,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All tests that the change touched, itself or through what they use."""

    tests: tuple[Compared, ...] = ()
    #: Test files that could not be read, with the reason: nothing is known of theirs.
    unread: Mapping[RepoPath, str] = field(default_factory=dict)
