"""How databases that are files go into a trial, and how they come back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, Protocol, runtime_checkable

from fairtrial.benches.databases import Clone
from fairtrial.domain.trials import TrialOutput, TrialSpec

#: Copies an input to where it can be written, and turns into the command.
_COPY: Final = 'cp -- "$1" "$2" && chmod u+w -- "$2" || exit 125; shift 2; exec "$@"'


@runtime_checkable
class Carried(Protocol):
    """A clone that is a file, and travels with its trial."""

    @property
    def inputs(self) -> Mapping[str, bytes]:
        """What is handed in with the trial, by name."""

    @property
    def copied(self) -> tuple[str, str]:
        """Where it is handed in, and where the tests find it; absolute in the bench."""

    def take(self, output: TrialOutput) -> None:
        """Take back what the trial made of it."""


def carrying(spec: TrialSpec, clones: Iterable[Clone]) -> TrialSpec:
    """The trial with the files of these clones in their places when it begins."""
    for clone in clones:
        if isinstance(clone, Carried):
            spec = replace(
                spec,
                argv=("sh", "-c", _COPY, "sh", *clone.copied, *spec.argv),
                inputs={**spec.inputs, **clone.inputs},
            )
    return spec


def taken_back(output: TrialOutput, clones: Iterable[Clone]) -> TrialOutput:
    """The same output; each clone that is a file has taken what is its own of it."""
    for clone in clones:
        if isinstance(clone, Carried):
            clone.take(output)
    return output
