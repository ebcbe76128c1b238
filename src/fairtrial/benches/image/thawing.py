"""How one trial runs: a fresh container, its delta, its command, its files."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from fairtrial.benches.aftermath import aftermath
from fairtrial.benches.channel import said
from fairtrial.benches.doors import shut
from fairtrial.benches.image import archives
from fairtrial.benches.image.conditions import (
    DOORS,
    HELPER,
    OUT,
    PLACES,
    PLAN,
    RESULTS,
    USER,
    Conditions,
)
from fairtrial.benches.image.freezing import Frozen, fresh_folders, own_files, plan_of
from fairtrial.clients.docker import ContainerState, DockerEngine, Kind, Mounted
from fairtrial.clients.untrusted_archive import Caps, Taken, read_untrusted
from fairtrial.domain.errors import BenchFailed, ServiceError
from fairtrial.domain.trials import Door, Ending, TrialOutput, TrialSpec

#: How many bytes of each output stream are kept.
_PRINTED: Final = 256 * 1024

#: Exit codes above this are a signal's number, as shells have it.
_SIGNALLED: Final = 128
_LAST_SIGNAL: Final = 64
_KILLED: Final = _SIGNALLED + 9

#: What the helper ends with, and says, when it could not do its work.
_HELPER_FAILED: Final = 125
_HELPER_SAYS: Final = b"fairtrial_apply: "

#: Where the helper tells of doors that lead to nothing, beside what was reported.
_SHUT: Final = "shut"

#: Seconds for a killed container to be gone.
_LAST_BREATH: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Thawer:
    """Runs trials; `time` is later than what the frozen trees' files have."""

    engine: DockerEngine
    conditions: Conditions
    labels: Mapping[str, str]
    time: int
    caps: Caps

    def run(self, frozen: Frozen, spec: TrialSpec) -> TrialOutput:
        """What came of one trial; its container is gone afterwards.

        Raises BenchFailed when the trial was not set up as asked, ServiceError when
        the engine fails.
        """
        helper = (frozen.python, "-I", "-S", str(HELPER), str(PLAN), "guarded")
        plan = self.conditions.trial(
            frozen.image,
            (*helper, *spec.argv),
            spec.env,
            self.labels,
            _volumes(spec.doors),
        )
        container = self.engine.create(plan)
        try:
            self.engine.put(container, archives.joined(self._files(spec)))
            self.engine.start(container)
            in_time = self.engine.wait(container, spec.timeout)
            if not in_time:
                self.engine.kill(container)
                self.engine.wait(container, _LAST_BREATH)
            return self._outcome(container, spec, in_time=in_time)
        finally:
            # A container that can't be removed now is found by its label later; the
            # trial's own result, or its own error, is what counts here.
            with suppress(ServiceError):
                self.engine.remove(Kind.CONTAINER, container)

    def _files(self, spec: TrialSpec) -> Iterator[bytes]:
        """All that goes in before the start, in one archive.

        Writes come before the helper's deletes: a folder above each written file
        takes the place of a file or link of its name, and the helper deletes no
        folders and follows no links, so the order can't matter.
        """
        yield from own_files(self.time)
        yield from fresh_folders(self.time)
        for path in spec.delta.deletes:
            archives.check(path)
        plan = plan_of(
            deletes=sorted(spec.delta.deletes),
            writes=spec.delta.writes,
            doors=spec.doors,
            pinned=self.conditions.pinned,
            first=zlib.crc32(spec.trial.encode()),
            otlp=self.conditions.has_sink,
            look_after=spec.look_after,
        )
        yield from archives.file(PLAN, plan, owner=0, mode=0o444, time=self.time)
        yield from self._inputs(spec.inputs, 0o444)
        yield from self._inputs(spec.programs, 0o555)
        yield from archives.tree(
            PLACES.workspace, spec.delta.writes, owner=USER, time=self.time
        )

    def _inputs(self, inputs: Mapping[str, bytes], mode: int) -> Iterator[bytes]:
        seen: set[PurePosixPath] = set()
        for name in sorted(inputs):
            archives.check(name)
            for above in list(PurePosixPath(name).parents)[-2::-1]:
                if above not in seen:
                    seen.add(above)
                    yield archives.folder(
                        PLACES.inputs / above, owner=0, mode=0o755, time=self.time
                    )
            yield from archives.file(
                PLACES.inputs / name, inputs[name], owner=0, mode=mode, time=self.time
            )

    def _outcome(
        self, container: str, spec: TrialSpec, *, in_time: bool
    ) -> TrialOutput:
        state = self.engine.state(container)
        stdout, stderr = self.engine.printed(container, _PRINTED)
        taken = self._fetch(container)
        if state.code == _KILLED and in_time and not state.out_of_memory:
            # The engine hears of an out-of-memory kill by another way than of the
            # end, and sometimes later.
            state = self.engine.state(container)
        if state.code == _HELPER_FAILED and _HELPER_SAYS in stderr:
            why = stderr.rpartition(_HELPER_SAYS)[2].decode("utf-8", "replace").strip()
            raise BenchFailed(f"a trial's files could not be set up: {why[:500]}")
        ending, code = _ending(state, in_time=in_time)
        left, kept = _below(PLACES.outputs, taken), _below(RESULTS, taken)
        told = kept.files.get(_SHUT)
        if told is not None:
            raise shut(told.decode("utf-8", "replace").splitlines())
        reported = said(kept.files, kept.refused)
        behind = aftermath(reported.left, asked=spec.look_after)
        return TrialOutput(
            ending=ending,
            code=code,
            files=left.files,
            stdout=stdout,
            stderr=stderr,
            seconds=state.seconds,
            refused=left.refused,
            kept=reported.streams,
            faults=reported.faults,
            left=behind.left,
            blind=behind.blind,
        )

    def _fetch(self, container: str) -> Taken:
        with self.engine.fetched(container, str(OUT)) as archive:
            return read_untrusted(archive, self.caps)


