"""Whether a victim trips over memory, files or processes that its polluters left.

The polluters run in a process of their own, and the victim in another one behind them,
on the same files and databases: where it passes, it was the memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from fairtrial.domain.experiments import Experiment, Observation
from fairtrial.domain.left import is_in_workspace, name_of
from fairtrial.domain.names import OverlayId, RepoPath
from fairtrial.domain.report import Leftover
from fairtrial.domain.traces import Resource, Trace
from fairtrial.domain.trials import LeftFile
from fairtrial.inquiry.ddmin import Answer
from fairtrial.inquiry.residue_sentences import (
    child_sentence,
    file_sentence,
    memory_sentence,
    removed_sentence,
    unpinned_sentence,
)
from fairtrial.inquiry.residues import files_before, left_traces
from fairtrial.pipeline.pinning_case import Pinning

#: Files that are tried one by one.
SINGLE: Final = 4
#: What an overlay of the workspace can hold.
_LAID: Final = frozenset({"file", "removed"})

#: Why it is not pinned.
_OUTSIDE: Final = (
    "it is outside their process, and no file or process that was seen accounts for it"
)
_UNLIKE: Final = (
    "in a process of its own behind them it neither passes nor fails as it did"
)
_SPENT: Final = "no trial was left for it"

Files = Mapping[RepoPath, bytes | None]


def files_left(pinning: Pinning) -> tuple[Leftover, ...]:
    """The files or processes it trips over, or that it is the memory; none: neither."""
    if not pinning.polluters or pinning.stand.suite.runner != "pytest":
        return ()
    apart = replace(pinning.polluting(), apart=True)
    match pinning.answer(apart):
        case Answer.NO if all(one.tried for one in pinning.found):
            return (_memory(pinning),)
        case Answer.NO:
            # Their process may have cleaned up at its end what could not be tried.
            return ()
        case Answer.YES:
            observation = pinning.allowance.observe(apart)
            found = () if observation is None else _outside(pinning, observation, apart)
            return tuple(found) or _unpinned(pinning, Resource.FILES, _OUTSIDE)
        case Answer.NEITHER:
            return _unpinned(pinning, Resource.PROCESS, _UNLIKE)
        case None:
            return _unpinned(pinning, Resource.PROCESS, _SPENT)


def _unpinned(pinning: Pinning, resource: Resource, why: str) -> tuple[Leftover, ...]:
    """That nothing was proven; none where an earlier pinner has said so."""
    if pinning.found:
        return ()
    say = unpinned_sentence(pinning.test, pinning.polluters, why)
    return (Leftover(resource=resource.value, name="", by=pinning.polluters, say=say),)


def _memory(pinning: Pinning) -> Leftover:
    return Leftover(
        resource=Resource.PROCESS.value,
        name="memory",
        by=pinning.polluters,
        proven=True,
        say=memory_sentence(pinning.test, pinning.polluters),
    )


def _outside(
    pinning: Pinning, observation: Observation, apart: Experiment
) -> Iterator[Leftover]:
    """Files in the workspace first: they can be laid under a fresh victim."""
    workspace = str(pinning.stand.laboratory.bench.places.workspace)
    files = files_before(observation, pinning.test)
    names = {name_of(one.path, workspace): one for one in files}
    inside = {
        RepoPath(name): one.data
        for name, one in names.items()
        if is_in_workspace(name) and one.kind in _LAID
        if one.data is not None or one.kind == "removed"
    }
    enough = _enough(pinning, inside)
    if enough:
        yield from _laid(pinning, enough)
        return
    elsewhere = tuple(
        Trace(resource=Resource.FILES, name=name)
        for name, one in names.items()
        if one.kind != "removed" and not _is_of_tree(pinning, name)
    )
    cure = _cure(pinning, apart, elsewhere)
    if cure:
        for trace in cure:
            yield _left(pinning, trace, names[trace.name])
        return
    running = [
        one
        for one in left_traces(observation, workspace)
        if one.resource in {Resource.CHILD, Resource.PORT} and one.by != pinning.test
    ]
    ended = tuple(Trace(resource=one.resource, name=one.name) for one in running)
    if ended and pinning.answer(replace(apart, undo=ended)) is Answer.NO:
        yield _running(pinning, ended)


def _enough(pinning: Pinning, files: Files) -> Files:
    """The fewest known of these files that make a fresh victim fail; none: not all."""
    if not files or pinning.tree.overlay is not None or not _fails(pinning, files):
        return {}
    if len(files) == 1:
        return files
    for path in list(files)[:SINGLE]:
        if _fails(pinning, {path: files[path]}):
            return {path: files[path]}
    return files


def _fails(pinning: Pinning, files: Files) -> bool:
    """Whether the victim alone fails as it did where these files are."""
    source = pinning.stand.laboratory.source
    overlay = OverlayId(f"left:{'|'.join(sorted(files))}")
    source.lay(overlay, files)
    try:
        tree = replace(pinning.tree, overlay=overlay)
        answer = pinning.answer(replace(pinning.experiment(), tree=tree))
    finally:
        source.lift(overlay)
    return answer is Answer.YES


def _is_of_tree(pinning: Pinning, name: str) -> bool:
    """Whether the tree has such a file: then taking it away is no way back."""
    listing = pinning.stand.laboratory.source.listing(pinning.tree)
    return RepoPath(name) in listing


def _cure(
    pinning: Pinning, apart: Experiment, files: tuple[Trace, ...]
) -> tuple[Trace, ...]:
    """The fewest known of these files without which the victim passes."""
    if not files or pinning.answer(replace(apart, undo=files)) is not Answer.NO:
        return ()
    for each in files[:SINGLE] if len(files) > 1 else ():
        if pinning.answer(replace(apart, undo=(each,))) is Answer.NO:
            return (each,)
    return files


def _laid(pinning: Pinning, files: Files) -> Iterator[Leftover]:
    for path, data in files.items():
        say = removed_sentence if data is None else file_sentence
        yield Leftover(
            resource=Resource.FILES.value,
            name=path,
            by=pinning.polluters,
            proven=True,
            say=say(path, pinning.test, enough=True),
        )


def _left(pinning: Pinning, trace: Trace, _: LeftFile) -> Leftover:
    return Leftover(
        resource=Resource.FILES.value,
        name=trace.name,
        by=pinning.polluters,
        proven=True,
        say=file_sentence(trace.name, pinning.test, enough=False),
    )


def _running(pinning: Pinning, ended: tuple[Trace, ...]) -> Leftover:
    first = min(ended, key=lambda one: one.resource is not Resource.PORT)
    return Leftover(
        resource=first.resource.value,
        name=first.name,
        by=pinning.polluters,
        proven=True,
        say=child_sentence(tuple(one.name for one in ended), pinning.test),
    )
