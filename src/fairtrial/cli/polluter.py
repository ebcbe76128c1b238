"""Who makes one test fail, or what it needs: `fairtrial polluter`."""

from __future__ import annotations

import sys
from typing import Any

import click

from fairtrial.cli import options
from fairtrial.cli.asking import request_of
from fairtrial.cli.interruption import stop_when_told
from fairtrial.cli.world import real_world
from fairtrial.domain.errors import ConfigurationError, ExitCode
from fairtrial.domain.experiments import ALONE, SUITE
from fairtrial.domain.names import TestId
from fairtrial.domain.results import FAILURES, Outcome
from fairtrial.domain.trees import HEAD
from fairtrial.inquiry.casing import Facts
from fairtrial.pipeline.search import Search, search
from fairtrial.reporters.hostile import console


@click.command("polluter")
@click.argument("test", metavar="TEST")
@options.repo
@options.base
@options.head
@options.config
@options.suite
@options.bench
@options.test_timeout
def command(test: str, bench: str | None, **asked: Any) -> int:
    """Find the tests that make TEST fail in its suite, or that it can't do without.

    Exit codes: 0 found, 11 not found within the budget.
    """
    world = real_world()
    stop_when_told()
    chosen = TestId(test)
    done = search(request_of(world, bench, asked), world, chosen)
    world.progress.done()
    if done.inquiry is None:
        raise ConfigurationError(
            f"The suite has no test `{console(test, 300)}`.",
            means="It is not spelled as the runner spells it, or does not collect.",
            remedy="Copy the id from the runner's own output.",
        )
    sys.stdout.write("".join(f"{line}\n" for line in _lines(done, chosen)))
    found = done.facts.polluters or done.facts.setters
    return ExitCode.PASS if found else ExitCode.INCONCLUSIVE


def _lines(done: Search, test: TestId) -> list[str]:
    facts = done.facts
    if facts.polluters:
        return [
            f"{console(test, 300)} fails after:",
            *_company(facts.polluters, facts),
            "Without that it passes alone, and the set was confirmed cold.",
        ]
    if facts.setters:
        return [
            f"{console(test, 300)} fails alone, and passes after:",
            *_company(facts.setters, facts),
        ]
    return [f"No polluter of {console(test, 300)} was found: {_why(done, test)}."]


def _company(tests: tuple[TestId, ...], facts: Facts) -> list[str]:
    return [
        f"  {console(one, 300)}"
        + (" (importing its file is enough)" if one in facts.load_time else "")
        for one in tests
    ]


def _why(done: Search, test: TestId) -> str:
    assert done.inquiry is not None
    evidence = done.inquiry.evidence
    alone = evidence.cell(test, HEAD, ALONE)
    suite = evidence.cell(test, HEAD, SUITE)
    if alone.count(*FAILURES) and not alone.count(Outcome.PASSED):
        return "it fails alone, and no company was seen to help"
    if not suite.count(*FAILURES):
        return "it did not fail again in its suite's order"
    return f"the search ended ({done.facts.halt.value}) without a confirmed set"
