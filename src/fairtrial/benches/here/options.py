"""What the bench `here` is told when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fairtrial.domain.settings import ConditionSettings, Network

_MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one trial may use up; sizes in bytes, times in seconds."""

    #: None: four fifths of the machine's memory.
    memory: int | None = None
    #: Processes and threads together.
    processes: int = 4096
    #: All files under the outputs together, and how many.
    outputs: int = 256 * _MIB
    output_files: int = 10_000
    #: The kept tail of each of the two printed streams.
    printed: int = _MIB
    #: One step of `prepare` or `build`.
    step: float = 1800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HereOptions:
    """Everything that the bench takes from outside; it reads no environment itself."""

    #: Where frozen trees and trials lie while the run lasts.
    scratch: Path
    #: What is kept between runs: prepared environments and journals. Only this user
    #: may write it.
    cache: Path
    #: The gate's own environment; the bench hands on a few names of it, see
    #: `environment`.
    environ: Mapping[str, str]
    #: The suite's own variables, known to `prepare`, `build` and every trial.
    env: Mapping[str, str] = field(default_factory=dict)
    network: Network = Network.NONE
    #: The suite starts containers itself: isolation level none (`docker: true`).
    docker: bool = False
    #: Trials side by side; None: as many as there are processors, at most 4.
    parallel: int | None = None
    limits: Limits = Limits()
    #: For trials; the steps of `prepare` and `build` have the bench's own.
    conditions: ConditionSettings = field(default_factory=ConditionSettings)
    #: Folders and files of toolchains that trials have to see.
    reachable: tuple[Path, ...] = ()
    #: More paths that a trial must not see, such as the runner's command files.
    hidden: tuple[Path, ...] = ()