def _volumes(doors: tuple[Door, ...]) -> tuple[Mounted, ...]:
    """The volumes that the doors' sockets lie in; a trial can't write them."""
    names = set()
    for door in doors:
        top, _, inside = door.to.partition(f"{DOORS}/")
        volume, below, _ = inside.partition("/")
        if door.to_port or top or not volume or not below:
            raise BenchFailed(
                f"a trial's container can't reach {door.to} for its port {door.port}",
                means="It has no network; only sockets in the engine's volumes are in "
                "its reach.",
            )
        names.add(volume)
    return tuple(
        Mounted(volume=name, at=str(DOORS / name), read_only=True)
        for name in sorted(names)
    )


def _below(folder: PurePosixPath, taken: Taken) -> Taken:
    """What was taken from one folder of OUT, by its name there.

    A refusal that names no folder may be about any of them.
    """
    top = f"{folder.name}/"
    others = tuple(f"{it.name}/" for it in (RESULTS, PLACES.outputs) if it != folder)
    return Taken(
        files={
            name.removeprefix(top): data
            for name, data in taken.files.items()
            if name.startswith(top)
        },
        refused=tuple(
            each.replace(top, "", 1)
            for each in taken.refused
            # A name is quoted in it.
            if not each[1:].startswith(others)
        ),
    )


def _ending(state: ContainerState, *, in_time: bool) -> tuple[Ending, int]:
    """How it ended, and its exit code or signal."""
    if state.out_of_memory:
        return Ending.OUT_OF_MEMORY, state.code
    if not in_time:
        return Ending.TIMED_OUT, state.code
    if _SIGNALLED < state.code <= _SIGNALLED + _LAST_SIGNAL:
        return Ending.SIGNALLED, state.code - _SIGNALLED
    return Ending.EXITED, state.code
