"""Whether edited tests still kill every mutant that their base versions kill.

Base's production is broken in small ways, one at a time. Both versions of a test run on
it; what base's notices and head's does not is a lost kill. These trials show nothing of
the change's production, so they are no evidence of any inquiry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from fairtrial.domain.experiments import Experiment, Observation, Purpose
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.results import Outcome
from fairtrial.domain.trees import BASE, HEAD, HEAD_TESTS, Revision, Tree
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.mutation.choice import Interest, Target, chosen
from fairtrial.integrity.mutation.kills import (
    KillQuestion,
    Kills,
    not_passed,
    outcome_of,
)
from fairtrial.integrity.mutation.mutants import mutator_of
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.mutant_trials import BONUS, Case, Mutants, try_mutants
from fairtrial.pipeline.opening import listed_trial
from fairtrial.pipeline.stand import Stand
from fairtrial.policy.paths import classify
from fairtrial.trees.listing import bytes_of

__all__ = ["KillQuestion", "Kills", "kill_sets", "kills_anything"]

Lines = Mapping[RepoPath, frozenset[int]]


def kill_sets(
    stand: Stand,
    brief: Brief,
    questions: Sequence[KillQuestion],
    seconds: float,
    production: Revision = Revision.BASE,
    *,
    control: Revision = Revision.BASE,
) -> Mapping[KillQuestion, Kills]:
    """For each question, the kills of base's version and those that head's lost.

    Within `seconds`; a question that they do not reach is not measured. `control` is
    head's where head's control is applied.
    """
    if not questions:
        return {}
    court = _Court(
        stand=stand,
        brief=brief,
        base_tree=replace(
            BASE if production is Revision.BASE else HEAD, control=control
        ),
        head_tree=replace(
            HEAD_TESTS if production is Revision.BASE else HEAD, control=control
        ),
        deadline=brief.world.clock() + seconds,
    )
    return court.answers(tuple(dict.fromkeys(questions)), seconds)


def kills_anything(
    stand: Stand,
    brief: Brief,
    tests: Sequence[TestId],
    seconds: float,
    *,
    control: Revision = Revision.BASE,
) -> Mapping[TestId, Kills]:
    """For each test of head alone, whether it notices any fault of what it runs.

    The search for a test ends at the first mutant that it kills.
    """
    questions = {test: KillQuestion(base=(test,), head=()) for test in tests}
    found = kill_sets(
        stand, brief, tuple(questions.values()), seconds, Revision.HEAD, control=control
    )
    return {test: found[question] for test, question in questions.items()}


@dataclass(slots=True, kw_only=True)
class _Court:
    """One round of questions on one suite."""

    stand: Stand
    brief: Brief
    base_tree: Tree
    head_tree: Tree
    deadline: float
    #: Texts of production files that can have mutants.
    texts: dict[RepoPath, str] = field(default_factory=dict)
    #: Why a covered file has none.
    unread: dict[RepoPath, str] = field(default_factory=dict)

    def answers(
        self, questions: tuple[KillQuestion, ...], seconds: float
    ) -> Mapping[KillQuestion, Kills]:
        say = self.brief.world.progress.doing
        say(f"suite {self.stand.suite.name}: what {len(questions)} tests notice")
        paths = self._production()
        base, head = self._unchanged(questions, paths)
        found: dict[KillQuestion, Kills] = {}
        grounds: list[KillQuestion] = []
        late = self.brief.world.clock() >= self.deadline
        for question in questions:
            why = self._hindrance(question, base, head)
            if why:
                found[question] = Kills(why=why, late=late)
            else:
                grounds.append(question)
        cases = self._cases(grounds, base, head)
        clock = self.brief.world.clock
        try_mutants(
            cases,
            Mutants(
                laboratory=self.stand.laboratory,
                base_tree=lambda overlay: replace(self.base_tree, overlay=overlay),
                head_tree=lambda overlay: replace(self.head_tree, overlay=overlay),
                texts=self.texts,
                seconds=_slower(_seconds(head), _seconds(base)),
                whole=base.seconds,
                clock=clock,
                deadline=self.deadline,
                no_bonus=self.deadline - seconds / 2,
            ),
        )
        return found | {case.question: case.kills() for case in cases}

    def _production(self) -> frozenset[RepoPath]:
        """The production files that mutants can be made of."""
        subject = self.brief.subject
        overrides = subject.settings.paths
        changed = subject.sides.classes

        def is_production(path: RepoPath) -> bool:
            classes = changed.get(path)
            if classes is None:
                kind = classify(path, overrides).path_class
                return kind is PathClass.PRODUCTION
            return PathClass.PRODUCTION in classes

        return frozenset(
            path
            for path, entry in self.brief.source.listing(self.base_tree).items()
            if entry.is_file and mutator_of(path) is not None and is_production(path)
        )

    def _unchanged(
        self, questions: Sequence[KillQuestion], paths: frozenset[RepoPath]
    ) -> tuple[Observation, Observation | None]:
        """Both versions on unchanged production, with the lines that they run."""
        base = [test for each in questions for test in each.base]
        head = [test for each in questions for test in each.head]
        trials = [self._measuring(self.base_tree, base, paths)]
        if head:
            trials.append(self._measuring(self.head_tree, head, paths))
        seen = self.stand.laboratory.perform(trials)
        return seen[0], seen[1] if head else None

    def _measuring(
        self, tree: Tree, tests: Sequence[TestId], paths: frozenset[RepoPath]
    ) -> Experiment:
        unique = tuple(dict.fromkeys(tests))
        return replace(
            listed_trial(self.stand, tree, unique, Purpose.KILLS),
            quiet=True,
            lines=paths,
            trial_timeout=max(1.0, self.deadline - self.brief.world.clock()),
        )

    def _hindrance(
        self, question: KillQuestion, base: Observation, head: Observation | None
    ) -> str:
        """Why a question can't be tried; empty where it can."""
        why = not_passed(base, question.base, "base")
        if not why and head is not None:
            why = not_passed(head, question.head, "head")
        if why:
            return why
        ran = _passed(base, question.base)
        if not ran:
            return "base's version of it runs nothing: it is skipped, or is not there"
        if not all(test in base.covered for test in ran):
            return "the lines that it runs could not be measured"
        if not any(base.covered[test] for test in ran):
            return "it runs no production in its own process that can have mutants"
        return ""

    def _cases(
        self,
        questions: Sequence[KillQuestion],
        base: Observation,
        head: Observation | None,
    ) -> list[Case]:
        targets = self._targets(questions, base)
        company = Counter(
            (path, line)
            for files in base.covered.values()
            for path, lines in files.items()
            for line in lines
        )
        cases: list[Case] = []
        known: set[Target] = set()
        for question in questions:
            ran = _passed(base, question.base)
            on_head = () if head is None else _passed(head, question.head)
            measured = head is not None and all(t in head.covered for t in on_head)
            interest = Interest(
                lines=_union(base, ran),
                kept=_union(head, on_head) if head is not None and measured else None,
                words=self._words(ran[0]),
                company=company,
            )
            picked = chosen(targets, interest, BONUS, frozenset(known))
            known.update(picked)
            case = Case(question=question, base=ran, head=on_head, left=list(picked))
            if not picked:
                case.unsettled = (
                    "; ".join(
                        f"{path}: {self.unread[path]}"
                        for path in interest.lines
                        if path in self.unread
                    )
                    or "nothing that it runs can have mutants"
                )
            cases.append(case)
        return cases

    def _targets(
        self, questions: Sequence[KillQuestion], base: Observation
    ) -> list[Target]:
        """All mutants that any of the tests reaches, in the order of their files."""
        ran = [test for each in questions for test in each.base]
        found: list[Target] = []
        for path, lines in sorted(_union(base, ran).items()):
            mutator = mutator_of(path)
            text = self._text(path, self.base_tree)
            if mutator is None or text is None:
                self.unread[path] = "it is not written in UTF-8"
                continue
            try:
                mutants = mutator.mutants(text, lines)
            except CannotRead as error:
                self.unread[path] = str(error)
                continue
            self.texts[path] = text
            found += [Target(path=path, mutant=mutant) for mutant in mutants]
        return found

    def _words(self, test: TestId) -> frozenset[str]:
        place = self.stand.laboratory.runner.place_of(test)
        mutator = mutator_of(place.path)
        text = self._text(place.path, self.base_tree)
        if mutator is None or text is None:
            return frozenset()
        return mutator.words_of(text, place.names)

    def _text(self, path: RepoPath, tree: Tree) -> str | None:
        source = self.brief.source
        entry = source.listing(tree).get(path)
        if entry is None:
            return None
        try:
            return bytes_of(entry, source.sides.read).decode("utf-8")
        except UnicodeDecodeError:
            return None


def _passed(observation: Observation, tests: Sequence[TestId]) -> tuple[TestId, ...]:
    return tuple(
        test for test in tests if outcome_of(observation, test) is Outcome.PASSED
    )


def _union(observation: Observation, tests: Sequence[TestId]) -> Lines:
    found: dict[RepoPath, frozenset[int]] = {}
    for test in tests:
        for path, lines in observation.covered.get(test, {}).items():
            found[path] = found.get(path, frozenset()) | lines
    return found


def _seconds(observation: Observation | None) -> dict[TestId, float]:
    if observation is None:
        return {}
    return {test: result.seconds for test, result in observation.results.items()}


def _slower(
    one: Mapping[TestId, float], other: Mapping[TestId, float]
) -> Mapping[TestId, float]:
    """How long each test took where it took longer.

    A head version that is only slower than base's must not seem to notice mutants.
    """
    return {test: max(one.get(test, 0), other.get(test, 0)) for test in {*one, *other}}
