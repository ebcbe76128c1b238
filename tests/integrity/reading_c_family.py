"""Sources of tests, and what they demand, as short lines."""

from __future__ import annotations

from fairtrial.domain.demands import Aspect, Demand, FileDemands, WrittenTest
from fairtrial.integrity import LANGUAGES

#: How a statement becomes a whole file of its language.
FRAMES = {
    "java": "class T {{\n @Test void t() throws Exception {{\n{0}\n }}\n}}\n",
    "kotlin": "class T {{\n @Test fun t() {{\n{0}\n }}\n}}\n",
    "csharp": "class T {{\n [Fact] public void A() {{\n{0}\n }}\n}}\n",
    "go": "package a\nfunc TestA(t *testing.T) {{\n{0}\n}}\n",
    "rust": "#[test]\nfn t() {{\n{0}\n}}\n",
}


def read(language: str, text: str) -> FileDemands:
    """What a whole file demands."""
    return LANGUAGES[language].read(text)


def only(language: str, text: str) -> WrittenTest:
    """The one test of a file."""
    (found,) = read(language, text).tests
    return found


def short(demand: Demand) -> str:
    """A demand in one line: "equal: f(_) [1] = 2 +- 3 when g"."""
    kind = demand.aspect.value if demand.kind is None else demand.kind.value
    if demand.aspect is Aspect.SNAPSHOT:
        kind = "snapshot"
    text = f"{kind}: {demand.subject}"
    if demand.inputs:
        text += f" [{demand.inputs}]"
    if demand.expected:
        text += f" = {demand.expected}"
    if demand.tolerance:
        text += f" +- {demand.tolerance}"
    if demand.guard:
        text += f" when {demand.guard}"
    return text


def lines(language: str, body: str, head: str = "") -> list[str]:
    """What the statements of one test demand."""
    return [
        short(each)
        for each in only(language, head + FRAMES[language].format(body)).demands
    ]


def keys(language: str, body: str) -> list[tuple[str, ...]]:
    """What makes up the demands of one test's statements."""
    return [each.key for each in only(language, FRAMES[language].format(body)).demands]
