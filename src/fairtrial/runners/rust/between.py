"""The script of a trial in which programs of ours stand between cargo and its tests."""

from __future__ import annotations

import json
import shlex
import signal
from collections.abc import Sequence
from typing import Final

from fairtrial.domain.trials import Places, TrialOutput
from fairtrial.runners import Command, Selection
from fairtrial.runners.reports.watched import token_of, watched_command
from fairtrial.runners.rust import crates

LIST: Final = "list"
_PLAN: Final = "cargo-plan.json"
#: Grows while cargo compiles, which is no test that hangs.
_BUILDING: Final = "building"


def between(
    mode: str,
    script: str,
    selection: Selection,
    places: Places,
    *,
    entry: str,
    injected: Sequence[str],
    growing: str,
) -> Command:
    """What to run for a trial; `script` is the suite's own command, as it was changed.

    `entry` is the program that cargo runs each binary by, `growing` the glob of files
    that grow with each test.
    """
    plan = {
        "mode": mode,
        "tests": list(selection.tests),
        "workspace": str(places.workspace),
        "outputs": str(places.outputs),
        "token": token_of(mode, selection.tests, places),
    }
    ours = f"python3 -I -S {shlex.quote(str(places.inputs / entry))}"
    building = shlex.quote(str(places.outputs / _BUILDING))
    whole = f"""\
FAIRTRIAL_CARGO_PLAN={shlex.quote(str(places.inputs / _PLAN))}
FAIRTRIAL_CARGO_ROOM=$(mktemp -d)
RUSTDOC=$FAIRTRIAL_CARGO_ROOM/rustdoc
printf '#!/bin/sh\\nexec {ours} rustdoc "$@"\\n' > "$RUSTDOC"
chmod +x "$RUSTDOC"
host=$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z.-' 'A-Z__')
export FAIRTRIAL_CARGO_PLAN FAIRTRIAL_CARGO_ROOM RUSTDOC
export "CARGO_TARGET_${{host}}_RUNNER={ours} binary"
{ours} begin
while [ ! -e "$FAIRTRIAL_CARGO_ROOM/started" ]; do
  echo >> {building}; sleep 1
done >/dev/null 2>&1 &
beat=$!
(
{script}
) </dev/null
code=$?
kill "$beat" 2>/dev/null
exec {ours} finish "$code"
"""
    return watched_command(
        whole,
        selection,
        places,
        growing=(growing, _BUILDING),
        env=crates.environment(places, offline=True),
        inputs={
            **crates.injected(entry, *injected),
            _PLAN: json.dumps(plan).encode("ascii"),
        },
        # Unknown to the tested binaries, so that ours can tell which test hangs.
        first=signal.SIGURG,
    )


def is_list(output: TrialOutput, places: Places) -> bool:
    """Whether every process of a trial was asked for a list alone."""
    token = token_of(LIST, (), places).encode("ascii")
    reports = [
        data for name, data in output.files.items() if name.startswith("report-")
    ]
    begun = [data.partition(b"\n")[0] for data in reports]
    return bool(begun) and all(token in each for each in begun)
