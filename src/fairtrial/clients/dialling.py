"""How a connection to a server is made, on a Unix socket or a port."""

from __future__ import annotations

import socket


def dial(
    *, path: str = "", host: str = "", port: int = 0, seconds: float
) -> socket.socket:
    """A connection to the socket at `path`, or else to a port; raises OSError.

    `seconds`: how long it may take to be made, and each answer then.
    """
    if not path:
        return socket.create_connection((host, port), seconds)
    near = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        near.settimeout(seconds)
        near.connect(path)
    except BaseException:
        near.close()
        raise
    return near
