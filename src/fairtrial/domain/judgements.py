"""What a rule answers for one test."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.domain.decisions import Blame, Category, Decision
from fairtrial.domain.experiments import ContextKind, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A category with its reason; the report adds what was seen."""

    category: Category
    #: What would have to change for the test to pass.
    side: Blame
    #: Seen failing at head where base, in the same context, did not.
    introduced: bool
    decision: Decision
    #: The context that decided.
    context: ContextKind
    unit: Unit = Unit.TEST
    #: Why, in one sentence.
    because: str
    #: What to do about it, in one sentence.
    next: str
