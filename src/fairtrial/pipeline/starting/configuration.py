"""The text of a first `.fairtrial.yml`: each key with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fairtrial.pipeline.starting.around import Around
from fairtrial.pipeline.starting.suites import Found
from fairtrial.pipeline.starting.words import scalar, shown
from fairtrial.settings.suites import RUNNERS

_HEAD: Final = """\
# Written by `fairtrial init`, and yours from here on. It is read from the base commit,
# so it counts once it is on the default branch. Every key: docs/configuration.md.
version: 1 # of this file's format
suites:
"""
_STEPS: Final = """\
    # prepare, build: found in the manifests of each tree, so a change of them counts
"""
_AROUND: Final = """\
# What else was seen here, and can't be decided from files. What a suite needs goes
# under it, without the marks:
"""


def configuration_text(found: Sequence[Found], around: Around) -> str:
    """The whole file."""
    parts = [_HEAD, *(_suite(each) for each in found)]
    blocks = [*around.databases, *around.services]
    if around.docker:
        why = f"{shown(around.docker)} names Testcontainers; it runs on the machine"
        blocks.append(f"docker: true # {why}")
    if blocks:
        parts.append(_AROUND)
        parts += [_commented(block) for block in blocks]
    return "".join(parts)


def _suite(found: Found) -> str:
    return "".join(_lines(found)) + _STEPS


def _lines(found: Found) -> Iterator[str]:
    suite = found.suite
    why = f" # {shown(found.because)}" if found.because else ""
    yield f"  {suite.name}:{why}\n"
    yield f"    runner: {suite.runner} # whose tests they are, and whose reports\n"
    if suite.folder:
        yield f"    folder: {scalar(suite.folder)} # where the suite's manifest lies\n"
    usual = suite.command == RUNNERS[suite.runner]
    why = "the tool's usual one" if usual else "as this repository's files have it"
    yield f"    command: {scalar(suite.command)} # the whole suite: {why}\n"
    if suite.python:
        yield f'    python: "{suite.python}" # {found.pinned}\n'
    elif found.suggested:
        yield f"    # {found.suggested}\n"


def _commented(block: str) -> str:
    return "".join(f"#   {line}\n" for line in block.splitlines())
