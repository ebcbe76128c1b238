"""How reports tell how a command ended, and which tests they mean."""

from __future__ import annotations

from collections.abc import Iterable

from fairtrial.domain.trials import Ending, TrialOutput


def ending_of(output: TrialOutput) -> str:
    """How the command ended, as the beginning of a sentence."""
    match output.ending:
        case Ending.EXITED:
            return f"the command exited with {output.code}"
        case Ending.SIGNALLED:
            return f"the command was ended by signal {output.code}"
        case Ending.TIMED_OUT:
            return "the command ran out of the trial's time"
        case Ending.OUT_OF_MEMORY:
            return "the command ran out of memory"


def some(tests: Iterable[str]) -> str:
    """One name, or the first one and how many more."""
    unique = list(dict.fromkeys(tests))
    more = f" and {len(unique) - 1} more" if len(unique) > 1 else ""
    return f"{unique[0]}{more}"
