from __future__ import annotations

import socket
from pathlib import Path

import pytest

from fairtrial.clients.dialling import dial


def test_a_port_and_a_socket_are_dialled_alike(tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    with (
        socket.create_server(("127.0.0.1", 0)) as by_port,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as by_path,
    ):
        by_path.bind(path)
        by_path.listen()
        port = by_port.getsockname()[1]
        for near, server in (
            (dial(host="127.0.0.1", port=port, seconds=5), by_port),
            (dial(path=path, seconds=5), by_path),
        ):
            far, _ = server.accept()
            near.sendall(b"hello")
            assert b"hello" == far.recv(5)
            assert 5 == near.gettimeout()
            near.close()
            far.close()


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_where_nobody_listens_no_socket_is_left_open(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        dial(path=str(tmp_path / "s"), seconds=5)
