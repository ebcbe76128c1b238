"""What CTest's report, and those of GoogleTest's binaries, say of each test."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import Outcome, Phase
from fairtrial.runners import TriedTree
from fairtrial.runners.cmake.entries import Entry
from fairtrial.runners.junit import Case, CaseOutcome, UnreadableReport, read_junit
from fairtrial.runners.reports.events import Detail
from fairtrial.runners.reports.fields import Frame
from fairtrial.runners.reports.lines import frame_of
from fairtrial.runners.reports.plain import Account, Told

_JUNIT: Final = re.compile(r"junit-(\d{1,6})\.xml")
_SAID: Final = re.compile(r"ctest-(\d{1,6})\.txt")
_LIMIT: Final = 64 * 1024 * 1024
_TEXT: Final = 20_000
_BEGUN: Final = re.compile(r"^\[ RUN      \] (\S+)$", re.MULTILINE)
_ENDED: Final = re.compile(
    r"^\[(?P<how>       OK|  FAILED|  SKIPPED) \] (?P<name>[^\s,]+)"
    r".*\((?P<ms>\d+) ms\)$",
    re.MULTILINE,
)
_STARTED: Final = re.compile(r"^ +Start +(\d+): ", re.MULTILINE)
_DONE: Final = re.compile(r"^ *\d+/\d+ Test +#(\d+): ", re.MULTILINE)
_FAILURE: Final = re.compile(
    r"^(?P<path>/[^\n:]+):(?P<line>\d+)(?:: Failure)?\n(?P<said>.*)",
    re.DOTALL | re.MULTILINE,
)
_EQUAL: Final = re.compile(
    r"Expected equality of these values:"
    r"\n  (?P<first>.*)(?:\n    Which is: (?P<one>.*))?"
    r"\n  (?P<second>.*)(?:\n    Which is: (?P<other>.*))?"
)
#: How CTest words that a process died.
_DEATHS: Final = re.compile(
    r"SEGFAULT|Subprocess aborted|ILLEGAL|NUMERICAL|Child aborted|BUS_ERROR"
    r"|Exit code 0x|Child killed|Subprocess killed|OTHER_FAULT|Exception"
)
_UNBUILT: Final = re.compile(r"Unable to find executable|_NOT_BUILT|BAD_COMMAND")
_SANITIZER: Final = re.compile(
    r"^(?:==\d+==)?(?:ERROR|WARNING): \w+Sanitizer: .*$", re.MULTILINE
)


@dataclass(slots=True, kw_only=True)
class Reading:
    """A trial's reports on the way to an account."""

    tree: TriedTree
    workspace: str
    entries: tuple[Entry, ...]
    files: Mapping[str, bytes]
    #: None: the whole suite.
    asked: tuple[TestId, ...] | None
    parallel: bool
    told: list[Told] = field(default_factory=list)
    deaths: list[tuple[TestId, Detail]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    #: Fixtures that CTest adds by itself, and that failed.
    beside: bool = False

    def account(self, listed: Sequence[TestId]) -> Account:
        """The account of everything that the files tell."""
        numbers = sorted(
            int(found[1]) for name in self.files if (found := _SAID.fullmatch(name))
        )
        complete = bool(numbers) or "done.json" in self.files
        for number in numbers:
            said = self.files[f"ctest-{number}.txt"][-_LIMIT:].decode(
                "utf-8", "replace"
            )
            data = self.files.get(f"junit-{number}.xml")
            if data is None:
                complete = False
                self._cut_short(number, said)
                continue
            try:
                report = read_junit(data)
            except UnreadableReport as wrong:
                self.faults.append(str(wrong))
                continue
            for case in report.cases:
                self._take(number, case, said)
        running, words = None, Detail()
        if self.deaths:
            (running, words), *more = self.deaths
            self.told += [
                Told(test=test, outcome=Outcome.CRASHED, detail=detail)
                for test, detail in more
            ]
        return Account(
            told=tuple(self.told),
            listed=tuple(listed),
            complete=complete,
            running=running,
            last_words=words,
            faults=tuple(self.faults),
            explained=self.beside,
            fixed_order=True,
        )

    def _take(self, number: int, case: Case, said: str) -> None:
        entry = next((each for each in self.entries if each.name == case.name), None)
        if entry is None:
            self.faults.append(f"nobody listed the test {case.name}")
            return
        text = _of_entry(said, entry.index)
        if entry.kind == "gtest":
            self._of_cases(number, entry, case, text)
            return
        test = entry.ids[0]
        if self.asked is not None and test not in self.asked:
            self.beside |= case.outcome >= CaseOutcome.FAILED
            return
        self.told.append(self._of_ctest(test, entry, case, text))

    def _of_ctest(self, test: TestId, entry: Entry, case: Case, text: str) -> Told:
        outcome, detail, reason = Outcome.PASSED, Detail(), ""
        match case.outcome:
            case CaseOutcome.PASSED:
                pass
            case CaseOutcome.SKIPPED | CaseOutcome.NOT_RUN:
                outcome, reason = Outcome.SKIPPED, case.message or "not run"
                if _UNBUILT.search(case.message) is not None:
                    outcome = Outcome.UNBUILDABLE
                    detail = Detail(type="CompileError", message=case.message)
                elif "ixture" in case.message:
                    outcome = Outcome.FAILED
                    detail = Detail(type="fixture", message=case.message)
            case CaseOutcome.FLAKY | CaseOutcome.FAILED | CaseOutcome.ERROR:
                outcome = Outcome.FAILED
                detail = self._detail(entry, entry.case, text)
                if _DEATHS.search(case.message) is not None:
                    outcome = Outcome.CRASHED
                    detail = replace(detail, type=case.message[:100])
        return Told(
            test=test,
            outcome=outcome,
            phase=Phase.SETUP if detail.type == "fixture" else Phase.CALL,
            detail=detail,
            reason=reason,
            seconds=case.seconds,
            worker=entry.name if self.parallel else "main",
        )

    def _of_cases(self, number: int, entry: Entry, case: Case, text: str) -> None:
        reports = self._reports(number, entry)
        if not reports:
            self._died(entry, case.message, text)
            return
        for name, value in reports:
            test = entry.id_of(name)
            if self.asked is not None and test not in self.asked:
                # A filter leaves those out, but for disabled ones that it names.
                if value.get("status") == "RUN":
                    self.faults.append(f"{test} ran without being asked for")
                continue
            self.told.append(self._told(test, entry, name, value))

    def _reports(self, number: int, entry: Entry) -> list[tuple[str, dict[str, Any]]]:
        """What a binary wrote of its cases, in the order in which they ran."""
        own = re.compile(rf"gtest-{number}/{re.escape(entry.program)}(?:_\d+)?\.json")
        known = {name for name, _, _ in entry.cases}
        found: list[tuple[str, dict[str, Any]]] = []
        for name, data in sorted(self.files.items()):
            if own.fullmatch(name) is None or len(data) > _LIMIT:
                continue
            try:
                suites = json.loads(data.decode("utf-8", "replace"))["testsuites"]
                cases = [
                    (f"{suite['name']}.{case['name']}", case)
                    for suite in suites
                    for case in suite["testsuite"]
                ]
            except (ValueError, KeyError, TypeError, RecursionError):
                self.faults.append(f"the report of {entry.name} can't be read")
                continue
            # Other tests of CTest may run single cases of the same binary.
            if len(cases) > len(found) or (self.asked is not None and cases):
                found = [(each, case) for each, case in cases if each in known]
        return found

    def _told(
        self, test: TestId, entry: Entry, name: str, value: Mapping[str, Any]
    ) -> Told:
        outcome, detail, reason = Outcome.PASSED, Detail(), ""
        failures = value.get("failures")
        if failures:
            outcome = Outcome.FAILED
            said = [
                str(each.get("failure", ""))
                for each in failures
                if isinstance(each, dict)
            ]
            detail = self._detail(entry, name, "\n".join(said))
        elif value.get("result") == "SKIPPED":
            outcome, reason = Outcome.SKIPPED, "the test skipped itself"
        elif value.get("status") != "RUN":
            outcome, reason = Outcome.SKIPPED, "disabled"
        seconds = re.fullmatch(r"(\d+(?:\.\d+)?)s", str(value.get("time")))
        return Told(
            test=test,
            outcome=outcome,
            detail=detail,
            reason=reason,
            seconds=float(seconds[1]) if seconds is not None else 0.0,
            worker=entry.name if self.parallel else "main",
        )

    def _died(self, entry: Entry, message: str, text: str) -> None:
        """A binary that wrote no report: what it printed tells where it ended."""
        begun = list(_BEGUN.finditer(text))
        if not begun:
            if self.asked is None or set(entry.ids) & set(self.asked):
                self.faults.append(f"{entry.name} reported none of its cases")
            return
        ended = {found["name"]: found for found in _ENDED.finditer(text)}
        for number, found in enumerate(begun):
            name, test = found[1], entry.id_of(found[1])
            end = begun[number + 1].start() if number + 1 < len(begun) else len(text)
            body = text[found.end() : end]
            if self.asked is not None and test not in self.asked:
                continue
            if name not in ended:
                detail = self._detail(entry, name, body)
                kind = message if _DEATHS.search(message) else "Crash"
                detail = replace(detail, type=kind, message=detail.message or kind)
                self.deaths.append((test, detail))
                continue
            how = ended[name]["how"].strip()
            self.told.append(
                Told(
                    test=test,
                    outcome={
                        "OK": Outcome.PASSED,
                        "FAILED": Outcome.FAILED,
                        "SKIPPED": Outcome.SKIPPED,
                    }[how],
                    detail=self._detail(entry, name, body)
                    if how == "FAILED"
                    else Detail(),
                    seconds=int(ended[name]["ms"][:9]) / 1000,
                    worker=entry.name if self.parallel else "main",
                )
            )

    def _cut_short(self, number: int, said: str) -> None:
        """A CTest that was ended itself, inside what it had started."""
        done = {int(found[1]) for found in _DONE.finditer(said)}
        open_ = [
            int(found[1])
            for found in _STARTED.finditer(said)
            if int(found[1]) not in done
        ]
        for entry in self.entries:
            text = _of_entry(said, entry.index)
            ended = entry.index in done
            if not ended and entry.index not in open_:
                continue
            if entry.kind == "gtest":
                if ended and (reports := self._reports(number, entry)):
                    self.told += [
                        self._told(entry.id_of(name), entry, name, value)
                        for name, value in reports
                    ]
                else:
                    self._died(entry, "", text)
                continue
            test = entry.ids[0]
            if self.asked is not None and test not in self.asked:
                continue
            if not ended:
                detail = self._detail(entry, entry.case, text)
                self.deaths.append((test, replace(detail, type="")))
                continue
            passed = re.search(
                rf"^ *\d+/\d+ Test +#{entry.index}: .* Passed +", said, re.MULTILINE
            )
            self.told.append(
                Told(
                    test=test,
                    outcome=Outcome.PASSED if passed else Outcome.FAILED,
                    detail=Detail()
                    if passed
                    else self._detail(entry, entry.case, text),
                    worker=entry.name if self.parallel else "main",
                )
            )

    def _detail(self, entry: Entry, case: str, text: str) -> Detail:
        found = _FAILURE.search(text)
        path, line = entry.place_of(case)
        own = _frames(path, case, line, self.tree)
        sanitizer = _SANITIZER.search(text)
        if found is None:
            lines = [each for each in text.strip().splitlines() if each.strip()]
            said = sanitizer[0] if sanitizer else (lines[-1] if lines else "")
            kind = "Sanitizer" if sanitizer else "Exit"
            return Detail(
                type=kind,
                message=said[:2_000] or "it failed without a word",
                frames=own,
                text=text[-_TEXT:],
                untraced=None if own else "untraced",
            )
        where = found["path"].removeprefix(f"{self.workspace}/")
        frames = _frames(where, case, int(found["line"][:7]), self.tree)
        equal = _EQUAL.search(found["said"])
        return Detail(
            type="gtest",
            message=found["said"].strip()[:2_000],
            frames=frames if frames and frames[-1].ours else (*own, *frames),
            expected=None if equal is None else equal["one"] or equal["first"],
            actual=None if equal is None else equal["other"] or equal["second"],
            text=text[:_TEXT],
        )


def _frames(path: str, case: str, line: int, tree: TriedTree) -> tuple[Frame, ...]:
    name = re.sub(r"/\d+$", "", case.rpartition(".")[2])
    if not line or RepoPath(path) not in tree:
        return ()
    return (frame_of(path, name, line, tree),)


def _of_entry(said: str, index: int) -> str:
    """What one test printed, of the words of CTest: its lines begin with its number."""
    before = f"{index}: "
    return "\n".join(
        line.removeprefix(before)
        for line in said.splitlines()
        if line.startswith((before, f"{index}:"))
    )
