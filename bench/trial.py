"""One trial: what thawing, walls and fetching take over the test run itself."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from statistics import median

from projects import clock, green_project, stand
from tables import markdown, seconds

from fairtrial.domain.errors import FairtrialError
from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import TestId, TrialId
from fairtrial.domain.settings import BenchKind
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Delta, TrialSpec
from fairtrial.pipeline.stand import Stand
from fairtrial.runners import Selection

ROUNDS = 10
TEST = TestId("tests/test_000.py::test_1")

#: The image that container trials start from; tools/engine makes it.
IMAGE = os.environ.get("FAIRTRIAL_BASE_IMAGE") or "fairtrial-base:bookworm"

GOALS = {BenchKind.HERE: 0.2, BenchKind.IMAGE: 0.7}


def table() -> str:
    rows = []
    for kind, goal in GOALS.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                rows.append(_row(kind, goal, Path(folder)))
            except FairtrialError as stop:
                rows.append([kind.value, f"can't stand: {stop.happened}", "", "", ""])
    heads = ["bench", "whole trial, s", "test run in it, s", "over, s", "goal, s"]
    return markdown("One trial of one test", heads, rows)


def _row(kind: BenchKind, goal: float, folder: Path) -> list[str]:
    repository = green_project(folder, 20, 50)
    config = folder / "fairtrial.yml"
    config.write_text(
        "version: 1\nsuites:\n  unit:\n    runner: pytest\n"
        f"    image: {IMAGE}\n    prepare: [python -m pip install pytest]\n"
        "    command: python -m pytest\n"
    )
    with stand(repository, kind, config) as (_, one):
        pairs = [_once(one, number) for number in range(ROUNDS)]
    whole, inside = zip(*pairs, strict=True)
    over = median(one - other for one, other in pairs)
    return [kind.value, seconds(whole), seconds(inside), f"{over:.2f}", f"{goal}"]


def _once(one: Stand, number: int) -> tuple[float, float]:
    """Wall time of a trial, and what the test's own command took in it."""
    laboratory = one.laboratory
    places = laboratory.bench.places
    timed = (
        "import subprocess,sys,time;b=time.perf_counter();"
        "c=subprocess.call(sys.argv[2:]);"
        "open(sys.argv[1],'w').write(str(time.perf_counter()-b));sys.exit(c)"
    )
    command = laboratory.runner.run_command(
        one.suite.command,
        Selection(shape=Shape.LISTED, tests=(TEST,), test_timeout=60),
        places,
    )
    begun = clock()
    output = laboratory.bench.run(
        TrialSpec(
            trial=TrialId(f"trial{number}"),
            frozen=Revision.HEAD,
            delta=Delta(),
            argv=(
                "python3",
                "-I",
                "-c",
                timed,
                str(places.outputs / "took"),
                *command.argv,
            ),
            env=command.env,
            inputs=command.inputs,
            timeout=120,
        )
    )
    took = clock() - begun
    assert output.code == 0, output.stderr
    return took, float(output.files["took"])
