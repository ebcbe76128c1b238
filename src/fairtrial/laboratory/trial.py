"""How one trial is made, and what it amounts to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fairtrial.benches import Bench
from fairtrial.domain.databases import Ledger
from fairtrial.domain.errors import BenchFailed, SurroundingsLost, TreeBroken
from fairtrial.domain.experiments import Experiment, Observation, Purpose, Shape, Trust
from fairtrial.domain.names import TestId, TrialId
from fairtrial.domain.results import FAILURES, Outcome, Result
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Ending, TrialOutput, TrialSpec
from fairtrial.inquiry.residues import left_traces
from fairtrial.laboratory.source import TreeSource
from fairtrial.laboratory.surroundings import Surroundings
from fairtrial.runners import Order, Runner, Selection, SuiteResult
from fairtrial.runners.reports.telemetry import read_telemetry

#: How often the rest of a suite goes on after a test took its process with it.
CONTINUATIONS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What is equal in all trials of a suite; times in seconds."""

    command: str
    env: Mapping[str, str]
    test_timeout: float
    trial_timeout: float
    order: Order | None = None
    #: For each frozen tree, the steps that built it.
    built: Mapping[Revision, tuple[str, ...]] = field(default_factory=dict)
    #: For the generic runner: the command for one test, and where reports lie.
    one: str = ""
    reports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What trials are made with."""

    conditions: Conditions
    bench: Bench
    runner: Runner
    source: TreeSource
    surroundings: Surroundings


def make_trial(trial: TrialId, experiment: Experiment, means: Means) -> Observation:
    """What one experiment showed; a bench that fails makes it errored, never failed."""
    selection = Selection(
        shape=experiment.shape,
        tests=experiment.tests,
        order=means.conditions.order,
        test_timeout=means.conditions.test_timeout,
        thresholds=experiment.purpose in {Purpose.SUITE, Purpose.CONTROL_EFFECT},
        lines=experiment.lines,
        subjects=experiment.subjects,
        watched=experiment.watched,
        undo=experiment.undo,
        apart=experiment.apart,
    )
    try:
        output, first, ledgers = _run(trial, experiment, selection, means)
        result = first
        # A test that ended the process leaves others unreached. They get their
        # trial behind the break, in the order they had, so that one crash does not
        # hide what else fails.
        for number in range(1, CONTINUATIONS + 1):
            if not result.unreached or result.trust is Trust.ERRORED:
                break
            rest = Selection(
                shape=Shape.LISTED,
                tests=result.unreached,
                test_timeout=means.conditions.test_timeout,
                lines=experiment.lines,
            )
            name = TrialId(f"{trial}.{number}")
            # What is left behind is told of the first part alone.
            unwatched = replace(experiment, watched=False)
            _, more, _ = _run(name, unwatched, rest, means)
            result = joined(result, more)
        _check(result, means.surroundings)
    except SurroundingsLost as lost:
        return replace(
            _errored(trial, experiment, lost.diagnostics()),
            environment=lost.diagnostics(),
        )
    except BenchFailed as failed:
        return _errored(trial, experiment, failed.diagnostics())
    except TreeBroken as broken:
        why = f"the schema of this tree can't be built: {broken.output.strip()[-500:]}"
        return _errored(trial, experiment, why)
    seen = Observation(
        trial=trial,
        experiment=experiment,
        results=_with_absent(result, means.runner),
        trust=result.trust,
        distrust=result.distrust,
        orders=result.orders,
        listed=result.listed,
        uncollectable=result.uncollectable,
        loaded=result.loaded,
        steering=result.steering,
        exit_code=output.code if output.ending is Ending.EXITED else None,
        notices=result.notices,
        remarks=(*result.remarks, *output.refused),
        threshold=result.threshold,
        covered=result.covered,
        epoch=result.epoch,
        traces=result.traces,
        changes=tuple(each for ledger in ledgers for each in ledger.changes),
        unrecorded=tuple(ledger.blind for ledger in ledgers if ledger.blind),
        alterations=tuple(each for ledger in ledgers for each in ledger.alterations),
        blind=(
            *(ledger.blind for ledger in ledgers if ledger.blind),
            *result.blind,
            *output.blind,
        ),
        waits=result.waits,
        reached=result.reached,
        searched=result.searched,
        telemetry=read_telemetry(output.kept),
        undone=result.undone,
        left=output.left,
    )
    outside = left_traces(seen, str(means.bench.places.workspace))
    return replace(seen, traces=(*seen.traces, *outside))


def _errored(trial: TrialId, experiment: Experiment, why: str) -> Observation:
    return Observation(
        trial=trial,
        experiment=experiment,
        results={},
        trust=Trust.ERRORED,
        distrust=why,
    )


def _check(result: SuiteResult, surroundings: Surroundings) -> None:
    """Tests that failed while something they need went away prove nothing."""
    bad = result.trust is not Trust.SOUND or any(
        one.outcome in FAILURES for one in result.results.values()
    )
    lost = surroundings.lost() if bad else ""
    if lost:
        raise SurroundingsLost(lost)


def _run(
    trial: TrialId,
    experiment: Experiment,
    selection: Selection,
    means: Means,
) -> tuple[TrialOutput, SuiteResult, tuple[Ledger, ...]]:
    """One run of the suite's command, and what it left in its fresh databases."""
    bench, runner, source = means.bench, means.runner, means.source
    delta = source.delta(experiment.tree)
    selection = replace(
        selection,
        rebuild=means.conditions.built.get(experiment.tree.frozen_from, ()),
        stale=bool(delta.writes or delta.deletes),
        changed=tuple(sorted(delta.writes)),
        one=means.conditions.one,
        reports=means.conditions.reports,
    )
    if experiment.purpose is Purpose.INVENTORY:
        command = runner.list_command(
            means.conditions.command, selection, bench.places, means.conditions.order
        )
    else:
        command = runner.run_command(means.conditions.command, selection, bench.places)
    spec = TrialSpec(
        trial=trial,
        frozen=experiment.tree.frozen_from,
        delta=delta,
        argv=command.argv,
        env={**means.conditions.env, **command.env},
        inputs=command.inputs,
        timeout=means.conditions.trial_timeout,
        quiet=experiment.quiet,
        look_after=experiment.watched,
    )
    with means.surroundings.fresh(experiment) as fresh:
        output = fresh.run(spec, bench)
        ledgers = fresh.ledgers()
    digests = source.digests(experiment.tree)
    result = runner.read_results(selection, output, digests, bench.places)
    return output, result, ledgers


