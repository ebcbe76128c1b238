"""What makes a run of pytest beside the sanctioned path fail with one sentence.

A few lines between two markers in a `conftest.py`. They are a signpost and no lock:
whoever sets `FAIRTRIAL_RUN` passes, and it is the receipt that proves a run.
"""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Final

from fairtrial.domain.errors import ConfigurationError

_BEGIN: Final = b"# >>> fairtrial guard >>> `fairtrial guard --remove` takes this away"
#: The file's last line had no end of its own, which goes when the lines go.
_OPEN: Final = b", and the end of the line above"
_END: Final = b"# <<< fairtrial guard <<<"

#: What stands between the markers. `specname` lets the project have a hook of its own
#: of that name; whatever only shows something (help, lists) stays possible.
_LINES: Final = """\
import pytest as _fairtrial_pytest  # noqa: E402


@_fairtrial_pytest.hookimpl(specname="pytest_cmdline_main", tryfirst=True)
def pytest_fairtrial_guard(config):
    import os
    import shlex

    shows = ("help", "version", "collectonly", "markers", "cacheshow")
    shows += ("showfixtures", "show_fixtures_per_test")
    if "FAIRTRIAL_RUN" in os.environ:
        return
    if any(getattr(config.option, name, None) for name in shows):
        return
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "{up}")
    here = str(config.invocation_params.dir)
    words = ["fairtrial", "run"]
    source = getattr(config, "args_source", None)
    for each in config.args if getattr(source, "name", "ARGS") == "ARGS" else ():
        path, colons, name = each.partition("::")
        path = os.path.relpath(os.path.join(here, path), root)
        if path != os.curdir:
            words.append(path.replace(os.sep, "/") + colons + name)
    raise _fairtrial_pytest.UsageError(
        "this project's tests run through Fairtrial, the same for everyone: run `%s`"
        " instead." % " ".join(map(shlex.quote, words))
    )
"""

#: Files that hold pytest's configuration, and what shows that they do.
_ANCHORS: Final = (
    ("pytest.ini", b""),
    (".pytest.ini", b""),
    ("pytest.toml", b""),
    (".pytest.toml", b""),
    ("pyproject.toml", b"[tool.pytest"),
    ("tox.ini", b"[pytest]"),
    ("setup.cfg", b"[tool:pytest]"),
)

_FOUND: Final = re.compile(
    rb"(?:\A|(?:\r?\n){2})"
    + re.escape(_BEGIN)
    + rb"(?P<open>"
    + re.escape(_OPEN)
    + rb")?\r?\n.*?"
    + re.escape(_END)
    + rb"\r?\n",
    re.DOTALL,
)


#: The file that pytest reads before all others.
CONFTEST: Final = PurePosixPath("conftest.py")


class GuardState(StrEnum):
    """Whether a guard stands."""

    STANDS = "stands"
    #: Other lines are between the markers than this version writes.
    DIFFERS = "differs"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """The guard of one `conftest.py`, which need not exist yet."""

    #: The repository's folder, and the file relative to it.
    repo: Path
    conftest: PurePosixPath = CONFTEST

    @property
    def path(self) -> Path:
        """The file itself; a link is followed, so that it stays one."""
        return (self.repo / self.conftest).resolve()

    @property
    def is_anchored(self) -> bool:
        """Whether pytest takes this folder for its root wherever below it starts.

        It reads no `conftest.py` above the folder of its configuration.
        """
        folder = self.path.parent
        return any(
            (folder / name).is_file() and mark in (folder / name).read_bytes()
            for name, mark in _ANCHORS
        )

    def state(self) -> GuardState:
        """Whether it stands; raises ConfigurationError for markers that make no sense.

        `pytest` imports the file, so nothing but these lines may decide.
        """
        data = self._read()
        found = self._found(data)
        if found is None:
            return GuardState.ABSENT
        expected = self._block(data, follows_open=bool(found["open"]))
        same = found.group().lstrip() == expected.lstrip()
        return GuardState.STANDS if same else GuardState.DIFFERS

    def install(self) -> bool:
        """Whether anything had to be written; what stood in the file stays there."""
        data = self._read()
        if self.state() is GuardState.STANDS:
            return False
        data = self._without(data)
        is_open = bool(data) and not data.endswith(b"\n")
        self._write(data + self._block(data, follows_open=is_open))
        return True

    def remove(self) -> bool:
        """Whether there was one; the file is as before, and gone if it held no more."""
        data = self._read()
        rest = self._without(data)
        if rest == data:
            return False
        if rest:
            self._write(rest)
        else:
            self.path.unlink()
        return True

    def _block(self, data: bytes, *, follows_open: bool) -> bytes:
        up = "/".join(".." for _ in self.conftest.parent.parts) or "."
        lines = _LINES.replace("{up}", up).encode("ascii")
        begin = _BEGIN + (_OPEN if follows_open else b"")
        gap = b"\n\n\n" if follows_open else b"\n\n" if data else b""
        block = gap + begin + b"\n" + lines + _END + b"\n"
        return block.replace(b"\n", b"\r\n") if b"\r\n" in data else block

    def _found(self, data: bytes) -> re.Match[bytes] | None:
        begins, ends = data.count(_BEGIN[:23]), data.count(_END)
        found = list(_FOUND.finditer(data))
        if (begins, ends) == (0, 0):
            return None
        if (begins, ends, len(found)) == (1, 1, 1):
            return found[0]
        raise ConfigurationError(
            f"{self.conftest}: the markers of the guard are not as they were written.",
            means="A merge or an edit has taken one of them away, or doubled it.",
            remedy="Remove the lines of the guard by hand, and install it anew.",
        )

    def _without(self, data: bytes) -> bytes:
        found = self._found(data)
        if found is None:
            return data
        start = found.start()
        if found["open"]:
            gap = b"\r\n" if data[start - 2 : start] == b"\r\n" else b"\n"
            start -= len(gap)
        return data[:start] + data[found.end() :]

    def _read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as wrong:
            raise self._unusable(wrong) from wrong

    def _write(self, data: bytes) -> None:
        """The whole file or nothing of it; its mode stays."""
        path = self.path
        try:
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
            descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".conftest.")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                Path(name).chmod(mode)
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as wrong:
            raise self._unusable(wrong) from wrong

    def _unusable(self, wrong: OSError) -> ConfigurationError:
        return ConfigurationError(
            f"{self.conftest} can't be read or written: {wrong.strerror}.",
            means="The guard is a few lines in that file.",
            remedy="Name another one with `--conftest`, or mend its permissions.",
        )
