"""Splits pom.xml: the plug-ins that run tests, dependencies, the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters.elements import Element, read
from fairtrial.trees.splitters.nested import (
    Block,
    Item,
    Leaf,
    combined,
    meanings,
)
from fairtrial.trees.splitters.tables import CannotSplit

OWNER: Final = PathClass.PRODUCTION

_DEPENDENCIES: Final = frozenset(
    {
        "dependencies",
        "dependencyManagement",
        "distributionManagement",
        "extensions",
        "parent",
        "pluginRepositories",
        "prerequisites",
        "repositories",
    }
)

#: Elements that can hold several classes, by their path below the project or profile.
_SHARED: Final = frozenset(
    {
        ("build",),
        ("build", "plugins"),
        ("build", "pluginManagement"),
        ("build", "pluginManagement", "plugins"),
        ("properties",),
        ("reporting",),
        ("reporting", "plugins"),
    }
)

#: Plug-ins that run tests, or decide what they amount to.
_CONTROL_PLUGIN: Final = re.compile(
    r".*(?:surefire|failsafe|jacoco|pitest|cobertura|clover|invoker|junit|testng"
    r"|tycho-surefire|scalatest|gmavenplus-test).*",
    re.IGNORECASE | re.DOTALL,
)
#: Where tests stand; a root that moves loses them.
_CONTROL_BUILD: Final = frozenset(
    {"testOutputDirectory", "testResources", "testSourceDirectory"}
)
_CONTROL_PROPERTY: Final = re.compile(
    r"(?:surefire|failsafe|jacoco|pitest|junit\.jupiter|maven\.test|maven\.failsafe"
    r"|maven\.surefire|test|it)\..*"
    r"|skip(?:ITs|Tests|UTs|IntegrationTests|UnitTests)?|argLine|groups"
    r"|excludedGroups|testFailureIgnore",
    re.DOTALL,
)
#: `junit.version` and `version.junit` are versions, whatever begins like them.
_VERSION_PROPERTY: Final = re.compile(
    r"(?:.*[.\-_])?version(?:[.\-_].*)?|.*Version|maven\.compiler\..*|java\.release",
    re.DOTALL,
)

#: Comments and instructions between elements mean nothing.
_REMARK: Final = re.compile(r"<!--.*?-->|<\?.*?\?>", re.DOTALL)


def parts(text: str) -> Mapping[PathClass, object]:
    """The elements of each class, comparable; raises CannotSplit."""
    return meanings(scan(text))


def compose(texts: Callable[[PathClass], str]) -> str:
    """The owner's file with the elements of each class from its text.

    Raises CannotSplit where a file is written so that this does not come out.
    """
    return combined(texts, scan)


def scan(text: str) -> Block:
    """A file as elements of one class each, in those that hold several.

    Raises CannotSplit for what is no project, and for any document type.
    """
    if not text:
        return Block()
    root = read(text)
    if root.name != "project":
        raise CannotSplit("it is no Maven project")
    block = _block(text, root, 0, (), root.name)
    return Block(items=(replace(block, lasts=True),), closing=text[root.end :])


def class_of(path: tuple[str, ...], element: Element) -> PathClass | None:
    """The class of an element, by its path below the project or profile.

    A profile's id has none: it goes where the profile goes.
    """
    name = element.name
    match path:
        case () if name == "id":
            return None
        case () if name in _DEPENDENCIES:
            return PathClass.DEPENDENCIES
        case ("build",) if name in _CONTROL_BUILD:
            return PathClass.CONTROL
        case ("build",) if name in _DEPENDENCIES:
            return PathClass.DEPENDENCIES
        case ("properties",) if _VERSION_PROPERTY.fullmatch(name):
            return PathClass.DEPENDENCIES
        case ("properties",) if _CONTROL_PROPERTY.fullmatch(name):
            return PathClass.CONTROL
        case (*_, "plugins") if _CONTROL_PLUGIN.fullmatch(_artifact(element)):
            return PathClass.CONTROL
        case _:
            return PathClass.PRODUCTION


def _artifact(plugin: Element) -> str:
    found = (each.text for each in plugin.children if each.name == "artifactId")
    return next(found, "")


def _key(path: tuple[str, ...], element: Element) -> str:
    """What an element is called beside others of its name."""
    if path[-1:] == ("plugins",):
        group = (each.text for each in element.children if each.name == "groupId")
        return f"plugin {next(group, 'org.apache.maven.plugins')}:{_artifact(element)}"
    if path == ("profiles",):
        name = (each.text for each in element.children if each.name == "id")
        return f"profile {next(name, 'default')}"
    return element.name


def _block(
    text: str,
    element: Element,
    begun: int,
    above: tuple[str, ...],
    key: str,
) -> Block:
    """An element that can hold several classes, with each of its own."""
    items: list[Item] = []
    at = element.inner_start
    for child in element.children:
        _refuse_text(text[at : child.start])
        items.append(_item(text, child, at, above))
        at = child.end
    _refuse_text(text[at : element.inner_end])
    return Block(
        key=key,
        lead=text[begun : element.start],
        open=text[element.start : element.inner_start],
        items=tuple(items),
        closing=text[at : element.inner_end],
        close=text[element.inner_end : element.end],
    )


def _item(text: str, child: Element, begun: int, above: tuple[str, ...]) -> Item:
    path, key = (*above, child.name), _key(above, child)
    if above == ("profiles",) and child.name == "profile":
        return _block(text, child, begun, (), key)
    if path in _SHARED or path == ("profiles",):
        return _block(text, child, begun, path, key)
    return Leaf(
        key=key,
        lead=text[begun : child.start],
        text=text[child.start : child.end],
        path_class=class_of(above, child),
        meaning=child.meaning,
    )


def _refuse_text(between: str) -> None:
    if _REMARK.sub("", between).strip():
        raise CannotSplit("there is text between its elements")
