"""How a tool of JavaScript is told what to run, and what its report amounts to."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any, Final

from fairtrial.domain.experiments import Shape, Trust
from fairtrial.domain.trials import Places, TrialOutput
from fairtrial.runners import Command, Order, Selection, SuiteResult, TriedTree
from fairtrial.runners.javascript.packages import environment
from fairtrial.runners.reports.events import Detail
from fairtrial.runners.reports.lines import read_lines
from fairtrial.runners.reports.plain import Account, inventory, suite_result
from fairtrial.runners.reports.watched import token_of, watched_command

PLAN: Final = "plan.json"
#: The plan of the listing that follows a run which broke off.
REST: Final = "plan-rest.json"
LIST: Final = "list"
#: Written by our own sequencers: the files that run, in their order.
PLANNED: Final = "planned.json"
#: Written at the end by what reports from the tool's main process.
MAIN: Final = "report-99999-main.jsonl"
_REPORT: Final = re.compile(r"report-(\d{5})-[0-9a-f]{16}\.w\d{1,6}\.jsonl")
_SUMMARY: Final = re.compile(r"(?:.*/)?coverage-summary\.json")
_KINDS: Final = ("statements", "branches", "functions", "lines")
#: Bytes of what the tool's own side files may hold.
_SIDE: Final = 16 * 1024 * 1024


def injected(*names: str) -> dict[str, bytes]:
    """Files that run inside the tool, by name."""
    folder = files("fairtrial.injected").joinpath("javascript")
    return {name: folder.joinpath(name).read_bytes() for name in names}


def mode_of(selection: Selection, *, listing: bool) -> str:
    """What the pieces inside the tool are told to do."""
    return LIST if listing else selection.shape.value


def told_command(
    line: str,
    selection: Selection,
    places: Places,
    order: Order | None,
    *,
    mode: str,
    inputs: Mapping[str, bytes],
    env: Mapping[str, str] | None = None,
) -> Command:
    """The command of one trial; `line` runs the tool with what is injected.

    Where the run breaks off before its end, what it never began is listed behind it,
    so that one test that takes the process along hides no other.
    """
    plan = {
        "mode": mode,
        "tests": list(selection.tests) if mode == Shape.LISTED else [],
        "order": list(order.first) if order else [],
        "only": bool(order and order.only),
        "token": token_of(mode, selection.tests, places),
        "workspace": str(places.workspace),
        "outputs": str(places.outputs),
        "thresholds": mode == Shape.WHOLE and selection.thresholds,
    }
    watched = watched_command(
        line,
        selection,
        places,
        growing=("report-*.jsonl",),
        env={
            **environment(places, offline=True),
            "FAIRTRIAL_PLAN": str(places.inputs / PLAN),
            **(env or {}),
        },
        inputs={
            **inputs,
            PLAN: _json(plan),
            REST: _json({**plan, "mode": "rest"}),
        },
        first=0,
    )
    if mode != Shape.WHOLE:
        return watched
    planned = shlex.quote(str(places.outputs / PLANNED))
    ended = shlex.quote(str(places.outputs / MAIN))
    rest = shlex.quote(str(places.inputs / REST))
    script = (
        f"(\n{watched.argv[-1]})\ncode=$?\n"
        f'if [ -e {planned} ] && ! grep -qs \'"event":"done"\' {ended}; then\n'
        f"export FAIRTRIAL_PLAN={rest}\n(\n{line}\n) >/dev/null 2>&1\nfi\n"
        'exit "$code"\n'
    )
    return replace(watched, argv=("sh", "-c", script))


def _json(plan: Mapping[str, object]) -> bytes:
    return json.dumps(plan).encode("ascii")


def told_result(
    selection: Selection, output: TrialOutput, tree: TriedTree, places: Places
) -> SuiteResult:
    """What the reports of a trial amount to, whether it ran tests or listed them."""
    listing = _is_list(output, places)
    mode = mode_of(selection, listing=listing)
    tests = () if listing else selection.tests
    account = read_lines(output, tree, token_of(mode, tests, places))
    if account is None:
        account = Account(faults=(_nothing(output),))
        result = suite_result(selection, output, account, tree, str(places.workspace))
        if result.uncollectable:
            return result
        return replace(result, trust=Trust.ERRORED)
    planned = _planned(output)
    died = {
        planned[at]: Detail(
            type="Crash", message="its process ended while the file was loaded"
        )
        for at in _unfinished(output)
        if at < len(planned)
    }
    account = replace(
        account,
        # A report stands for a file; the end of its name for its place in the pool.
        told=tuple(
            replace(one, worker=f"w{one.worker.rpartition('.w')[2]}")
            for one in account.told
        ),
        complete=account.complete and (MAIN in output.files or not planned),
        uncollectable={**died, **account.uncollectable},
    )
    if listing:
        return inventory(account, output)
    demanded, missed = _thresholds(output)
    account = replace(
        account,
        explained=account.explained or bool(missed),
        notices=(*account.notices, *missed),
    )
    result = suite_result(selection, output, account, tree, str(places.workspace))
    return replace(result, threshold=demanded)


def _is_list(output: TrialOutput, places: Places) -> bool:
    token = token_of(LIST, (), places).encode()
    return any(
        token in data[:2000]
        for name, data in output.files.items()
        if name.startswith("report-")
    )


def _nothing(output: TrialOutput) -> str:
    printed = (output.stderr.strip() or output.stdout.strip()).splitlines()
    last = printed[-1][:300].decode("utf-8", "replace") if printed else "nothing"
    return (
        "the suite's command started no run that reports"
        f" ({output.ending.value} {output.code}; it printed last: {last})"
    )


def _planned(output: TrialOutput) -> Sequence[str]:
    value = _side(output.files.get(PLANNED, b"[]"))
    if not isinstance(value, list) or not all(isinstance(it, str) for it in value):
        return ()
    return value


def _unfinished(output: TrialOutput) -> Iterator[int]:
    """Which of the planned files began and ended before one of its tests began."""
    for name, data in output.files.items():
        found = _REPORT.fullmatch(name)
        marks = (b'"event":"listed"', b'"event":"uncollectable"', b'"event":"done"')
        if found is not None and not any(mark in data for mark in marks):
            yield int(found[1]) - 1


def _side(data: bytes) -> Any:
    try:
        return json.loads(data[:_SIDE])
    except (ValueError, RecursionError):
        return None


def _thresholds(output: TrialOutput) -> tuple[float, list[str]]:
    """What coverage the suite demands, and a sentence for each part it misses."""
    wanted = _side(output.files.get("threshold.json", b"null"))
    if not isinstance(wanted, dict):
        return 0.0, []
    summary = next(
        (
            _side(data)
            for name, data in output.files.items()
            if _SUMMARY.fullmatch(name)
        ),
        None,
    )
    total = summary.get("total") if isinstance(summary, dict) else None
    total = total if isinstance(total, dict) else {}
    everywhere = wanted.get("global")
    everywhere = everywhere if isinstance(everywhere, dict) else {}
    limits: dict[str, float] = {}
    missed = []
    for kind in _KINDS:
        limit, found = everywhere.get(kind), total.get(kind)
        reached = found.get("pct") if isinstance(found, dict) else None
        if not isinstance(limit, int | float) or isinstance(limit, bool) or limit <= 0:
            continue
        limits[kind] = float(limit)
        if isinstance(reached, int | float) and reached < limit:
            missed.append(
                f"the coverage threshold was missed: {reached:g} of {limit:g}"
                f" percent of {kind}"
            )
    if set(wanted) - {"global"} and output.code != 0:
        missed.append("thresholds of single paths are left to the tool")
    return max(limits.values(), default=0.0), missed
