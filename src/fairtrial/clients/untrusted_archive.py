"""What regular files a container's archive holds, read where nothing is at stake."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairtrial.domain.errors import ServiceError

#: The program that reads the archive, started in a process of its own.
_READER: Final = Path(__file__).with_name("untrusted_archive_reader.py")

#: Seconds for the reader after the archive has ended.
_PATIENCE: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """How much is taken; sizes in bytes."""

    #: Of the archive as it comes from the engine.
    archive: int = 512 * 1024 * 1024
    #: Of one file.
    file: int = 128 * 1024 * 1024
    #: Of all files together.
    total: int = 256 * 1024 * 1024
    #: How many files.
    files: int = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """Regular files by relative name, and a sentence for each thing not taken."""

    files: Mapping[str, bytes]
    refused: tuple[str, ...] = ()


def read_untrusted(archive: Iterator[bytes], caps: Caps) -> Taken:
    """The regular files of a tar stream; its first path component is left off.

    The stream is hostile. It is parsed by a process that holds no connection to the
    engine, no environment and, where this process is root, no rights. Raises
    ServiceError when that process fails.
    """
    with _started(caps) as reader:
        try:
            cut = _pour(archive, reader, caps.archive)
            output, complaint = reader.communicate(timeout=_PATIENCE)
        except BaseException as error:
            reader.kill()
            if isinstance(error, subprocess.TimeoutExpired):
                raise ServiceError("a trial's files took too long to read") from error
            raise
    if reader.returncode != 0:
        last = complaint.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ServiceError(f"a trial's files could not be read: {last[:500]}")
    files, refused = _unframe(output)
    if cut:
        refused.append(f"what came after the first {caps.archive} bytes")
    return Taken(files=files, refused=tuple(refused))


def _started(caps: Caps) -> subprocess.Popen[bytes]:
    argv = [sys.executable, "-I", "-S", str(_READER)]
    argv += [str(caps.file), str(caps.total), str(caps.files)]
    try:
        return subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={},
            cwd="/",
        )
    except OSError as error:
        raise ServiceError(f"no process to read files in: {error}") from error


def _pour(
    archive: Iterator[bytes], reader: subprocess.Popen[bytes], limit: int
) -> bool:
    """Hands the stream on, up to a limit; whether something was left out.

    The reader answers only after the end of its input, so this can't wait for ever.
    """
    assert reader.stdin is not None
    size = 0
    for chunk in archive:
        size += len(chunk)
        if size > limit:
            return True
        try:
            reader.stdin.write(chunk)
        except BrokenPipeError:
            return False
    return False


def _unframe(output: bytes) -> tuple[dict[str, bytes], list[str]]:
    """The reader's answer: frames of kind, length of name, length of data."""
    files: dict[str, bytes] = {}
    refused: list[str] = []
    position = 0
    head = struct.Struct(">cIQ")
    while position < len(output):
        kind, name_size, data_size = head.unpack_from(output, position)
        position += head.size
        name = output[position : position + name_size].decode("utf-8", "replace")
        position += name_size
        if kind == b"F":
            files[name] = output[position : position + data_size]
        else:
            refused.append(name)
        position += data_size
    return files, refused
