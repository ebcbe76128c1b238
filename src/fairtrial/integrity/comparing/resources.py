"""Which tests read a changed file that is no code: snapshots, golden files, data."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.demands import Aspect, Difference, Place
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.comparing.entries import belongs, entries, owner
from fairtrial.integrity.comparing.graph import Graph
from fairtrial.integrity.comparing.rules import Rule, change_of
from fairtrial.integrity.comparing.sites import Located, shortened

#: What a test says that reads files.
_READS: Final = re.compile(
    r"\bopen\(|read_?(?:text|bytes|file|lines|all)|\.read\(|\bload|golden|snapshot|"
    r"cassette|vcr|resource|regression|datadir|glob|approv|betamax|include_str|embed",
    re.IGNORECASE,
)
#: Files near a file that nothing names, whose tests are looked at.
_MOST_NEAR: Final = 40
#: Shortest stem that says something by itself.
_TELLING: Final = 4
#: Longest content of which differing lines are shown.
_LONGEST: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """A test that reads a changed file, with what became of the file."""

    test: Located
    difference: Difference


def ties(base: Graph, head: Graph, resources: Iterable[RepoPath]) -> Iterator[Tie]:
    """Each test of head with each changed file that it reads, as far as can be told."""
    paths = sorted(resources)
    arrived = {
        head.reading.files[path]
        for path in paths
        if path in head.reading.files and path not in base.reading.files
    }
    readers = _Readers(head)
    for path in paths:
        old = base.reading.files.get(path)
        new = head.reading.files.get(path)
        if old is None or old == new:
            # What is new was read by no test of base.
            yield from _entries(readers, path, old, new) if old is None else ()
        elif new is None and old in arrived:
            # It was moved; the tests that name it are edited themselves.
            continue
        elif owner(path) is not None and (entries(path, old) or entries(path, new)):
            yield from _entries(readers, path, old, new)
        else:
            rule = Rule.GOLDEN_REMOVED if new is None else Rule.GOLDEN_CHANGED
            difference = difference_of(rule, path, text_of(old), text_of(new))
            for test in readers.of(path):
                yield Tie(test=test, difference=difference)


def _entries(
    readers: _Readers, path: RepoPath, old: bytes | None, new: bytes | None
) -> Iterator[Tie]:
    """The tests whose entries differ; an entry of a test that is gone says nothing."""
    at = owner(path)
    if at is None:
        return
    tests = list(readers.tests(RepoPath(at)))
    was, now = entries(path, old), entries(path, new)
    for name in dict.fromkeys([*was, *now]):
        if was.get(name) == now.get(name):
            continue
        rule = (
            Rule.SNAPSHOT_ADDED
            if name not in was
            else Rule.SNAPSHOT_REMOVED
            if name not in now
            else Rule.SNAPSHOT_CHANGED
        )
        owners = [test for test in tests if belongs(name, test.place.names)]
        if not owners and rule is Rule.SNAPSHOT_CHANGED:
            owners = tests
        difference = difference_of(rule, path, was.get(name, ""), now.get(name, ""))
        yield from (Tie(test=test, difference=difference) for test in owners)


class _Readers:
    """The tests of head, as files that they may read lead to them."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._code = [
            path for path in sorted(graph.modules.paths) if graph.reading.is_code(path)
        ]

    def tests(self, path: RepoPath) -> Iterator[Located]:
        """The tests of one file."""
        file = self._graph.reading.demands(path)
        for test in () if file is None else file.tests:
            yield Located(place=Place(path=path, names=test.names), test=test)

    def of(self, path: RepoPath) -> list[Located]:
        """The tests that read a file: by convention, by its name, by its folder."""
        pure = PurePosixPath(path)
        ways: list[Callable[[], Iterator[Located]]] = [
            lambda: self._by_convention(pure),
            lambda: self._mentioning(pure.name),
            lambda: self._mentioning(pure.stem) if _tells(pure.stem) else iter(()),
            lambda: (
                self._mentioning(pure.parent.name, near=pure)
                if _tells(pure.parent.name)
                else iter(())
            ),
            lambda: self._near(pure),
        ]
        found: dict[Place, Located] = {}
        for number, way in enumerate(ways):
            found.update((test.place, test) for test in way())
            # A convention does not keep others from naming the file.
            if found and number:
                break
        return list(found.values())

    def _by_convention(self, pure: PurePosixPath) -> Iterator[Located]:
        """Files called like a test, in a folder called like its file or beside it."""
        for path in self._code:
            at = PurePosixPath(path)
            if at.parent not in pure.parents:
                continue
            if at.stem in pure.parts[:-1] or pure.parent.parent == at.parent:
                for test in self.tests(path):
                    joined = ".".join(test.place.names)
                    for name in (test.place.names[-1], joined):
                        if pure.stem == name or (
                            pure.stem.startswith(name)
                            and not pure.stem[len(name)].isalnum()
                        ):
                            yield test

    def _mentioning(
        self, word: str, near: PurePosixPath | None = None
    ) -> Iterator[Located]:
        mention, files = word.encode(), self._graph.reading.files
        mentioning = {path for path in self._code if mention in files[path]}
        if not mentioning:
            return
        for path in self._within(mentioning, near):
            tests = list(self.tests(path))
            told = [test for test in tests if self._says(test, word)]
            if not told and path in mentioning:
                # It is said outside of all tests and helpers.
                told = tests
            yield from told

    def _within(
        self, mentioning: set[RepoPath], near: PurePosixPath | None
    ) -> Iterator[RepoPath]:
        """Files that mention a word, and those that may use a helper that does."""
        helpers = {PurePosixPath(path) for path in mentioning}
        stems = [each.stem.encode() for each in helpers if each.name != "conftest.py"]
        files = self._graph.reading.files
        for path in self._code:
            pure = PurePosixPath(path)
            folders = {each.parent for each in helpers if each.name == "conftest.py"}
            if (
                path in mentioning
                or not folders.isdisjoint(pure.parents)
                or any(stem in files[path] for stem in stems)
            ) and (near is None or not _strangers(near, pure)):
                yield path

    def _says(self, test: Located, word: str) -> bool:
        if word in test.test.text:
            return True
        closure = self._graph.closure(test)
        return any(word in each.support.text for each in closure.supports.values())

    def _reads(self, test: Located) -> bool:
        if _READS.search(test.test.text):
            return True
        closure = self._graph.closure(test)
        return any(_READS.search(it.support.text) for it in closure.supports.values())

    def _near(self, pure: PurePosixPath) -> Iterator[Located]:
        """Tests that read files, of the nearest folder above this one that has any.

        Where none says that it reads files, all tests of that folder itself; nothing
        names the file, so no more than a few files are looked through.
        """
        for folder in pure.parents:
            near = [at for at in self._code if folder in PurePosixPath(at).parents]
            if near:
                near.sort(key=lambda at: (at.count("/"), at))
                tests = [test for at in near[:_MOST_NEAR] for test in self.tests(at)]
                reading = [test for test in tests if self._reads(test)]
                yield from reading or [
                    test
                    for test in tests
                    if PurePosixPath(test.place.path).parent == folder
                ]
                return


def _tells(word: str) -> bool:
    return len(word) >= _TELLING


def _strangers(one: PurePosixPath, other: PurePosixPath) -> bool:
    """Whether two files share no folder but the root."""
    return (
        len(one.parts) > 1 and len(other.parts) > 1 and one.parts[0] != other.parts[0]
    )


def difference_of(rule: Rule, path: RepoPath, was: str, now: str) -> Difference:
    """Two versions of a file by the lines that differ."""
    old, new = was.splitlines(), now.splitlines()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Difference(
        rule=rule.value,
        aspect=Aspect.SNAPSHOT,
        change=change_of(rule),
        path=path,
        line=start + 1,
        was=shortened("\n".join(old[start : len(old) - end])),
        now=shortened("\n".join(new[start : len(new) - end])),
    )


def text_of(data: bytes | None) -> str:
    """What can be shown of a file."""
    if data is None:
        return ""
    if b"\0" in data[:_LONGEST]:
        return f"{len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()[:16]}"
    return data[:_LONGEST].decode("utf-8", "replace")
