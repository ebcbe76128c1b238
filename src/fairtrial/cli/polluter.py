"""Who makes a test fail, or what it needs: `fairtrial polluter`."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import click

from fairtrial.cli import options
from fairtrial.cli.asking import request_of
from fairtrial.cli.interruption import stop_when_told
from fairtrial.cli.world import real_world
from fairtrial.domain.errors import ConfigurationError, ExitCode
from fairtrial.domain.names import TestId
from fairtrial.inquiry.roles import Role
from fairtrial.pipeline.search import Asked, Search, read_order, search
from fairtrial.reporters.hostile import console


@click.command("polluter")
@click.argument("test", metavar="TEST")
@click.option(
    "--order",
    "order_file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="A file with the recorded order, one id a line; else the suite is run.",
)
@click.option(
    "--all", "every", is_flag=True, help="Every set that does it, not only the first."
)
@click.option("--fresh", is_flag=True, help="Take no answer of an earlier call.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@options.repo
@options.base
@options.head
@options.config
@options.suite
@options.bench
@options.test_timeout
@options.budget
def command(
    test: str,
    order_file: Path | None,
    bench: str | None,
    *,
    every: bool,
    fresh: bool,
    as_json: bool,
    **asked: Any,
) -> int:
    """Find the tests that make TEST fail in its suite, or that it can't do without.

    What was asked is kept: an interrupted search goes on where it stood. Exit codes: 0
    found, 11 not found within the budget.
    """
    world = real_world()
    stop_when_told()
    order = _order(order_file)
    if order and test not in order:
        raise _unknown(test, "order")
    wanted = Asked(test=TestId(test), order=order, every=every, fresh=fresh)
    done = search(request_of(world, bench, asked), world, wanted)
    world.progress.done()
    if done.inquiry is None:
        raise _unknown(test, "suite")
    if as_json:
        sys.stdout.write(json.dumps(_told(done, test)) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(done, test)))
    return ExitCode.PASS if done.found.tests else ExitCode.INCONCLUSIVE


def _unknown(test: str, where: str) -> ConfigurationError:
    return ConfigurationError(
        f"The {where} has no test `{console(test, 300)}`.",
        means="It is not spelled as the runner spells it, or does not collect.",
        remedy="Copy the id from the runner's own output.",
    )


def _order(file: Path | None) -> tuple[TestId, ...]:
    if file is None:
        return ()
    try:
        order = read_order(file)
    except (OSError, UnicodeError) as wrong:
        raise ConfigurationError(
            f"The order `{file}` can't be read: {wrong}.",
            means="It is to be a text file with one test id a line.",
            remedy="Give the file's right path, or leave `--order` out.",
        ) from wrong
    if not order:
        raise ConfigurationError(
            f"The order `{file}` names no test.",
            means="An empty order would run nothing, and find nothing.",
            remedy="Write one test id a line into it, or leave `--order` out.",
        )
    return order


def _told(done: Search, test: str) -> dict[str, Any]:
    """What was found, for programs; fields are only ever added."""
    found, hunt = done.found, done.found.hunt
    sets = [list(tests) for tests in hunt.sets] if hunt is not None else []
    load_time = [list(each) for each in hunt.load_time] if hunt is not None else []
    role = hunt.role.value if hunt is not None and hunt.sets else None
    return {
        "test": test,
        "role": role,
        "sets": sets,
        "load_time": load_time,
        "cleaners": list(hunt.cleaners) if hunt is not None else [],
        "why": found.why,
        "hostile": found.hostile,
        "replay": _replay(done, test),
        "trials": done.trials,
        "kept": done.spared,
        "seconds": round(done.seconds, 3),
        "setup_seconds": round(done.setup_seconds, 3),
    }


def _lines(done: Search, test: str) -> list[str]:
    found, hunt = done.found, done.found.hunt
    lines: list[str] = []
    if found.hostile:
        lines.append(f"Forks could not tell: {console(found.hostile, 300)}.")
    if hunt is None or not hunt.sets:
        lines.append(f"No polluter of {console(test, 300)} was found: {found.why}.")
        return [*lines, _cost(done)]
    polluted = hunt.role is Role.POLLUTER
    does = "fails after" if polluted else "fails alone, and passes after"
    for number, tests in enumerate(hunt.sets):
        start = console(test, 300) if not number else "And it"
        lines.append(f"{start} {does}{' all of' if len(tests) > 1 else ''}:")
        loads = " (importing its file is enough)" if tests in hunt.load_time else ""
        lines += [f"  {console(each, 300)}{loads}" for each in tests]
    if polluted:
        lines.append("Without that it passes alone, and the set was confirmed cold.")
    if hunt.cleaners:
        lines.append("It passes again when this runs between them:")
        lines += [f"  {console(each, 300)}" for each in hunt.cleaners]
    if hunt.necessary:
        lines.append("Nothing else in the order does it.")
    return [*lines, f"Replay: {_replay(done, test)}", _cost(done)]


def _cost(done: Search) -> str:
    kept = f", {done.spared} kept from before" if done.spared else ""
    return f"{done.trials} trials{kept}, {done.seconds:.1f} s."


def _replay(done: Search, test: str) -> str:
    hunt = done.found.hunt
    if hunt is None or not hunt.sets:
        return ""
    words = [console(each, 4000) for each in (*hunt.sets[0], test)]
    return shlex.join(["fairtrial", "run", *words])
