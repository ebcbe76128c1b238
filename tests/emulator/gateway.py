"""A GitHub on loopback, as a job's container reaches it, and with the job's own rights.

It listens where containers can come, holds each token to the permissions that it was
issued with, and passes on what they allow.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import re
import secrets
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

#: What a path takes: any one of these permissions, the first that matches.
_NEEDS: tuple[tuple[str, frozenset[str]], ...] = (
    (r"/repos/[^/]+/[^/]+/issues/", frozenset({"pull-requests", "issues"})),
    (r"/repos/[^/]+/[^/]+/pulls", frozenset({"pull-requests"})),
    (
        r"/repos/[^/]+/[^/]+/commits/[^/]+/pulls",
        frozenset({"pull-requests", "contents"}),
    ),
    (r"/repos/[^/]+/[^/]+/check-runs", frozenset({"checks"})),
    (r"/repos/[^/]+/[^/]+/statuses", frozenset({"statuses"})),
    (r"/repos/[^/]+/[^/]+/actions/", frozenset({"actions"})),
    (r"/repos/[^/]+/[^/]+/collaborators/[^/]+/permission", frozenset({"metadata"})),
    (r"/repos/", frozenset({"contents"})),
)
#: What every token has, and no workflow can take away.
_ALWAYS = {"metadata": "read"}
_READS = frozenset({"GET", "HEAD"})


@dataclass(slots=True, kw_only=True)
class Gateway:
    """What `Runner(github=…)` takes."""

    upstream: str
    #: The token that the GitHub behind knows.
    token: str
    api_url: str = ""
    issued: dict[str, Mapping[str, str]] = field(default_factory=dict)
    #: "POST /repos/…": what a token was not allowed to do.
    refused: list[str] = field(default_factory=list)

    def issue_token(self, permissions: Mapping[str, str]) -> str:
        token = f"ghs_{secrets.token_hex(20)}"
        self.issued[token] = dict(permissions)
        return token

    def allows(self, token: str, method: str, path: str) -> bool:
        """Whether a token's permissions reach for this request."""
        if path == "/graphql":
            return True
        needed = next((who for way, who in _NEEDS if re.match(way, path)), frozenset())
        levels = {"read", "write"} if method in _READS else {"write"}
        granted = {**self.issued[token], **_ALWAYS}
        return any(granted.get(one) in levels for one in needed)


@contextmanager
def gateway(*, upstream: str, token: str) -> Iterator[Gateway]:
    """A gateway to the GitHub at `upstream`, as long as the block runs."""
    made = Gateway(upstream=upstream, token=token)
    server = _Server((_bridge_address(), 0), _Handler)
    server.gateway = made
    made.api_url = f"http://{server.server_address[0]!s}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _bridge_address() -> str:
    """The engine's machine, as containers on the default bridge see it."""
    shown = subprocess.run(
        ["docker", "network", "inspect", "bridge"],
        capture_output=True,
        check=True,
    )
    (network,) = json.loads(shown.stdout)
    (config,) = network["IPAM"]["Config"]
    subnet = ipaddress.ip_network(config["Subnet"])
    return str(config.get("Gateway") or next(subnet.hosts()))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    gateway: Gateway


class _Handler(BaseHTTPRequestHandler):
    def _any(self) -> None:
        assert isinstance(self.server, _Server)
        gate = self.server.gateway
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        token = self.headers.get("authorization", "").split(" ")[-1]
        path = urlsplit(self.path).path
        if token not in gate.issued:
            self._answer(401, {"message": "Bad credentials"})
        elif not gate.allows(token, self.command, path):
            gate.refused.append(f"{self.command} {path}")
            self._answer(403, {"message": "Resource not accessible by integration"})
        else:
            self._pass_on(gate, body)

    def _pass_on(self, gate: Gateway, body: bytes) -> None:
        connection = http.client.HTTPConnection(urlsplit(gate.upstream).netloc)
        headers = {
            "authorization": f"Bearer {gate.token}",
            "content-type": self.headers.get("content-type", "application/json"),
            "content-length": str(len(body)),
        }
        try:
            connection.request(self.command, self.path, body or None, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in {"server", "date", "connection"}:
                self.send_header(name, value.replace(gate.upstream, gate.api_url))
        self.end_headers()
        self.wfile.write(content)

    def _answer(self, status: int, body: Mapping[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json; charset=utf-8")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _any  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing: the GitHub behind keeps the log."""
