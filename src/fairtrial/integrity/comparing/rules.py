"""Which patterns of difference there are, and what each one says."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from fairtrial.domain.demands import Change


class Rule(StrEnum):
    """The name of a pattern, as reports and pages have it."""

    TEST_REMOVED = "test-removed"
    TEST_SHADOWED = "test-shadowed"
    TEST_RENAMED_AWAY = "test-renamed-away"
    TEST_ADDED = "test-added"
    SKIP_ADDED = "skip-added"
    SKIP_ON_PLATFORM = "skip-on-platform"
    SKIP_WIDENED = "skip-widened"
    SKIP_NARROWED = "skip-narrowed"
    SKIP_REMOVED = "skip-removed"
    XFAIL_ADDED = "xfail-added"
    XFAIL_REMOVED = "xfail-removed"
    FOCUS_ADDED = "focus-added"
    FOCUS_REMOVED = "focus-removed"
    ASSERTION_REMOVED = "assertion-removed"
    ASSERTION_ADDED = "assertion-added"
    ASSERTION_WEAKENED = "assertion-weakened"
    ASSERTION_STRENGTHENED = "assertion-strengthened"
    ASSERTION_CHANGED = "assertion-changed"
    ASSERTION_NEGATED = "assertion-negated"
    ASSERTION_VACUOUS = "assertion-vacuous"
    ASSERTION_RESPELLED = "assertion-respelled"
    ASSERTION_MOVED = "assertion-moved"
    EXPECTED_CHANGED = "expected-changed"
    EXPECTED_DERIVED = "expected-derived"
    EXPECTED_PINNED = "expected-pinned"
    INPUT_CHANGED = "input-changed"
    SUBJECT_CHANGED = "subject-changed"
    SUBJECT_NORMALISED = "subject-normalised"
    SUBJECT_REPLACED = "subject-replaced"
    SUBJECT_RENAMED = "subject-renamed"
    SUBJECT_MOCKED = "subject-mocked"
    TOLERANCE_WIDENED = "tolerance-widened"
    TOLERANCE_NARROWED = "tolerance-narrowed"
    GUARD_ADDED = "guard-added"
    GUARD_REMOVED = "guard-removed"
    GUARD_CHANGED = "guard-changed"
    EXCEPTION_SWALLOWED = "exception-swallowed"
    EXCEPTION_HEARD = "exception-heard"
    CODE_UNREACHABLE = "code-unreachable"
    CODE_REACHABLE = "code-reachable"
    MOCK_ADDED = "mock-added"
    MOCK_REMOVED = "mock-removed"
    MOCK_CHANGED = "mock-changed"
    ROW_REMOVED = "row-removed"
    ROW_ADDED = "row-added"
    ROW_CHANGED = "row-changed"
    RETRY_ADDED = "retry-added"
    RETRY_RAISED = "retry-raised"
    RETRY_LOWERED = "retry-lowered"
    TIMEOUT_RAISED = "timeout-raised"
    TIMEOUT_REMOVED = "timeout-removed"
    TIMEOUT_LOWERED = "timeout-lowered"
    ARRANGEMENT_ADDED = "arrangement-added"
    ARRANGEMENT_REMOVED = "arrangement-removed"
    ARRANGEMENT_CHANGED = "arrangement-changed"
    SNAPSHOT_ADDED = "snapshot-added"
    SNAPSHOT_CHANGED = "snapshot-changed"
    SNAPSHOT_REMOVED = "snapshot-removed"
    GOLDEN_CHANGED = "golden-changed"
    GOLDEN_REMOVED = "golden-removed"
    HELPER_WEAKENED = "helper-weakened"
    HELPER_STRENGTHENED = "helper-strengthened"
    FIXTURE_CHANGED = "fixture-changed"
    SUPPORT_REMOVED = "support-removed"
    IMPORT_CHANGED = "import-changed"


#: What each pattern does to what a test demands, with a sentence for the pages.
RULES: Final[Mapping[Rule, tuple[Change, str]]] = {
    Rule.TEST_REMOVED: (Change.WEAKENED, "Head has no such test any more."),
    Rule.TEST_SHADOWED: (
        Change.WEAKENED,
        "A later definition of the same name takes the place of the test.",
    ),
    Rule.TEST_RENAMED_AWAY: (
        Change.WEAKENED,
        "The test is still written down, under a name that no runner collects.",
    ),
    Rule.TEST_ADDED: (Change.STRONGER, "Base has no such test."),
    Rule.SKIP_ADDED: (Change.WEAKENED, "The test is skipped or disabled."),
    Rule.SKIP_ON_PLATFORM: (
        Change.EQUAL,
        "The test is skipped on some platforms or versions only.",
    ),
    Rule.SKIP_WIDENED: (
        Change.WEAKENED,
        "The condition of a skip is another one, and not a narrower one.",
    ),
    Rule.SKIP_NARROWED: (Change.STRONGER, "The condition of a skip is narrower."),
    Rule.SKIP_REMOVED: (Change.STRONGER, "The test is not skipped any more."),
    Rule.XFAIL_ADDED: (Change.WEAKENED, "The test is expected to fail."),
    Rule.XFAIL_REMOVED: (Change.STRONGER, "The test has to pass again."),
    Rule.FOCUS_ADDED: (
        Change.WEAKENED,
        "A focus marker keeps all other tests from running.",
    ),
    Rule.FOCUS_REMOVED: (Change.STRONGER, "A focus marker is gone."),
    Rule.ASSERTION_REMOVED: (Change.WEAKENED, "An assertion is gone."),
    Rule.ASSERTION_ADDED: (Change.STRONGER, "There is one more assertion."),
    Rule.ASSERTION_WEAKENED: (
        Change.WEAKENED,
        "An assertion accepts more values than it did.",
    ),
    Rule.ASSERTION_STRENGTHENED: (
        Change.STRONGER,
        "An assertion accepts fewer values than it did.",
    ),
    Rule.ASSERTION_CHANGED: (
        Change.RE_SPECIFIED,
        "An assertion of equal strength says something else.",
    ),
    Rule.ASSERTION_NEGATED: (
        Change.RE_SPECIFIED,
        "An assertion demands the opposite, as tightly as before.",
    ),
    Rule.ASSERTION_VACUOUS: (Change.WEAKENED, "An assertion can't fail any more."),
    Rule.ASSERTION_RESPELLED: (
        Change.EQUAL,
        "An assertion says the same in other words.",
    ),
    Rule.ASSERTION_MOVED: (
        Change.RE_SPECIFIED,
        "An assertion stands before or after other steps of its test than it did.",
    ),
    Rule.EXPECTED_CHANGED: (Change.RE_SPECIFIED, "Another value is expected."),
    Rule.EXPECTED_DERIVED: (
        Change.WEAKENED,
        "The expected value was written down, and is worked out by code now.",
    ),
    Rule.EXPECTED_PINNED: (
        Change.STRONGER,
        "The expected value is written down, and was computed before.",
    ),
    Rule.INPUT_CHANGED: (
        Change.RE_SPECIFIED,
        "The subject of an assertion is given other inputs.",
    ),
    Rule.SUBJECT_CHANGED: (
        Change.RE_SPECIFIED,
        "An assertion looks at something else.",
    ),
    Rule.SUBJECT_NORMALISED: (
        Change.WEAKENED,
        "What is looked at passes through something that can even out differences.",
    ),
    Rule.SUBJECT_REPLACED: (
        Change.WEAKENED,
        "What was production's is now test code's: the test tests itself.",
    ),
    Rule.SUBJECT_RENAMED: (
        Change.EQUAL,
        "Names differ only as production's own names do.",
    ),
    Rule.SUBJECT_MOCKED: (
        Change.WEAKENED,
        "Production code is replaced by a stand-in.",
    ),
    Rule.TOLERANCE_WIDENED: (Change.WEAKENED, "A tolerance is wider, or is new."),
    Rule.TOLERANCE_NARROWED: (Change.STRONGER, "A tolerance is narrower, or is gone."),
    Rule.GUARD_ADDED: (
        Change.WEAKENED,
        "An assertion stands under a condition that was not there.",
    ),
    Rule.GUARD_REMOVED: (Change.STRONGER, "An assertion holds without its condition."),
    Rule.GUARD_CHANGED: (
        Change.RE_SPECIFIED,
        "An assertion stands under another condition.",
    ),
    Rule.EXCEPTION_SWALLOWED: (
        Change.WEAKENED,
        "A handler swallows what an assertion or the subject raises.",
    ),
    Rule.EXCEPTION_HEARD: (Change.STRONGER, "Errors are not swallowed any more."),
    Rule.CODE_UNREACHABLE: (
        Change.WEAKENED,
        "Part of the test is never reached: an early return, a dead branch.",
    ),
    Rule.CODE_REACHABLE: (Change.STRONGER, "Part of the test is reached again."),
    Rule.MOCK_ADDED: (
        Change.EQUAL,
        "Something that is not this project's production has a stand-in.",
    ),
    Rule.MOCK_REMOVED: (Change.STRONGER, "A stand-in is gone."),
    Rule.MOCK_CHANGED: (Change.RE_SPECIFIED, "A stand-in answers something else."),
    Rule.ROW_REMOVED: (Change.WEAKENED, "A parameter row is gone."),
    Rule.ROW_ADDED: (Change.STRONGER, "There is one more parameter row."),
    Rule.ROW_CHANGED: (Change.RE_SPECIFIED, "A parameter row has other values."),
    Rule.RETRY_ADDED: (Change.WEAKENED, "A failed attempt is tried again."),
    Rule.RETRY_RAISED: (Change.WEAKENED, "More failed attempts are allowed."),
    Rule.RETRY_LOWERED: (Change.STRONGER, "Fewer failed attempts are allowed."),
    Rule.TIMEOUT_RAISED: (Change.WEAKENED, "The test may take longer."),
    Rule.TIMEOUT_REMOVED: (Change.WEAKENED, "The test may take as long as it likes."),
    Rule.TIMEOUT_LOWERED: (Change.STRONGER, "The test has less time."),
    Rule.ARRANGEMENT_ADDED: (Change.RE_SPECIFIED, "The test does one thing more."),
    Rule.ARRANGEMENT_REMOVED: (Change.RE_SPECIFIED, "The test does one thing less."),
    Rule.ARRANGEMENT_CHANGED: (
        Change.RE_SPECIFIED,
        "The test does something else before it looks.",
    ),
    Rule.SNAPSHOT_ADDED: (Change.STRONGER, "There is one more snapshot."),
    Rule.SNAPSHOT_CHANGED: (Change.RE_SPECIFIED, "A snapshot holds something else."),
    Rule.SNAPSHOT_REMOVED: (Change.WEAKENED, "A snapshot is gone."),
    Rule.GOLDEN_CHANGED: (
        Change.RE_SPECIFIED,
        "A file that the test reads holds something else.",
    ),
    Rule.GOLDEN_REMOVED: (Change.WEAKENED, "A file that the test reads is gone."),
    Rule.HELPER_WEAKENED: (
        Change.WEAKENED,
        "A helper, fixture or hook that the test uses demands less.",
    ),
    Rule.HELPER_STRENGTHENED: (
        Change.STRONGER,
        "A helper, fixture or hook that the test uses demands more.",
    ),
    Rule.FIXTURE_CHANGED: (
        Change.RE_SPECIFIED,
        "A helper, fixture, constant or hook that the test uses is another one.",
    ),
    Rule.SUPPORT_REMOVED: (
        Change.RE_SPECIFIED,
        "A helper, fixture or hook is gone, and the test that uses it is as before.",
    ),
    Rule.IMPORT_CHANGED: (
        Change.RE_SPECIFIED,
        "A name that the test uses comes from elsewhere.",
    ),
}


def change_of(rule: Rule) -> Change:
    """What a pattern does to what a test demands."""
    return RULES[rule][0]
