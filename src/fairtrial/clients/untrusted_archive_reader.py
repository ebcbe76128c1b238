"""The process that parses a trial's archive: standard library only, no rights.

Run as a program: `python -I -S FILE max_file max_total max_files`, the archive on
standard input. It never unpacks: it answers with regular files only, on standard
output, after its input has ended.
"""

from __future__ import annotations

import os
import resource
import struct
import sys
import tarfile
from contextlib import suppress
from typing import Any, BinaryIO, Final

_NOBODY: Final = 65534

#: Bytes of memory; what the caps allow, twice, and an interpreter.
_MEMORY: Final = 2 * 1024**3

#: Seconds of computing.
_SECONDS: Final = 100

_LONGEST_NAME: Final = 512
_MOST_REFUSALS: Final = 50
_MOST_ENTRIES: Final = 100_000
_HEAD: Final = struct.Struct(">cIQ")

_KINDS: Final = {
    tarfile.SYMTYPE: "a symbolic link",
    tarfile.LNKTYPE: "a hard link",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
    tarfile.FIFOTYPE: "a pipe",
}


def drop_rights() -> None:
    """Become nobody, when root; never use more than so much memory and time."""
    # Codecs are imported on first use, which may be impossible later.
    "é".encode().decode("utf-8", "surrogateescape")
    if os.geteuid() == 0:
        with suppress(PermissionError):
            os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    for kind, limit in (
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_CPU, _SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (limit, limit))


def why_refused(name: str) -> str | None:
    """What is wrong with a name below the folder; None when nothing is."""
    if len(name) > _LONGEST_NAME:
        return "its name is too long"
    if not name.isprintable() or "\\" in name:
        return "its name has characters that no report has"
    if any(part in {"", ".", ".."} for part in name.split("/")):
        return "its name leaves the folder"
    return None


class Source:
    """A stream whose end is an error.

    Without it, the library would go on skipping through the declared size of a
    member long after the last byte.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def read(self, size: int) -> bytes:
        """As many bytes as there are, and at least one."""
        data = self._stream.read(size)
        if not data:
            raise tarfile.ReadError("it ends too early")
        return data


def read(
    stream: BinaryIO, max_file: int, max_total: int, max_files: int
) -> tuple[dict[str, bytes], list[str]]:
    """The regular files by name, and a sentence for each thing that was refused."""
    files: dict[str, bytes] = {}
    refused: list[str] = []
    source: Any = Source(stream)
    with tarfile.open(fileobj=source, mode="r|", errors="surrogateescape") as archive:
        try:
            _collect(archive, files, refused, (max_file, max_total, max_files))
        except tarfile.TarError as error:
            refused.append(f"the rest: the archive is broken ({error})")
    return files, refused


def _collect(
    archive: tarfile.TarFile,
    files: dict[str, bytes],
    refused: list[str],
    caps: tuple[int, int, int],
) -> None:
    max_file, max_total, max_files = caps
    total = 0
    for number, member in enumerate(archive):
        # The library keeps a list of all that it has seen.
        archive.members = []  # type: ignore[attr-defined]
        if number >= _MOST_ENTRIES:
            refused.append(f"the rest: there are more than {_MOST_ENTRIES} entries")
            return
        _, _, name = member.name.partition("/")
        if member.isdir():
            continue
        reason = why_refused(name)
        if member.type not in {tarfile.REGTYPE, tarfile.AREGTYPE}:
            reason = f"it is {_KINDS.get(member.type, 'no regular file')}"
        elif name in files:
            reason = "it is there twice"
        elif member.size > max_file or total + member.size > max_total:
            reason = f"it is too large ({member.size} bytes)"
        elif len(files) >= max_files:
            reason = "there are too many files"
        if reason is not None:
            _note(refused, name, reason)
            continue
        data = archive.extractfile(member)
        files[name] = b"" if data is None else data.read()
        total += member.size


def _note(refused: list[str], name: str, reason: str) -> None:
    if len(refused) < _MOST_REFUSALS:
        refused.append(f"{name[:100]!a}: {reason}")


def answer(out: BinaryIO, files: dict[str, bytes], refused: list[str]) -> None:
    """Writes frames: kind, length of name, length of data, name, data."""
    for name, data in files.items():
        encoded = name.encode("utf-8", "replace")
        out.write(_HEAD.pack(b"F", len(encoded), len(data)) + encoded)
        out.write(data)
    for sentence in refused:
        encoded = sentence.encode("utf-8", "replace")
        out.write(_HEAD.pack(b"R", len(encoded), 0) + encoded)
    out.flush()


def main() -> None:
    """Reads standard input to its end, then answers on standard output."""
    drop_rights()
    caps = [int(argument) for argument in sys.argv[1:4]]
    source = sys.stdin.buffer
    files, refused = read(source, *caps)
    # Whoever writes must be able to finish before anything is answered.
    while source.read(1 << 20):
        pass
    answer(sys.stdout.buffer, files, refused)


if __name__ == "__main__":
    main()
