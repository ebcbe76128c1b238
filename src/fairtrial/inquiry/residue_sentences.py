"""How it is said what a polluter left outside databases, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fairtrial.domain.left import is_in_workspace
from fairtrial.domain.names import TestId
from fairtrial.domain.traces import Resource, Trace

#: What the plugin says of a thing that is not there, and of one that it hides.
_ABSENT: Final = "(absent)"
_HIDDEN: Final = frozenset({"(hidden)", "(a state)"})
#: Names, and characters of a value, that a sentence holds.
_NAMED: Final = 3
_VALUE: Final = 60
_CACHE: Final = "('cached results'"
_NEW: Final = "(new)"
_LOADED: Final = "sys.modules["
#: Characters before a module's name in there: the bracket and a quote.
_OPENING: Final = len(_LOADED) + 1


def process_sentence(parts: Sequence[Trace], *, enough: bool, test: TestId) -> str:
    """What was changed, what putting it back did, and how not to leave it."""
    what = _joined([_changed(part) for part in parts[:_NAMED]])
    more = len(parts) - _NAMED
    if more > 0:
        what += f", and {more} more parts of the process"
    it = "it" if len(parts) == 1 else "all of them"
    anew = "set up anew" if all(map(_is_fixture, parts)) else "put back"
    shown = f"With {it} {anew} `{test}` passes"
    if enough:
        fresh = "this alone makes" if len(parts) == 1 else "these alone make"
        shown += f", and in a fresh process {fresh} it fail"
    repairs = dict.fromkeys(_repair(part) for part in parts[:_NAMED])
    return f"{what[0].upper()}{what[1:]}. {shown}. {' '.join(repairs)}"


def file_sentence(name: str, test: TestId, *, enough: bool) -> str:
    """That a file is what it trips over."""
    shown = (
        f"it alone makes `{test}` fail in a fresh tree"
        if enough
        else f"without it `{test}` passes"
    )
    place = "" if is_in_workspace(name) else ", outside the tree"
    return (
        f"`{name}` is left behind{place}; {shown}. Write it to `tmp_path`, or delete it"
        " in a fixture."
    )


def removed_sentence(name: str, test: TestId, *, enough: bool) -> str:
    """That a missing file is what it trips over."""
    shown = "alone makes" if enough else "makes"
    return (
        f"`{name}` is deleted, and that {shown} `{test}` fail. Work on a copy in"
        " `tmp_path`."
    )


def child_sentence(names: Sequence[str], test: TestId) -> str:
    """That something which still runs is what it trips over."""
    shown = _joined([f"`{name}`" for name in names[:_NAMED]])
    verb = "is" if len(names) == 1 else "are"
    it = "it is" if len(names) == 1 else "they are"
    return (
        f"{shown} {verb} left running; when {it} ended first, `{test}` passes. Stop"
        " what a test starts in its fixture's teardown."
    )


def unpinned_sentence(test: TestId, polluters: Sequence[TestId], why: str) -> str:
    """That nobody knows what it trips over, and why."""
    behind = _joined([f"`{name}`" for name in polluters[:_NAMED]])
    return f"What {behind} left behind for `{test}` is not pinned: {why}."


def memory_sentence(test: TestId, polluters: Sequence[TestId]) -> str:
    """That it is the process, and nobody knows what of it."""
    behind = _joined([f"`{name}`" for name in polluters[:_NAMED]])
    return (
        f"In a process of its own behind {behind}, on the same files and databases,"
        f" `{test}` passes: something is left in memory, or in a fixture that they"
        " share. Which part of it is not pinned."
    )


def _changed(part: Trace) -> str:
    """One part: "environment variable `DEBUG`, which was not there, is `1`"."""
    name = f"{_kind(part)} `{part.name}`"
    was, now = (_value(each) for each in (part.was, part.now))
    if _is_loaded(part):
        return f"module `{part.name[_OPENING:-2]}` is loaded, which was not before"
    if _is_fixture(part):
        return f"`{part.name}`, which several tests share, is not as it was set up"
    if part.was.startswith(_CACHE) or part.was in _HIDDEN or part.now in _HIDDEN:
        return f"{name} is changed"
    if part.was == _ABSENT:
        return f"{name}, which was not there, is {now}"
    if part.now == _ABSENT:
        return f"{name}, which was {was}, is gone"
    return f"{name}, which was {was}, is {now}"


def _is_loaded(part: Trace) -> bool:
    """Whether it is a module of the project that a test was the first to import."""
    module = part.resource is Resource.MODULE and part.name.startswith(_LOADED)
    return module and (part.was, part.now) == (_ABSENT, "<module>")


def _is_fixture(part: Trace) -> bool:
    """Whether it is a fixture that outlives a test; what is in it was not looked at."""
    return part.resource is Resource.PROCESS and part.was == _NEW


def _value(text: str) -> str:
    cut = text if len(text) <= _VALUE else f"{text[:_VALUE]}…"
    return f"`{cut.replace('`', chr(39))}`" if cut else "empty"


def _kind(part: Trace) -> str:
    match part.resource:
        case Resource.MODULE:
            return "the value of"
        case Resource.PROCESS:
            return "the state of"
        case Resource.PATH:
            return "the list"
        case (
            Resource.ENVIRONMENT
            | Resource.DIRECTORY
            | Resource.LOCALE
            | Resource.TIME_ZONE
            | Resource.RANDOM
            | Resource.WARNINGS
            | Resource.DATABASE
            | Resource.FILES
            | Resource.BROKER
            | Resource.PORT
            | Resource.CHILD
            | Resource.THREAD
        ):
            return f"the {part.resource.value}"


#: How a test changes a thing so that it is put back.
_REPAIRS: Final = {
    Resource.ENVIRONMENT: "Set it with `monkeypatch.setenv`, which puts it back.",
    Resource.DIRECTORY: "Change it with `monkeypatch.chdir`, which goes back.",
    Resource.LOCALE: "Put it back with `locale.setlocale` in a fixture.",
    Resource.TIME_ZONE: (
        "Put `TZ` back in a fixture, and call `time.tzset()` again there."
    ),
    Resource.RANDOM: (
        "Draw from a `random.Random(…)` of the test's own, or put the state back with"
        " `random.setstate`."
    ),
    Resource.WARNINGS: "Change filters inside `warnings.catch_warnings()`.",
    Resource.PATH: "Change it with `monkeypatch.syspath_prepend`, or put it back.",
    Resource.MODULE: (
        "Replace it with `monkeypatch.setattr`, or put its content back in a fixture."
    ),
}


def _repair(part: Trace) -> str:
    if part.resource is Resource.MODULE:
        if _is_loaded(part):
            return (
                "Import it where every test finds it imported, or take it out of"
                " `sys.modules` in a fixture."
            )
        if part.name.startswith(_LOADED):
            return "Replace it with `monkeypatch.setitem(sys.modules, …)`."
        if part.was.startswith(_CACHE):
            return f"Call `{part.name}.cache_clear()` in a fixture."
        if ".(closure " in part.name:
            return "Let nothing be kept in there while tests run, or empty it."
    if _is_fixture(part):
        return "Give it to each test anew, or hand out a copy of what it holds."
    return _REPAIRS.get(part.resource, "Put it back in a fixture.")


def _joined(parts: Sequence[str]) -> str:
    if len(parts) > 1:
        return f"{', '.join(parts[:-1])} and {parts[-1]}"
    return parts[0] if parts else ""
