"""Which settings a run goes by: the base's own, else what somebody gave, else found."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import yaml

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.names import RepoPath
from fairtrial.domain.request import SuiteInputs
from fairtrial.domain.settings import Settings
from fairtrial.settings import load
from fairtrial.settings.nodes import MAX_LENGTH
from fairtrial.subject.detected import detect
from fairtrial.trees.listing import Entry, Listing, Read

NO_INPUTS: Final = SuiteInputs()

#: What settings made of options or of the action's inputs name as their source.
INPUTS: Final = "inputs"

NAMES: Final = (RepoPath(".fairtrial.yml"), RepoPath(".fairtrial.yaml"))


def choose_settings(
    base: Listing,
    head: Listing,
    read: Read,
    given: Path | None,
    inputs: SuiteInputs = NO_INPUTS,
) -> tuple[Settings, tuple[str, ...]]:
    """The settings with sentences about them.

    The base's file counts, whatever the change does to it. Raises ConfigurationError.
    """
    own = _own(base)
    notices = _about_head(own, _first(head), head, base, read)
    if own is not None:
        if given is not None:
            notices += (f"`--config {given}` is not used: the base has its own {own}.",)
        if inputs.given:
            notices += (f"The suite's inputs are not used: the base has {own}.",)
        return load(_text(base[own], f"base:{own}", read), f"base:{own}"), notices
    if given is not None:
        source = f"--config {given}"
        if inputs.given:
            notices += ("The suite's inputs are not used: there is `--config`.",)
        return load(_given(given, source), source), notices
    if inputs.given:
        return load(_as_text(inputs), INPUTS), notices
    found = detect(base.keys() | head.keys(), _reader(base, head, read))
    if found is None:
        raise ConfigurationError(
            "There is no configuration, and no test was found.",
            means="Nothing here looks like a suite of a runner that is known: no"
            " `test_*.py`, no `pom.xml`, no test runner in `package.json`.",
            remedy=f"Add a {NAMES[0]} that names a suite.",
        )
    return found[0], (*notices, *found[1])


def _reader(base: Listing, head: Listing, read: Read) -> Callable[[RepoPath], str]:
    """The text of a file of base, else of head; "" where it is none."""

    def text(path: RepoPath) -> str:
        entry = base.get(path) or head.get(path)
        if entry is None or not entry.is_file:
            return ""
        return read(entry.blob)[:MAX_LENGTH].decode("utf-8", "replace")

    return text


def _as_text(inputs: SuiteInputs) -> str:
    """The inputs as a configuration of one suite, so that one parser judges both."""
    suite = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(inputs).items()
        if value
    }
    return yaml.safe_dump({"suites": {INPUTS: suite}})


def _first(listing: Listing) -> RepoPath | None:
    return next((name for name in NAMES if name in listing), None)


def _own(base: Listing) -> RepoPath | None:
    if all(name in base for name in NAMES):
        raise ConfigurationError(
            f"The base has both {NAMES[0]} and {NAMES[1]}.",
            means="It can't be told which one counts.",
            remedy="Remove one.",
        )
    return _first(base)


def _text(entry: Entry, source: str, read: Read) -> str:
    if not entry.is_file:
        raise ConfigurationError(f"{source} is no regular file.")
    return _decoded(read(entry.blob), source)


def _decoded(data: bytes, source: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = data[: wrong.start].count(b"\n") + 1
        raise ConfigurationError(f"{source}:{line}: this is no UTF-8.") from wrong


def _given(path: Path, source: str) -> str:
    try:
        with path.open("rb") as stream:
            # Enough to tell that it is too long, whatever a character takes.
            return _decoded(stream.read(4 * MAX_LENGTH + 1), source)
    except OSError as wrong:
        raise ConfigurationError(
            f"{source} can't be read: {wrong.strerror}."
        ) from wrong


def _about_head(
    own: RepoPath | None,
    brought: RepoPath | None,
    head: Listing,
    base: Listing,
    read: Read,
) -> tuple[str, ...]:
    """What there is to say about head's own file, which counts only when merged."""
    if brought is None:
        if own is None:
            return ()
        return (f"The change removes {own}; the base's still counts here.",)
    if own == brought and base[own] == head[brought]:
        return ()
    source = f"head:{brought}"
    try:
        load(_text(head[brought], source, read), source)
    except ConfigurationError as wrong:
        return (
            "The change brings a configuration that would stop every later run: "
            + " ".join(wrong.diagnostics().splitlines()),
        )
    return (f"{brought} of this change takes effect once it is merged.",)


def chosen(settings: Settings, names: tuple[str, ...]) -> Settings:
    """The settings with the named suites only; of no names, with all.

    Raises ConfigurationError for a name that there is not.
    """
    if not names:
        return settings
    known = [suite.name for suite in settings.suites]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise ConfigurationError(
                f"There is no suite `{name}` in {settings.source}.",
                means=f"There are: {', '.join(known)}.",
                remedy=f'Did you mean "{near[0]}"?' if near else "",
            )
    kept = tuple(suite for suite in settings.suites if suite.name in names)
    return replace(settings, suites=kept)
