"""What the rules, and then the report, may know of one failed test."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fairtrial.domain.experiments import ALONE, Context, Unit
from fairtrial.domain.names import HunkId, TestId
from fairtrial.domain.paths import PathClass
from fairtrial.inquiry.book import Book, book_of
from fairtrial.inquiry.bounds import is_spent, lost
from fairtrial.inquiry.canary import lacking
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.culprit import culprits
from fairtrial.inquiry.forks import hostile
from fairtrial.inquiry.gathering import case_in, context_in, deciding_set, hunts
from fairtrial.inquiry.plan import open_questions
from fairtrial.inquiry.roles import Role
from fairtrial.inquiry.selection import beyond, blocked, is_enough
from fairtrial.inquiry.standings import standing
from fairtrial.inquiry.state import Inquiry


class Halt(StrEnum):
    """Why no more was asked of a test."""

    #: Nothing more was to be learnt.
    ANSWERED = "answered"
    #: The time was over while there was still something to ask.
    BUDGET = "budget"
    #: A database or a service that the suite needs went away.
    LOST = "lost"
    #: Its canary fails alike at base: the bench lacks something.
    ENVIRONMENT = "environment"
    #: Too many tests fail: this one got one trial a side.
    BEYOND = "beyond"
    #: Enough blocks were proven for other tests.
    ENOUGH = "enough"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the report tells of a test beyond the verdict."""

    #: The context that decided, or, where none did, the one that said most.
    context: Context = ALONE
    unit: Unit = Unit.TEST
    #: Confirmed, in the order they run; those of the deciding context where there is.
    polluters: tuple[TestId, ...] = ()
    setters: tuple[TestId, ...] = ()
    #: Tests behind which the first set of polluters makes it fail no more.
    cleaners: tuple[TestId, ...] = ()
    #: Why forks could not tell who it is, so that trials had to; empty: they could.
    hostile: str = ""
    #: Polluters whose loading alone is enough.
    load_time: tuple[TestId, ...] = ()
    #: Changed production hunks whose reverting makes it pass.
    culprit: tuple[HunkId, ...] = ()
    culprit_is_minimal: bool = False
    #: Classes whose reverting makes it pass, when it is not the sources.
    culprit_classes: tuple[PathClass, ...] = ()
    #: What went away, in one sentence, where something did.
    lost: str = ""
    halt: Halt = Halt.ANSWERED


def case_of(inquiry: Inquiry, test: TestId) -> Case:
    """All that the rules may read of one failed test."""
    return case_in(book_of(inquiry), test)


def facts_of(inquiry: Inquiry, test: TestId) -> Facts:
    """All that the report tells of one failed test beyond the verdict."""
    book = book_of(inquiry)
    case = case_in(book, test)
    company = standing(case).company
    found = hunts(book).get(test)
    deciding = deciding_set(book, case, test)
    context = context_in(book, case, test, company)
    tests: tuple[TestId, ...] = ()
    if found is not None:
        every = tuple(each for tests in found.sets for each in tests)
        tests = deciding if deciding and context.after == deciding else every
    culprit = culprits(book).get(test)
    return Facts(
        context=context,
        unit=context.unit,
        polluters=tests if found and found.role is Role.POLLUTER else (),
        setters=tests if found and found.role is Role.SETTER else (),
        cleaners=found.cleaners if found is not None else (),
        hostile=hostile(book, test),
        load_time=tuple(
            each
            for loading in (found.load_time if found is not None else ())
            for each in loading
        ),
        culprit=culprit.hunks if culprit is not None else (),
        culprit_is_minimal=culprit is not None and culprit.minimal,
        culprit_classes=culprit.classes if culprit is not None else (),
        halt=_halt(book, test),
        lost=lost(book),
    )


def _halt(book: Book, test: TestId) -> Halt:
    if lost(book):
        return Halt.LOST
    if test in lacking(book):
        return Halt.ENVIRONMENT
    if test in blocked(book):
        return Halt.ANSWERED
    if test in beyond(book):
        return Halt.ENOUGH if is_enough(book) else Halt.BEYOND
    if is_enough(book):
        return Halt.ENOUGH
    if is_spent(book) and open_questions(book):
        return Halt.BUDGET
    return Halt.ANSWERED
