"""How a trial builds what its tree changed, and how a build that fails is told.

Base and head are built once and frozen. A tree that mixes the two is laid over one of
them inside its trial, and so has to be built there; so is a tree whose tests did not
compile when it was frozen: that is an outcome of its tests, and no broken bench.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.trials import Places, TrialOutput
from fairtrial.runners import Selection

LOG: Final = "build.log"
FAILED: Final = "build-failed"
#: The exit code of a trial whose tree does not build (EX_SOFTWARE of sysexits.h).
UNBUILT: Final = 70
#: Names the build that failed at freezing, for trials to try again.
_MARK: Final = "tests-unbuilt"
#: Files that a trial's tree changes bear an old time of their own, so that equal trees
#: look equal; tools such as make, which go by times, would not see the change. So they
#: are given the time of the build. Without names, everything is.
_TOUCH: Final = (
    "import os, sys\n"
    "os.chdir(sys.argv[1])\n"
    "paths = sys.argv[2:] or [os.path.join(top, name)"
    " for top, _, names in os.walk('.') for name in names"
    " if 'node_modules' not in top]\n"
    "for path in paths:\n"
    "    if os.path.lexists(path):\n"
    "        os.utime(path, follow_symlinks=False)\n"
)
#: Characters of paths that a script holds; Linux takes 131,072 in one argument.
_NAMED: Final = 50_000
#: Characters of a build's output that are read.
_READ: Final = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedBuild:
    """A build that failed inside a trial."""

    step: str
    text: str


def inside(folder: str, line: str) -> str:
    """A command line that runs in a folder of the workspace."""
    return f"cd {shlex.quote(folder)} && {line}" if folder else line


def tolerant(step: str, places: Places) -> str:
    """A step of `build` that leaves a mark where it fails, and lets trials tell why."""
    mark = shlex.quote(str(places.kept / _MARK))
    folder = shlex.quote(str(places.kept))
    return f"(\n{step}\n) || {{ mkdir -p {folder} && : > {mark}; }}"


def rebuilt(script: str, selection: Selection, places: Places) -> str:
    """The script of a trial, with the build before it where one is due."""
    if not selection.rebuild:
        return script
    mark = shlex.quote(str(places.kept / _MARK))
    log = shlex.quote(str(places.outputs / LOG))
    failed = shlex.quote(str(places.outputs / FAILED))
    lines = [f"fairtrial_build() {{\n: > {log}"]
    if selection.stale:
        named = selection.changed
        if sum(len(path) + 4 for path in named) > _NAMED:
            named = ()
        words = ("python3", "-I", "-S", "-c", _TOUCH, str(places.workspace), *named)
        lines.append(shlex.join(words))
    for number, step in enumerate(selection.rebuild):
        lines.append(
            f"(\n{step}\n) >> {log} 2>&1 </dev/null || "
            f"{{ echo {number} > {failed}; return 1; }}"
        )
    lines.append("}")
    due = "true" if selection.stale else f"[ -e {mark} ]"
    lines.append(f"if {due}; then fairtrial_build || exit {UNBUILT}; fi")
    return "\n".join((*lines, script))


def failed_build(output: TrialOutput, selection: Selection) -> FailedBuild | None:
    """The build that failed in a trial; None: none did, or none was due."""
    number = output.files.get(FAILED)
    if number is None or not selection.rebuild:
        return None
    said = number.strip()
    known = said.isdigit() and len(said) < 4 and int(said) < len(selection.rebuild)  # noqa: PLR2004 - no configuration has a thousand steps
    step = selection.rebuild[int(said)] if known else "build"
    text = output.files.get(LOG, b"")[-_READ:].decode("utf-8", "replace")
    return FailedBuild(step=step, text=text)
