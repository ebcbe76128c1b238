"""What is said of tests that share tables of one database and run in parallel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from fairtrial.domain.decisions import Decision
from fairtrial.domain.experiments import Observation
from fairtrial.domain.report import Finding
from fairtrial.inquiry.sharing import Shared, sharing

RULE: Final = "shared-table"

#: Tables that are named in one sentence.
_NAMED: Final = 3

_ADVICE: Final = (
    "Give each worker a logical database of its own, or let one worker run the tests"
    " that write there one after the other"
)


def shared_tables(
    observation: Observation, others: Iterable[Observation] = ()
) -> tuple[Finding, ...]:
    """Notices of a parallel suite trial; none decides anything.

    `others` are further watched trials of the suite, which may tell who writes where.
    """
    found = sharing(observation, others)
    return (*map(_of_two, found.shared), *_untold(found.untold))


def _of_two(shared: Shared) -> Finding:
    first, second = shared.tests
    more = (
        f" (and {shared.others} more such pair{'s' if shared.others > 1 else ''})"
        if shared.others
        else ""
    )
    return Finding(
        rule=RULE,
        test=first,
        decision=Decision.PASS,
        because=(
            f"{first} and {second} both write table {shared.table} of database"
            f" {shared.database}, and ran at the same time in workers"
            f" {shared.workers[0]} and {shared.workers[1]}{more}, so what one of them"
            f" finds there depends on the other. {_ADVICE}."
        ),
    )


def _untold(places: tuple[tuple[str, str], ...]) -> Iterator[Finding]:
    for database in dict.fromkeys(database for database, _ in places):
        tables = [table for own, table in places if own == database]
        named = ", ".join(tables[:_NAMED])
        more = f" and {len(tables) - _NAMED} more" if len(tables) > _NAMED else ""
        one = len(tables) == 1
        yield Finding(
            rule=RULE,
            decision=Decision.PASS,
            because=(
                f"{'table' if one else 'tables'} {named}{more} of database {database}"
                f" {'was' if one else 'were'} written while tests of several workers"
                " ran, and the record does not tell whose tests wrote. If they are"
                f" tests of more than one worker: {_ADVICE[0].lower()}{_ADVICE[1:]}."
            ),
        )
