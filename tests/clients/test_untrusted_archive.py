"""Archives from a trial: regular files come out, nothing else, and within bounds."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.clients import untrusted_archive
from fairtrial.clients.untrusted_archive import Caps, Taken, read_untrusted
from fairtrial.domain.errors import ServiceError


def entry(
    name: str, data: bytes = b"", *, kind: bytes = tarfile.REGTYPE, link: str = ""
) -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.size, info.linkname = kind, len(data), link
    head = info.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape")
    return head + data + b"\0" * (-len(data) % 512)


END = b"\0" * 1024


def read(*entries: bytes, caps: Caps | None = None, end: bytes = END) -> Taken:
    return read_untrusted(iter([*entries, end]), caps or Caps())


def test_files_come_out_by_their_name_below_the_folder() -> None:
    taken = read(
        entry("out/", kind=tarfile.DIRTYPE),
        entry("out/a.xml", b"<a/>"),
        entry("out/d/", kind=tarfile.DIRTYPE),
        entry("out/d/ü b.json", b"{}"),
        entry("out/empty"),
    )

    assert {"a.xml": b"<a/>", "d/ü b.json": b"{}", "empty": b""} == taken.files
    assert () == taken.refused


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (tarfile.SYMTYPE, "symbolic link"),
        (tarfile.LNKTYPE, "hard link"),
        (tarfile.CHRTYPE, "device"),
        (tarfile.BLKTYPE, "device"),
        (tarfile.FIFOTYPE, "pipe"),
        (tarfile.CONTTYPE, "no regular file"),
        (b"Z", "no regular file"),
    ],
)
def test_what_is_no_regular_file_is_refused(kind: bytes, word: str) -> None:
    taken = read(entry("out/x", kind=kind, link="../../etc/passwd"), entry("out/y"))

    assert {"y": b""} == taken.files
    assert 1 == len(taken.refused)
    assert word in taken.refused[0]


@pytest.mark.parametrize(
    "name",
    [
        "out/../x",
        "out/a/../../x",
        "/etc/passwd",
        "x",
        "out/a//b",
        "out/./x",
        "out/a\\b",
        "out/line\nbreak",
        "out/esc\x1b[0m",
        "out/raw\udcff",
        "out/" + "n" * 600,
        "out/bidi\u202e",
    ],
)
def test_hostile_names_are_refused_in_plain_letters(name: str) -> None:
    taken = read(entry(name, b"1"), entry("out/good", b"2"))

    assert {"good"} >= taken.files.keys() - {"etc/passwd"}
    assert "passwd" not in taken.files
    assert taken.files["good"] == b"2"
    if name != "/etc/passwd":
        assert 1 == len(taken.refused)
        assert taken.refused[0].isascii()
        assert taken.refused[0].isprintable()


def test_a_name_that_comes_twice_keeps_its_first_content() -> None:
    taken = read(entry("out/r", b"first"), entry("out/r", b"second"))

    assert {"r": b"first"} == taken.files
    assert "twice" in taken.refused[0]


def test_sizes_and_numbers_are_capped() -> None:
    caps = Caps(file=100, total=150, files=3)

    taken = read(
        entry("out/huge", b"x" * 101),
        entry("out/a", b"x" * 100),
        entry("out/b", b"x" * 60),
        entry("out/c", b"x" * 50),
        entry("out/d"),
        entry("out/e"),
        caps=caps,
    )

    assert ["a", "c", "d"] == list(taken.files)
    assert 3 == len(taken.refused)


def test_an_endless_archive_is_cut() -> None:
    def endless() -> Iterator[bytes]:
        yield entry("out/first", b"1")
        info = tarfile.TarInfo("out/huge")
        info.size = 1 << 50
        yield info.tobuf(tarfile.GNU_FORMAT)
        while True:
            yield b"\0" * 100_000

    taken = read_untrusted(endless(), Caps(archive=5_000_000))

    assert {"first": b"1"} == taken.files
    assert any("5000000 bytes" in sentence for sentence in taken.refused)


def test_a_million_entries_do_not_fill_the_answer() -> None:
    link = entry("out/l", kind=tarfile.SYMTYPE, link="x")

    taken = read(*[link * 1000] * 20, entry("out/last", b"1"))

    assert {"last": b"1"} == taken.files
    assert 50 == len(taken.refused)


def test_a_broken_archive_keeps_what_was_whole() -> None:
    taken = read(entry("out/a", b"1"), entry("out/cut", b"x" * 5000)[:3000], end=b"")

    assert {"a": b"1"} == taken.files
    assert taken.refused


@pytest.mark.parametrize("data", [b"", b"no archive at all", os.urandom(5000)])
def test_what_is_no_archive_is_a_failure_and_not_an_empty_answer(data: bytes) -> None:
    with pytest.raises(ServiceError, match="could not be read"):
        read_untrusted(iter([data]), Caps())


def test_an_error_of_the_engine_while_reading_ends_the_reader() -> None:
    def failing() -> Iterator[bytes]:
        yield entry("out/a", b"1")
        raise ServiceError("the engine went away")

    with pytest.raises(ServiceError, match="went away"):
        read_untrusted(failing(), Caps())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to drop")
def test_the_reader_has_neither_rights_nor_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = untrusted_archive._READER.read_text()
    spying = source.replace(
        "    caps = [",
        "    status = open('/proc/self/status').read() + repr(dict(os.environ))\n"
        "    answer(sys.stdout.buffer, {'status': status.encode()}, [])\n"
        "    caps = [",
    )
    assert spying != source
    spy = tmp_path / "spy.py"
    spy.write_text(spying)
    monkeypatch.setattr(untrusted_archive, "_READER", spy)
    monkeypatch.setenv("GITHUB_TOKEN", "very-secret")

    status = read(entry("out/a")).files["status"].decode()

    assert "Uid:\t65534\t65534\t65534\t65534" in status
    assert "Groups:\t \n" in status
    assert "CapEff:\t0000000000000000" in status
    assert "very-secret" not in status


def test_good_files_in_numbers_come_out_fast_and_whole() -> None:
    data = b"x" * 1_000_000

    taken = read(*[entry(f"out/{number}", data) for number in range(40)])

    assert 40 == len(taken.files)
    assert {data} == set(taken.files.values())
