"""What holds for every splitter of nested files, whatever both sides hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters import (
    Splitter,
    build_gradle,
    package_json,
    pom_xml,
    splitter_of,
)
from fairtrial.trees.splitters.nested import Block, rendered
from fairtrial.trees.splitters.tables import CLASSES, CannotSplit


class Format(NamedTuple):
    splitter: Splitter
    #: A file with some of the pieces, which may be of any class.
    write: Callable[[list[str]], str]
    pieces: tuple[str, ...]


def in_braces(members: list[str]) -> str:
    return "{" + ",".join(f"\n  {member}" for member in members) + "\n}\n"


def in_project(elements: list[str]) -> str:
    return "<project>\n" + "".join(f"  {one}\n" for one in elements) + "</project>\n"


def plugin(name: str, more: str = "") -> str:
    return f"<plugin><artifactId>{name}</artifactId>{more}</plugin>"


def build(*plugins: str, end: str = "") -> str:
    return f"<build><plugins>{''.join(plugins)}</plugins>{end}</build>"


def profile(name: str, inside: str) -> str:
    return f"<profile><id>{name}</id>{inside}</profile>"


def profiles(*each: str) -> str:
    return f"<profiles>{''.join(each)}</profiles>"


def in_lines(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


JSON = Format(
    splitter=package_json,
    write=in_braces,
    pieces=(
        '"name": "a"',
        '"name" : "b" ',
        '"scripts": {"build": "x", "test": "y"}',
        '"scripts": {}',
        '"scripts": {"pretest": "{,}",\n "build":"z"}',
        '"jest": {"bail": true}',
        '"vitest": [1, {"a": "]"}]',
        '"dependencies": {"a": "1"}',
        '"dependencies":{"a":"2"}',
        '"engines": null',
    ),
)

POM = Format(
    splitter=pom_xml,
    write=in_project,
    pieces=(
        "<version>1</version>",
        "<version>2</version><!-- é -->",
        "<properties><a.version>1</a.version><skipTests>true</skipTests></properties>",
        "<properties>\n<x>é</x>\n</properties>",
        "<properties/>",
        "<dependencies><dependency/></dependencies>",
        "<dependencies></dependencies>",
        build(plugin("maven-surefire-plugin"), plugin("jar")),
        build(plugin("maven-surefire-plugin", "<x a='>'/>"), end="<finalName/>"),
        profiles(
            profile("a", build(plugin("jacoco-maven-plugin"))),
            profile("b", "<parent/>"),
        ),
        profiles(profile("b", "<name>x</name>")),
    ),
)

GRADLE = Format(
    splitter=build_gradle,
    write=in_lines,
    pieces=(
        "plugins {\n    id 'java'\n    id 'jacoco'\n}",
        "plugins { id 'java' }",
        "dependencies {\n    implementation 'a:b:1' // one\n}",
        "dependencies { }",
        "test { useJUnitPlatform() }",
        "test {\n    maxHeapSize = '1G'\n}\n",
        "tasks { test { a() }; jar { b() } }",
        "tasks {\n    jar { c() }\n}",
        "version = '1'",
        "version = '2'",
        "subprojects {\n    repositories { x() }\n    test { y() }\n    z()\n}",
        "/* test { */",
        "def junitVersion = '5'",
        "",
    ),
)

FORMATS = (JSON, POM, GRADLE)


def scanned(splitter: Splitter, text: str) -> Block:
    found: Block = splitter.scan(text)  # type: ignore[attr-defined]
    return found


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Splitter, str, str]:
    """A splitter and two files that it can read."""
    splitter, write, pieces = draw(st.sampled_from(FORMATS))
    some = st.lists(st.sampled_from(pieces), unique=True, max_size=7)
    texts = []
    for _ in range(2):
        text = draw(st.one_of(some.map(write), st.just("")))
        try:
            splitter.parts(text)
        except CannotSplit:
            # The same member twice, with another value.
            text = ""
        texts.append(text)
    return splitter, texts[0], texts[1]


@given(pairs(), st.sets(st.sampled_from(CLASSES)))
def test_a_composed_file_has_each_part_of_its_own_side(
    pair: tuple[Splitter, str, str], from_head: set[PathClass]
) -> None:
    splitter, base, head = pair

    def of(path_class: PathClass) -> str:
        return head if path_class in from_head else base

    try:
        composed = splitter.compose(of)
    except CannotSplit:
        # Written so that it can't be told: the file stays whole, as its owner has it.
        reject()
    found = splitter.parts(composed)

    for path_class in CLASSES:
        assert splitter.parts(of(path_class))[path_class] == found[path_class]


@given(pairs())
def test_all_parts_of_one_side_are_its_file_to_the_byte(
    pair: tuple[Splitter, str, str],
) -> None:
    splitter, base, head = pair

    assert base == splitter.compose(lambda _: base)
    assert head == splitter.compose(lambda _: head)


@given(pairs())
def test_a_part_that_is_equal_changes_no_byte(pair: tuple[Splitter, str, str]) -> None:
    splitter, base, head = pair
    old, new = splitter.parts(base), splitter.parts(head)
    texts = {
        path_class: base if old[path_class] == new[path_class] else head
        for path_class in CLASSES
    }

    texts[PathClass.PRODUCTION] = head

    assert head == splitter.compose(lambda path_class: texts[path_class])


@given(pairs())
def test_what_was_read_is_written_as_it_stood(pair: tuple[Splitter, str, str]) -> None:
    splitter, base, _ = pair
    between = package_json.comma if splitter is package_json else None

    block = scanned(splitter, base)

    assert base == (rendered(block, between) if between else rendered(block))


@given(st.sampled_from(FORMATS), st.text(max_size=40), st.integers(0, 200))
def test_any_text_is_split_or_refused(noise: Format, text: str, at: int) -> None:
    whole = noise.write(list(noise.pieces[:4]))
    for hostile in (text, whole[:at] + text + whole[at:]):
        try:
            found = noise.splitter.parts(hostile)
        except CannotSplit:
            continue
        assert set(CLASSES) == set(found)


@pytest.mark.parametrize(
    ("path", "splitter"),
    [
        ("package.json", package_json),
        ("web/package.json", package_json),
        ("pom.xml", pom_xml),
        ("build.gradle", build_gradle),
        ("app/build.gradle.kts", build_gradle),
    ],
)
def test_each_file_has_its_splitter(path: str, splitter: Splitter) -> None:
    assert splitter is splitter_of(RepoPath(path))
