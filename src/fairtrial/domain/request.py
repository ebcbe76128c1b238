"""What somebody asks of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fairtrial.domain.settings import Authority, BenchKind

#: Set by the action, which makes annotations of the report itself, after everything
#: that belongs to the change is dead.
TELLS: Final = "FAIRTRIAL_ACTION"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteInputs:
    """One suite as options or the action's inputs describe it; fields as in a file."""

    command: str | None = None
    image: str | None = None
    python: str | None = None
    prepare: tuple[str, ...] = ()
    build: tuple[str, ...] = ()

    @property
    def given(self) -> bool:
        """Whether any of them says something."""
        return self != SuiteInputs()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The command line or the action's inputs; nothing in it comes from the change."""

    repo: Path
    #: None: from the event, or the merge base with the default branch.
    base: str | None = None
    #: None: from the event, or the working tree.
    head: str | None = None
    config: Path | None = None
    #: Counts where neither the base nor `config` has a configuration.
    inputs: SuiteInputs = SuiteInputs()
    #: Empty: all suites.
    suites: tuple[str, ...] = ()
    report_dir: Path = Path("fairtrial-report")
    #: None: the action's default is `image`, elsewhere `here`; a suite may say more.
    bench: BenchKind | None = None
    authority: Authority | None = None
    #: Seconds; None: as configured.
    test_timeout: float | None = None
    #: Minutes; None: as configured.
    budget: float | None = None
    #: What an audit wrote; its findings are the first guesses of polluter searches.
    prior: Path | None = None
    locale: str = "en"
    variant: str | None = None
    #: The environment that names the GitHub event; empty on a laptop.
    event: Mapping[str, str] = field(default_factory=dict)
