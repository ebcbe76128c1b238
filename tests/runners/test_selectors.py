"""Every runner's grip on its real tool: exactly the asked test, and nothing is no pass.

The projects are the specimens with hostile names; pytest, unittest, django and generic
need an environment of their own, and have this in their own tests.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from specimens import read
from tests.runners.played import Played, has, outcomes

from fairtrial.domain.experiments import Trust
from fairtrial.domain.names import RepoPath
from fairtrial.domain.results import Outcome
from fairtrial.runners import RUNNERS
from fairtrial.settings import load
from fairtrial.settings.suites import RUNNERS as COMMANDS

#: Runner: the tools without which it can't be tried.
TOOLS = {
    "maven": ("mvn", "javac"),
    "gradle": ("gradle", "javac"),
    "go": ("go",),
    "cargo": ("cargo",),
    "nextest": ("cargo", "cargo-nextest"),
    "jest": ("npm",),
    "vitest": ("npm",),
    "mocha": ("npm",),
    "playwright": ("npm",),
    "rspec": ("rspec",),
    "phpunit": ("phpunit",),
    "ctest": ("cmake", "ctest"),
}
#: Tests that are asked for one by one; a JVM or a compiler takes a while for each.
MOST = 8


def command_of(runner: str, base: dict[str, str]) -> tuple[str, str]:
    """The suite's command and folder: configured, detected, or the runner's own."""
    configured = base.get(".fairtrial.yml")
    if configured is not None:
        (suite,) = load(configured, "base").suites
        return suite.command, suite.folder
    found = RUNNERS[runner].detect(
        [RepoPath(path) for path in base], lambda path: base.get(path, "")
    )
    if found:
        return found[0].command, found[0].folder
    return COMMANDS[runner], ""


def test_every_runner_is_tried_here_or_says_where() -> None:
    elsewhere = {"pytest", "unittest", "django", "generic"}

    assert set(RUNNERS) - elsewhere == set(TOOLS) & set(RUNNERS)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("runner", sorted(set(TOOLS) & set(RUNNERS)))
def test_each_hostile_name_selects_exactly_its_test_and_nothing_is_no_pass(
    runner: str, tmp_path: Path
) -> None:
    lacking = [tool for tool in TOOLS[runner] if not has(tool)]
    if lacking:
        pytest.skip(f"there is no {lacking[0]} on this machine")
    base = dict(read(f"{runner}/hostile_names").base)
    command, folder = command_of(runner, base)
    project = Played(folder=tmp_path, runner=RUNNERS[runner], command=command)
    for name, text in base.items():
        path = project.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    project.build(folder)

    listed = project.inventory()
    assert (Trust.SOUND, "") == (listed.trust, listed.distrust), project.output
    whole = project.whole()
    assert (Trust.SOUND, "") == (whole.trust, whole.distrust), project.output
    ran = [test for test, how in outcomes(whole).items() if how is Outcome.PASSED]
    assert ran

    for test in ran[:MOST]:
        one = project.listed(test)
        assert (Trust.SOUND, "") == (one.trust, one.distrust), project.output
        assert {test: Outcome.PASSED} == outcomes(one)

    nobody = f"{ran[0]} that there is not"
    result = project.listed(nobody)
    assert Outcome.PASSED not in outcomes(result).values()
    assert result.trust is not Trust.SOUND or (
        outcomes(result).get(ran[0]) is None
        and Outcome.MISSING in outcomes(result).values()
    )
    shutil.rmtree(tmp_path, ignore_errors=True)
