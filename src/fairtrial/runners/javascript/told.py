"""What a trial with one of our own reporters for Node amounts to."""

from __future__ import annotations

import json
from typing import Final

from fairtrial.domain.experiments import Trust
from fairtrial.domain.trials import Places, TrialOutput
from fairtrial.runners import Order, Selection, SuiteResult, TriedTree
from fairtrial.runners.building.rebuilding import failed_build
from fairtrial.runners.javascript.injecting import silent
from fairtrial.runners.reports import plain
from fairtrial.runners.reports.lines import read_lines
from fairtrial.runners.reports.watched import token_of

LIST: Final = "list"
PLAN: Final = "plan.json"


def plan_of(selection: Selection, places: Places) -> bytes:
    """What our reporters read, for a selection that is run."""
    mode = selection.shape.value
    return _plan(mode, selection, selection.order, places)


def list_plan(selection: Selection, order: Order | None, places: Places) -> bytes:
    """The same for a list of all tests."""
    return _plan(LIST, selection, order, places)


def _plan(
    mode: str, selection: Selection, order: Order | None, places: Places
) -> bytes:
    tests = () if mode == LIST else selection.tests
    plan = {
        "mode": mode,
        "tests": list(tests),
        "order": list(order.first) if order else [],
        "only": bool(order and order.only),
        "token": token_of(mode, tests, places),
        "workspace": str(places.workspace),
        "outputs": str(places.outputs),
    }
    return json.dumps(plan).encode("ascii")


def results_of(
    tool: str,
    selection: Selection,
    output: TrialOutput,
    tree: TriedTree,
    places: Places,
) -> SuiteResult:
    """What the reports amount to, with their receipt.

    A list is told by its token: no other trial of a suite has that one.
    """
    listing = token_of(LIST, (), places)
    mark = f'"{listing}"'.encode()
    reports = (data for name, data in output.files.items() if name.endswith(".jsonl"))
    lists = any(mark in data[:1000] for data in reports)
    token = (
        listing if lists else token_of(selection.shape.value, selection.tests, places)
    )
    account = read_lines(output, tree, token)
    if account is None:
        built = failed_build(output, selection)
        if built is not None:
            return plain.unbuilt(
                selection, built.step, built.text, str(places.workspace)
            )
        distrust = silent(tool, output)
        return SuiteResult(results={}, trust=Trust.ERRORED, distrust=distrust)
    if lists:
        return plain.inventory(account, output)
    return plain.suite_result(selection, output, account, tree, str(places.workspace))
