"""Takes in what exporters of telemetry send, so that they neither fail nor pile up.

Part of the launcher and of the helper inside containers, where no test can reach it;
standard library only, from Python 3.6 on. On both of OpenTelemetry's ports (4317 and
4318) both of its protocols are understood: OTLP over HTTP, with protobuf or JSON, and
over gRPC. Each request is answered with success and kept as it came, behind a line of
JSON that says how it came; when there is no room for more, that is kept instead.
"""

import _thread
import json
import os
import socket
import time

from fairtrial_grpc import PREFACE, Connection
from fairtrial_hpack import Broken

HOST, PORTS = "127.0.0.1", (4318, 4317)
SIGNALS = ("traces", "metrics", "logs")
#: Bytes that are kept of a trial, and taken in one request.
LIMIT = 16 * 1024 * 1024
LONGEST = 8 * 1024 * 1024
MOST_CONNECTIONS = 32
LONGEST_LINE = 8192
MOST_HEADERS = 100
#: Seconds that a connection may be silent.
PATIENCE = 600
_PATHS = {"/v1/" + each: each for each in SIGNALS}
for _signal, _word in zip(SIGNALS, ("Trace", "Metrics", "Logs")):
    _service = "%s.v1.%sService" % (_word.lower(), _word)
    _PATHS["/opentelemetry.proto.collector.%s/Export" % _service] = _signal


def name_of(signal):
    """The stream that a signal's requests are kept in."""
    return "otlp-%s-1.bin" % signal


class Sink:
    """Keeps in the collector's folder, within what the collector may keep at all."""

    def __init__(self, collector):
        self.folder = collector.results
        self.left = min(LIMIT, collector.left // 2)
        collector.left -= self.left
        for signal in SIGNALS:
            # Nobody else may open a stream of this name.
            collector.owners[name_of(signal)] = 0
        self.lock = _thread.allocate_lock()
        self.listeners, self.files = [], {}
        self.connections = self.dropped = 0

    def listen(self):
        """Before the tests start; a port that is taken is somebody else's."""
        for port in PORTS:
            listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind((HOST, port))
                listener.listen(64)
            except OSError:
                listener.close()
                continue
            self.listeners.append(listener)

    def serve(self):
        """From now on, in threads; call it in the process that starts no other."""
        for listener in self.listeners:
            _thread.start_new_thread(self.accept, (listener,))

    def accept(self, listener):
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            if self.connections >= MOST_CONNECTIONS:
                client.close()
                continue
            self.connections += 1
            _thread.start_new_thread(self.talk, (client,))

    def talk(self, client):
        """One connection to its end; whatever it does, it is alone with it."""
        try:
            client.settimeout(PATIENCE)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with client.makefile("rb") as stream:
                line = stream.readline(LONGEST_LINE)
                if line == PREFACE[:16]:
                    if stream.read(8) == PREFACE[16:]:
                        Connection(stream, client.sendall, self.called).run()
                    return
                while line and self.request(line, stream, client):
                    line = stream.readline(LONGEST_LINE)
        except (OSError, ValueError, MemoryError):
            pass
        finally:
            self.connections -= 1
            client.close()

    def called(self, path, encoding, message):
        """One message of gRPC; whether it is for us."""
        signal = _PATHS.get(path)
        if signal is None:
            return False
        self.keep(signal, "grpc", "application/x-protobuf", encoding, message)
        return True

    def request(self, line, stream, client):
        """Answer one request of HTTP; whether the connection goes on."""
        parts = line.decode("latin-1").split()
        if len(parts) != 3 or not parts[2].startswith("HTTP/1."):
            return False
        headers = headers_of(stream)
        if headers.get("expect", "").lower() == "100-continue":
            client.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = body_of(headers, stream)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        signal = _PATHS.get(parts[1].partition("?")[0])
        status, answer = "200 OK", b"{}" if kind == "application/json" else b""
        if signal is None or parts[0] != "POST":
            status, kind, answer = "404 Not Found", "text/plain", b"no such place\n"
        elif body is None:
            status, kind, answer = "413 Payload Too Large", "text/plain", b"too large\n"
        else:
            encoding = headers.get("content-encoding", "identity").lower()
            self.keep(signal, "http", kind, encoding, body)
        head = "HTTP/1.1 %s\r\ncontent-type: %s\r\ncontent-length: %d\r\n\r\n"
        kind = kind if kind.isprintable() and kind else "application/x-protobuf"
        client.sendall((head % (status, kind, len(answer))).encode("latin-1") + answer)
        goes = headers.get("connection", "keep-alive").lower() != "close"
        return goes and body is not None and parts[2] == "HTTP/1.1"

    def keep(self, signal, via, kind, encoding, data):
        """One request behind the line that tells of it."""
        told = {
            "time": round(time.time(), 6),
            "via": via,
            "type": kind[:100],
            "encoding": encoding[:40],
            "size": len(data),
        }
        record = json.dumps(told).encode("ascii") + b"\n" + data + b"\n"
        with self.lock:
            if len(record) > self.left:
                self.dropped += 1
                if self.dropped & (self.dropped - 1):
                    return  # told at each doubling, which needs next to no room
                told = {"time": told["time"], "dropped": self.dropped, "size": 0}
                record = json.dumps(told).encode("ascii") + b"\n\n"
            else:
                self.left -= len(record)
            self.write(signal, record)

    def write(self, signal, record):
        if signal not in self.files:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
            flags |= os.O_CLOEXEC
            self.files[signal] = os.open(
                name_of(signal), flags, 0o600, dir_fd=self.folder
            )
        while record:
            record = record[os.write(self.files[signal], record) :]


def headers_of(stream):
    """Headers by their names in small letters; raises Broken where there are too
    many."""
    found = {}
    for _ in range(MOST_HEADERS):
        line = stream.readline(LONGEST_LINE)
        if line in (b"\r\n", b"\n", b""):
            return found
        name, _, value = line.decode("latin-1").partition(":")
        found[name.strip().lower()] = value.strip()
    raise Broken("too many headers")


def body_of(headers, stream):
    """The whole body; None: it is larger than is taken."""
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = b""
        while True:
            size = int(stream.readline(LONGEST_LINE).partition(b";")[0], 16)
            if not 0 <= size <= LONGEST - len(body):
                return None
            if size == 0:
                headers_of(stream)
                return body
            body += whole(stream, size)
            stream.readline(LONGEST_LINE)
    length = int(headers.get("content-length") or 0)
    return whole(stream, length) if 0 <= length <= LONGEST else None


def whole(stream, size):
    data = stream.read(size)
    if len(data) < size:
        raise Broken("it ends too early")
    return data
