from __future__ import annotations

import os
import subprocess
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.subject.repositories import repository, shallow_clone

from fairtrial.clients.git import Git


def test_a_fetch_brings_what_a_shallow_clone_lacks(tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin")
    first = origin.commit({"a": "1"})
    second = origin.commit({"a": "2"})
    clone = shallow_clone(origin, tmp_path / "clone", second)

    with Git(clone.path) as git:
        assert git.commit(first) is None
        assert git.fetch(["--deepen=1", "origin", second]) is None
        assert first == git.commit(first)
    assert (
        not (clone.path / ".git" / "FETCH_HEAD").read_text().strip().startswith(first)
    )


def test_a_fetch_that_fails_says_why(tmp_path: Path) -> None:
    clone = repository(tmp_path / "clone")
    clone.commit()
    clone.git("remote", "add", "origin", (tmp_path / "gone").as_uri())

    with Git(clone.path) as git:
        said = git.fetch(["origin", "main"])

    assert said is not None
    assert said.strip()


class _Recorder(BaseHTTPRequestHandler):
    """A server that has no repository and remembers who asked."""

    seen: list[str | None]

    def do_GET(self) -> None:
        self.seen.append(self.headers.get("Authorization"))
        self.send_response(404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def server() -> Iterator[tuple[str, list[str | None]]]:
    seen: list[str | None] = []
    handler = type("Handler", (_Recorder,), {"seen": seen})
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=http.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}", seen
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


def test_the_token_goes_to_its_server_only_and_into_no_argument(
    tmp_path: Path,
    server: tuple[str, list[str | None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url, seen = server
    clone = repository(tmp_path / "clone")
    clone.commit()
    clone.git("remote", "add", "origin", f"{url}/owner/name")
    arguments: list[str] = []
    real = subprocess.run

    def spied(command: list[str], **options: object) -> object:
        arguments.extend(command)
        return real(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", spied)
    monkeypatch.delenv("http_proxy", raising=False)
    monkeypatch.delenv("HTTP_PROXY", raising=False)

    with Git(clone.path) as git:
        git.fetch(["origin", "main"], server=url, token="t0ken")
        git.fetch(["origin", "main"], server="https://elsewhere.example", token="t0ken")

    basic = b64encode(b"x-access-token:t0ken").decode()
    assert f"basic {basic}" == seen[0]
    assert seen[-1] is None
    assert "fetch" in arguments
    assert not [each for each in arguments if "t0ken" in each or basic in each]
    assert "t0ken" not in (clone.path / ".git" / "config").read_text()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_fetch_into_somebody_elses_repository_leaves_no_file_of_roots(
    tmp_path: Path,
) -> None:
    tmp_path.chmod(0o755)
    for above in tmp_path.parents:
        if above.is_relative_to(tempfile.gettempdir()) and above.is_dir():
            above.chmod(above.stat().st_mode | 0o055)
    origin = repository(tmp_path / "origin")
    first = origin.commit({"a": "1"})
    second = origin.commit({"a": "2"})
    clone = shallow_clone(origin, tmp_path / "clone", second)
    clone.git("config", "--unset", "remote.origin.url")
    clone.git("config", "remote.origin.url", str(origin.path))
    origin_files = [origin.path, *origin.path.rglob("*")]
    for file in [clone.path, *clone.path.rglob("*"), *origin_files]:
        os.chown(file, 12345, 12345)

    with Git(clone.path) as git:
        assert git.fetch(["--deepen=1", "origin", second]) is None
        assert first == git.commit(first)

    owners = {file.stat().st_uid for file in clone.path.rglob("*")}
    assert {12345} == owners
