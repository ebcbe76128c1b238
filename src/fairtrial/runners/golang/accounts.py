"""What the events of `go test` say of each test that was asked for.

Each function and each subtest is a test of its own. What failed inside a subtest is
that subtest's: the function around it counts as failed only where it said something
itself, or where the subtest was not asked for. A function that fails before a subtest
begins is that subtest's set-up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import Outcome, Phase
from fairtrial.runners import TriedTree
from fairtrial.runners.golang.events import Node, PackageRun, Stream
from fairtrial.runners.golang.failures import (
    compile_detail,
    death_detail,
    failure_detail,
    says_where,
    skip_reason,
)
from fairtrial.runners.golang.packages import Package
from fairtrial.runners.golang.selecting import groups, native, top_of
from fairtrial.runners.golang.sources import Written, line_of, written
from fairtrial.runners.reports.events import Detail
from fairtrial.runners.reports.lines import frame_of
from fairtrial.runners.reports.plain import EVERYTHING, Account, Told

_OUTCOMES: Final = {
    "pass": Outcome.PASSED,
    "fail": Outcome.FAILED,
    "skip": Outcome.SKIPPED,
}


@dataclass(slots=True, kw_only=True)
class Reading:
    """A trial's events on the way to an account."""

    tree: TriedTree
    workspace: str
    #: None: the whole suite.
    asked: tuple[TestId, ...] | None
    packages: Mapping[str, Package]
    #: What `go` printed beside the events, of all its starts.
    said: str
    #: The watch ended it.
    late: bool
    wrote: dict[str, Written] = field(default_factory=dict)
    told: dict[TestId, Told] = field(default_factory=dict)
    seen: dict[TestId, Node] = field(default_factory=dict)
    deaths: list[tuple[TestId, Detail]] = field(default_factory=list)
    uncollectable: dict[str, Detail] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    gone: set[TestId] = field(default_factory=set)
    open: bool = False
    #: What the `go test` asked for that is being read; None: everything.
    now: frozenset[TestId] | None = None
    #: Something failed that was not asked for: a function around a subtest, or a
    #: package that this tree does not have.
    beside: bool = False

    def account(self, streams: Sequence[Stream], listed: list[TestId]) -> Account:
        """The account of all that the streams told; `listed` is what is written."""
        parts = [] if self.asked is None else groups(self.asked)
        for stream in streams:
            if self.asked is not None:
                tests = parts[stream.number][1] if stream.number < len(parts) else ()
                self.now = frozenset(tests)
            if stream.fault:
                self.faults.append(stream.fault)
            for run in stream.runs.values():
                self._take(run, stream)
        self._add_unseen(listed)
        running, last_words = self._deaths()
        known = {each for each in listed if each not in self.gone}
        extra = [each for each in self.told if each not in known]
        if running is not None and running not in known:
            extra.append(running)
        extra += self._unreached(known, {*extra})
        epochs = [stream.epoch for stream in streams if stream.epoch]
        epoch = min(epochs, default=0.0)
        return Account(
            told=tuple(
                replace(one, started=max(0.0, one.started - epoch))
                for one in self._in_order()
            ),
            listed=tuple(sorted_by(listed, known, extra)),
            complete=bool(streams) and not self.open,
            running=running,
            last_words=last_words,
            uncollectable=self.uncollectable,
            faults=tuple(self.faults),
            explained=self.beside,
            fixed_order=True,
            epoch=epoch,
        )

    def _in_order(self) -> list[Told]:
        return sorted(self.told.values(), key=lambda one: one.started)

    def _take(self, run: PackageRun, stream: Stream) -> None:
        package = self.packages.get(run.name)
        if run.unbuilt is not None:
            self._unbuilt(run, stream, package)
            return
        if not run.action:
            self.open = True
        if not run.nodes and (run.action != "fail" or package is None):
            return
        if package is None:
            self.faults.append(f"nobody listed the package {run.name}")
            return
        if not run.nodes:
            self._never_began(run, package)
            return
        self._ran(run, package)

    def _never_began(self, run: PackageRun, package: Package) -> None:
        """Its TestMain, or an init, ended the process before any test began."""
        detail = death_detail(
            run.output, "TestMain", self.tree, self.workspace, late=False
        )
        for file in package.files:
            self.uncollectable[file] = replace(detail, text=run.output[-20_000:])

    def _ran(self, run: PackageRun, package: Package) -> None:
        wrote = self._written(package)
        died = (run.action == "fail" and not run.finished) or not run.action
        crashed = self._crashed(run) if died else None
        named: list[tuple[TestId, Node]] = []
        for node in run.nodes:
            test = wrote.id_of(node.name, node.occurrence)
            if test is None:
                self.faults.append(f"{node.name} of {run.name} is in no test file")
                continue
            self.seen[test] = node
            named.append((test, node))
        for test, node in named:
            if node.action and node is not crashed:
                self._ended(test, node, run, package)
        if crashed is not None:
            self._died(crashed, run, wrote)

    def _written(self, package: Package) -> Written:
        if package.name not in self.wrote:
            self.wrote[package.name] = written(package, self.tree)
        return self.wrote[package.name]

    def _unbuilt(
        self, run: PackageRun, stream: Stream, package: Package | None
    ) -> None:
        said = "".join(stream.built.get(run.unbuilt or "", ()))
        said = said or _section(self.said, run.name) or self.said
        folder = "" if package is None else package.folder
        detail = compile_detail(said, folder, self.tree, self.workspace)
        files = () if package is None else package.files
        self.beside |= self.asked is not None and not files
        for file in files:
            self.uncollectable[file] = detail

    def _ended(
        self, test: TestId, node: Node, run: PackageRun, package: Package
    ) -> None:
        if self.now is not None and test not in self.now:
            self.beside |= node.action == "fail"
            return
        if test in self.told:
            self.faults.append(f"{test} ran more than once")
        outcome, detail = _OUTCOMES[node.action], Detail()
        if outcome is Outcome.FAILED:
            inner = [
                each
                for each in run.nodes
                if each.action == "fail" and each.name.startswith(f"{node.name}/")
            ]
            own = not inner or says_where(node.output)
            if not own and self._are_asked(inner, run):
                outcome = Outcome.PASSED
            else:
                output = node.output if own else inner[-1].output
                detail = self._failure(test, output, package)
        self.told[test] = Told(
            test=test,
            outcome=outcome,
            detail=detail,
            reason=skip_reason(node.output) if outcome is Outcome.SKIPPED else "",
            seconds=node.seconds,
            started=node.begun,
            worker=package.folder or ".",
        )

    def _failure(self, test: TestId, output: str, package: Package) -> Detail:
        detail = failure_detail(output, package.folder, self.tree, self.workspace)
        if any(frame.ours for frame in detail.frames):
            return detail
        # What it said names no line of this package: its own function stands for it.
        file = RepoPath(test.partition("::")[0])
        function = native(test).partition("/")[0]
        line = line_of(self.tree.text(file), function)
        own = (frame_of(file, function, line, self.tree),) if line else ()
        return replace(detail, frames=(*own, *detail.frames))

    def _are_asked(self, inner: Sequence[Node], run: PackageRun) -> bool:
        """Whether what failed inside is told under its own name."""
        if self.now is None:
            return True
        wrote = self.wrote[run.name]
        leaves = [
            each
            for each in inner
            if not any(one.name.startswith(f"{each.name}/") for one in inner)
        ]
        ids = (wrote.id_of(each.name, each.occurrence) for each in leaves)
        return all(each in self.now for each in ids)

    def _crashed(self, run: PackageRun) -> Node | None:
        """The test in which a process ended before its time."""
        panicked = [
            each
            for each in run.nodes
            if each.action == "fail" and "\ngoroutine " in each.output
        ]
        if panicked and not self.late:
            return panicked[-1]
        waiting = [each for each in run.open.values() if not each.paused]
        deepest = [
            each
            for each in waiting
            if not any(one.name.startswith(f"{each.name}/") for one in waiting)
        ]
        # Of several side by side, the one that has run the longest.
        return min(deepest, key=lambda each: each.begun, default=None)

    def _died(self, node: Node, run: PackageRun, wrote: Written) -> None:
        name = node.name
        function = name.partition("/")[0]
        detail = death_detail(
            run.output, function, self.tree, self.workspace, late=self.late
        )
        if "/" in name:
            detail = replace(detail, message=f"in {name}: {detail.message}")
        above: list[TestId] = []
        while name:
            test = wrote.id_of(name, node.occurrence)
            if test is not None:
                above.append(test)
            name = name.rpartition("/")[0]
        if not above:
            return
        died = above[-1] if self.asked is None else self._asked_of(above)
        if died is not None:
            self.told.pop(died, None)
            self.deaths.append((died, detail))

    def _asked_of(self, above: Sequence[TestId]) -> TestId | None:
        """The asked test in which it ended, or whose parent ended before it began."""
        asked = self.asked or ()
        found = next((each for each in above if each in asked), None)
        if found is not None:
            return found
        top = above[-1]
        waiting = (each for each in asked if top_of(each) == top_of(top))
        return next((each for each in waiting if each not in self.told), None)

    def _deaths(self) -> tuple[TestId | None, Detail]:
        """The first death; others are told beside it, unless time was up for all."""
        if not self.deaths:
            return None, Detail()
        (first, words), *more = self.deaths
        for test, detail in () if self.late else more:
            self.told[test] = Told(
                test=test,
                outcome=Outcome.CRASHED,
                detail=detail,
                started=self.seen[test].begun if test in self.seen else 0.0,
            )
        return first, words

    def _add_unseen(self, listed: Sequence[TestId]) -> None:
        """What is told of tests inside a function that ended without them."""
        wanted = listed if self.asked is None else self.asked
        dead = {test for test, _ in self.deaths}
        for test in wanted:
            if test in self.told or test in self.seen or test in dead:
                continue
            around = self._around(test)
            if around is None or not around.action:
                continue
            outcome = _OUTCOMES[around.action]
            if outcome is Outcome.PASSED:
                self.gone.add(test)
                continue
            package = next(
                each
                for each in self.packages.values()
                if test.partition("::")[0] in each.files
            )
            failed = outcome is Outcome.FAILED
            self.told[test] = Told(
                test=test,
                outcome=outcome,
                phase=Phase.SETUP,
                detail=self._failure(test, around.output, package)
                if failed
                else Detail(),
                reason="" if failed else skip_reason(around.output),
                started=around.begun,
                worker=package.folder or ".",
            )

    def _around(self, test: TestId) -> Node | None:
        """The innermost test around a subtest that ran."""
        file, _, name = test.partition("::")
        while "/" in name:
            name = name.rpartition("/")[0]
            found = self.seen.get(TestId(f"{file}::{name}"))
            if found is not None:
                return found
            for wrote in self.wrote.values():
                for each in wrote.places.get(name, ()):
                    if name in wrote.methods and each in self.seen:
                        return self.seen[each]
        return None

    def _unreached(self, known: set[TestId], extra: set[TestId]) -> list[TestId]:
        """Subtests that were asked for and that nothing shows to be absent."""
        tops = {top_of(each) for each in known}
        found = []
        for test in self.asked or ():
            if test in known | extra | self.gone or top_of(test) not in tops:
                continue
            around = self._around(test)
            if around is None or not around.action:
                found.append(test)
        return found


