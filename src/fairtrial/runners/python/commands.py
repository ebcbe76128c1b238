"""How a command that leads to unittest is run with a plan that it need not know of."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Final

from fairtrial.domain.experiments import Shape
from fairtrial.domain.trials import Places
from fairtrial.injected import unittest_plugin
from fairtrial.runners import SANCTIONED, Command, Order, Selection
from fairtrial.runners.building.rebuilding import rebuilt
from fairtrial.runners.reports.watched import token_of
from fairtrial.runners.reports.witnessed import LIST

PLAN: Final = "plan.json"


def run_command(command: str, selection: Selection, places: Places) -> Command:
    """What to run for a selection; `command` is the suite's own, for `sh -c`."""
    mode = selection.shape.value
    tests = selection.tests if selection.shape is Shape.LISTED else ()
    plan = {
        "mode": mode,
        "tests": list(tests),
        **_order(selection.order),
        "test_timeout": selection.test_timeout,
        "token": token_of(mode, selection.tests, places),
    }
    return _command(command, plan, selection, places)


def list_command(
    command: str, selection: Selection, places: Places, order: Order | None = None
) -> Command:
    """What to run to list the suite's tests, in its order, without running one."""
    plan = {
        "mode": LIST,
        "tests": [],
        **_order(order),
        "test_timeout": 3600.0,
        "token": token_of(LIST, (), places),
    }
    return _command(command, plan, selection, places)


def _order(order: Order | None) -> dict[str, object]:
    return {
        "order": list(order.first) if order else [],
        "only": bool(order and order.only),
    }


def _command(
    command: str, plan: Mapping[str, object], selection: Selection, places: Places
) -> Command:
    full = {
        **plan,
        "workspace": str(places.workspace),
        "outputs": str(places.outputs),
        "channel": None if places.channel is None else str(places.channel),
    }
    # Appended, never put first: the project's own modules keep their places. Ours
    # takes it back before any code of the project runs.
    folder = shlex.quote(str(places.inputs))
    script = (
        f'PYTHONPATH="${{PYTHONPATH:+$PYTHONPATH:}}"{folder}\n'
        f"export PYTHONPATH\n{command}\n"
    )
    return Command(
        argv=("sh", "-c", rebuilt(script, selection, places)),
        env={"FAIRTRIAL_PLAN": str(places.inputs / PLAN), **SANCTIONED},
        inputs={**unittest_plugin(), PLAN: json.dumps(full).encode("ascii")},
    )
