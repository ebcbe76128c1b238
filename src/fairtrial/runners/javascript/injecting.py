"""What is handed into a trial for Node to load, and what it means when it was not."""

from __future__ import annotations

from importlib.resources import files

from fairtrial.domain.trials import TrialOutput
from fairtrial.runners.reports.sentences import ending_of


def injected(*names: str) -> dict[str, bytes]:
    """Our own files for Node, by name."""
    folder = files("fairtrial.injected").joinpath("javascript")
    return {name: folder.joinpath(name).read_bytes() for name in names}


def silent(tool: str, output: TrialOutput) -> str:
    """Why a trial without any report proves nothing, as one sentence."""
    printed = (output.stderr.strip() or output.stdout.strip()).splitlines()
    last = printed[-1][:300].decode("utf-8", "replace") if printed else "nothing"
    return (
        f"the suite's command started no {tool} that reports; one that sets"
        " NODE_OPTIONS has to keep what is in it"
        f' (NODE_OPTIONS="$NODE_OPTIONS …"); {ending_of(output)}, and it printed last:'
        f" {last}"
    )