def sorted_by(
    listed: Sequence[TestId], known: set[TestId], extra: Sequence[TestId]
) -> list[TestId]:
    """What is written, each function with the subtests that were seen behind it."""
    inner: dict[str, list[TestId]] = {}
    for test in extra:
        inner.setdefault(top_of(test), []).append(test)
    found: list[TestId] = []
    for test in listed:
        if test in known:
            found.append(test)
            found += inner.pop(test, ())
    return [*found, *(each for rest in inner.values() for each in rest)]


def listing(
    packages: Sequence[Package], tree: TriedTree
) -> tuple[list[TestId], dict[str, Detail]]:
    """The tests that are written, and the files that can't even be read."""
    broken: dict[str, Detail] = {
        file: Detail(type="CompileError", message=package.error, text=package.error)
        for package in packages
        if package.error
        for file in package.files
        if RepoPath(file) in tree
    }
    tests = [
        test
        for package in packages
        if not package.error
        for test in written(package, tree).tests
    ]
    return tests, broken


def unloaded(said: str, tree: TriedTree, workspace: str) -> dict[str, Detail]:
    """What keeps everything from running where `go` can't load a single package."""
    return {EVERYTHING: compile_detail(said, "", tree, workspace)}


def _section(said: str, package: str) -> str:
    """What compilers said of one package, before Go 1.24: behind a line of its name."""
    found: list[str] = []
    within = False
    for line in said.splitlines():
        if line.startswith("# "):
            within = line[2:].partition(" [")[0] == package
        if within:
            found.append(line)
    return "\n".join(found)
