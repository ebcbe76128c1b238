"""All green: what the gate's steps take over the suite's bare command."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median

from projects import clock, green_project, stand
from steps import steps
from tables import markdown, seconds

from fairtrial.domain.names import TrialId
from fairtrial.domain.settings import BenchKind
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, TrialSpec
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.stand import Stand

FILES, TESTS, ROUNDS = 20, 50, 5


def table() -> str:
    with tempfile.TemporaryDirectory() as folder:
        repository = green_project(Path(folder), FILES, TESTS)
        with stand(repository, BenchKind.HERE) as (brief, one):
            bare: list[float] = []
            gate: list[float] = []
            for number in range(ROUNDS):
                bare.append(_bare(one, number))
                gate.append(_gate(brief, one))
    over = median(gate) - median(bare)
    row = [
        f"{FILES * TESTS:,}",
        seconds(bare),
        seconds(gate),
        f"{over:+.2f}",
        f"{median(gate) / median(bare):.2f}",
        "1 s or 3 %",
    ]
    heads = ["tests", "bare, s", "gate, s", "over, s", "ratio", "goal"]
    return markdown("All green, bench frozen (`here`)", heads, [row])


def _bare(one: Stand, number: int) -> float:
    """The suite's own command on the same bench, with nothing injected."""
    begun = clock()
    output = one.laboratory.bench.run(
        TrialSpec(
            trial=TrialId(f"bare{number}"),
            frozen=Revision.HEAD,
            delta=Delta(),
            argv=("sh", "-c", one.suite.command),
            timeout=600,
        )
    )
    assert output.code == 0, output.stdout
    return clock() - begun


def _gate(brief: Brief, one: Stand) -> float:
    """Steps 3 to 7: suite, inventory, integrity, judgement."""
    begun = clock()
    report = steps(brief, one)
    assert report.exit_code == 0, report
    return clock() - begun
