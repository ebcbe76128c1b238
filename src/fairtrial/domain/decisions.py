"""What follows for the merge, and which category of verdict asks for it."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class Decision(IntEnum):
    """What follows for the merge; the heaviest wins, so `max` decides."""

    PASS = 0
    REPAIR = 10
    INCONCLUSIVE = 11
    BLOCK = 12

    @property
    def word(self) -> str:
        """The word that reports and outputs use."""
        return self.name.lower()


class Blame(StrEnum):
    """`side` of a verdict: what would have to change for the test to pass."""

    PRODUCTION = "production"
    TESTS = "tests"
    BOTH = "both"
    UNKNOWN = "unknown"


class Category(StrEnum):
    """What the evidence amounts to, or a finding is about."""

    REGRESSION = "regression"
    VICTIM = "victim"
    BRITTLE = "brittle"
    NON_DETERMINISTIC = "non-deterministic"
    HEAD_BROKEN = "head-broken"
    INTERACTION = "interaction"
    UNPROVEN = "unproven"
    CONTRACT_REMOVED = "contract-removed"
    CONTROL_EFFECT = "control-effect"
    HIDDEN_REGRESSION = "hidden-regression"
    ORACLE_DISPUTE = "oracle-dispute"
    EXPECTATIONS_CHANGED = "expectations-changed"
    WEAKENED = "weakened"
    OUT_OF_BOUNDS = "out-of-bounds"
    TEST_DEFECT = "test-defect"
    PRE_EXISTING = "pre-existing"
    ENVIRONMENT = "environment"
    BASE_BROKEN = "base-broken"
    UNTRIED = "untried"
    INCONCLUSIVE = "inconclusive"