def joined(first: SuiteResult, more: SuiteResult) -> SuiteResult:
    """One result of a suite that went on after a break."""
    orders = dict(first.orders)
    for worker, order in more.orders.items():
        orders[worker] = (*orders.get(worker, ()), *order)
    trust = more.trust if first.trust is Trust.SOUND else first.trust
    # Times are counted from the first part's beginning, or windows would overlap.
    later = more.epoch - first.epoch if first.epoch and more.epoch else 0.0
    continued = {
        test: replace(one, started=round(one.started + later, 6))
        for test, one in more.results.items()
    }
    return replace(
        first,
        results={**first.results, **continued},
        trust=trust,
        distrust=first.distrust or more.distrust,
        orders=orders,
        uncollectable={**first.uncollectable, **more.uncollectable},
        loaded=(*first.loaded, *more.loaded),
        steering=first.steering | more.steering,
        notices=(*first.notices, *more.notices),
        remarks=tuple(dict.fromkeys((*first.remarks, *more.remarks))),
        covered={**first.covered, **more.covered},
        waits=(*first.waits, *more.waits),
        reached=(*first.reached, *more.reached),
        interrupted_at=more.interrupted_at,
        unreached=more.unreached,
    )


def _with_absent(result: SuiteResult, runner: Runner) -> dict[TestId, Result]:
    """The results, with a test that the tree does not have told from a lost one.

    A sound trial that collected the test's file, or found no such file, and did not
    list the test, shows that this tree has no such test; that counts like a skip.
    """
    listed = frozenset(result.listed)
    return {
        test: replace(one, outcome=Outcome.SKIPPED, reason="this tree has no such test")
        if one.outcome is Outcome.MISSING
        and result.trust is Trust.SOUND
        and test not in listed
        and runner.file_of(test) not in result.uncollectable
        else one
        for test, one in result.results.items()
    }
