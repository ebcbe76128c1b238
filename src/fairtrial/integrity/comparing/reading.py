"""What the test files of one side demand, read once and only where asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from fairtrial.domain.demands import FileDemands
from fairtrial.domain.names import RepoPath
from fairtrial.integrity import CannotRead, Language

#: Files by their language's suffix and their content: both sides share what is equal.
Shelf = dict[tuple[str, bytes], "FileDemands | str"]


class Sources(Mapping[RepoPath, bytes]):
    """Files that are read once, when they are asked for."""

    def __init__(self, files: Mapping[RepoPath, bytes]) -> None:
        self._files = files
        self._held: dict[RepoPath, bytes] = {}

    def __getitem__(self, path: RepoPath) -> bytes:
        """The bytes of one file; KeyError where there is none."""
        if path not in self._held:
            self._held[path] = self._files[path]
        return self._held[path]

    def __iter__(self) -> Iterator[RepoPath]:
        """All paths."""
        return iter(self._files)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._files)

    def __contains__(self, path: object) -> bool:
        """Whether there is such a file; nothing is read."""
        return path in self._files


class Reading:
    """The test files of one side, by path."""

    def __init__(
        self,
        files: Mapping[RepoPath, bytes],
        language_of: Callable[[RepoPath], Language | None],
        shelf: Shelf,
    ) -> None:
        self.files = Sources(files)
        self._language_of = language_of
        self._shelf = shelf
        self._found: dict[RepoPath, FileDemands | None] = {}
        #: Files of a known language that could not be read, with the reason.
        self.unread: dict[RepoPath, str] = {}

    def is_code(self, path: RepoPath) -> bool:
        """Whether a language reads files of this name."""
        return self._language_of(path) is not None

    def demands(self, path: RepoPath) -> FileDemands | None:
        """What a file demands; None for one that is not there or can't be read."""
        if path not in self._found:
            self._found[path] = self._demands(path)
        return self._found[path]

    def _demands(self, path: RepoPath) -> FileDemands | None:
        language = self._language_of(path)
        if language is None or path not in self.files:
            return None
        data = self.files[path]
        key = (PurePosixPath(path).suffix.lower(), data)
        if key not in self._shelf:
            self._shelf[key] = _read(language, data)
        found = self._shelf[key]
        if isinstance(found, str):
            self.unread[path] = found
            return None
        return found


def _read(language: Language, data: bytes) -> FileDemands | str:
    try:
        return language.read(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return f"it is no UTF-8 text: byte {error.start}"
    except CannotRead as error:
        return str(error)
    except (RecursionError, MemoryError):
        return "it is nested too deeply to be read"
