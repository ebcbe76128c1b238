"""Which of a trial's files are its report, where tests can write beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fairtrial.domain.trials import TrialOutput

#: How the names of the plugin's own streams begin.
_REPORTS: Final = ("events-", "junit-", "fault-", "aside-")


def guarded(output: TrialOutput) -> TrialOutput:
    """The output with what came through the bench's channel as its only report.

    Where there is a channel, a file of a report's name in the outputs was written by
    somebody else.
    """
    if output.kept is None:
        return output
    others = {
        name: data
        for name, data in output.files.items()
        if not name.startswith(_REPORTS)
    }
    return replace(output, files={**others, **output.kept})
