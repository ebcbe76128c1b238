"""Answers calls of gRPC with an empty success: as much of HTTP/2 as that takes.

Part of the sink for telemetry; standard library only, from Python 3.6 on. Flow control
is generous, priorities are ignored, nothing is pushed. RFC 9113 and gRPC's own
description of its protocol over HTTP/2.
"""

import struct

from fairtrial_hpack import Broken, Decoder

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, WINDOW, MORE = 0, 1, 3, 4, 6, 7, 8, 9
ACK = END_STREAM = 1
END_HEADERS, PADDED, PRIORITY = 4, 8, 0x20
#: Bytes that a peer may send ahead, for a call and in all.
AHEAD = 1 << 22
LONGEST_FRAME = 1 << 14
MOST_CALLS = 100
#: Bytes of all messages that are on their way in one connection.
MOST_DATA = 1 << 24


def frame(kind, flags, stream, payload=b""):
    return (
        struct.pack(">I", len(payload))[1:]
        + struct.pack(">BBI", kind, flags, stream)
        + payload
    )


def literal(name, value):
    """A header as it is, for nobody's table."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


#: Status 200 is entry 8 of the static table.
_BEGIN = b"\x88" + literal(b"content-type", b"application/grpc")


def ending(status):
    return literal(b"grpc-status", b"%d" % status)


class Call:
    """One request on its way."""

    def __init__(self, headers):
        self.path = headers.get(b":path", b"").decode("latin-1")
        self.encoding = headers.get(b"grpc-encoding", b"identity").decode("latin-1")
        self.data = bytearray()


class Connection:
    """One connection, after the preface; `take(path, encoding, message)` is told each
    message, and says whether the path is known."""

    def __init__(self, stream, send, take):
        self.stream, self.send, self.take = stream, send, take
        self.decoder, self.calls = Decoder(), {}
        self.block, self.block_of, self.block_flags = None, 0, 0

    def run(self):
        """Until the peer goes; raises Broken where it speaks something else."""
        settings = struct.pack(">HIHI", 4, AHEAD, 3, MOST_CALLS)
        self.send(
            frame(SETTINGS, 0, 0, settings)
            + frame(WINDOW, 0, 0, struct.pack(">I", AHEAD))
        )
        while True:
            head = self.stream.read(9)
            if len(head) < 9:
                return
            length = int.from_bytes(head[:3], "big")
            kind, flags = head[3], head[4]
            number = int.from_bytes(head[5:], "big") & 0x7FFFFFFF
            if length > LONGEST_FRAME:
                raise Broken("a longer frame than was allowed")
            payload = self.stream.read(length)
            if len(payload) < length or kind == GOAWAY:
                return
            self.frame(kind, flags, number, payload)

    def frame(self, kind, flags, number, payload):
        if self.block is not None and (kind, number) != (MORE, self.block_of):
            raise Broken("headers were interrupted")
        if kind == SETTINGS and not flags & ACK:
            self.send(frame(SETTINGS, ACK, 0))
        elif kind == PING and not flags & ACK:
            self.send(frame(PING, ACK, 0, payload))
        elif kind == HEADERS:
            payload = unpadded(payload, flags)
            self.block = payload[5:] if flags & PRIORITY else payload
            self.block_of, self.block_flags = number, flags
        elif kind == MORE:
            self.block = (self.block or b"") + payload
            if len(self.block) > 1 << 16:
                raise Broken("headers without end")
        elif kind == RESET:
            self.calls.pop(number, None)
        elif kind == DATA:
            self.data(flags, number, payload)
        if kind in (HEADERS, MORE) and flags & END_HEADERS:
            self.headers()

    def headers(self):
        block, self.block = self.block, None
        found = dict(self.decoder.decode(block))
        if self.block_of not in self.calls:
            if len(self.calls) >= MOST_CALLS:
                raise Broken("more calls than were allowed")
            self.calls[self.block_of] = Call(found)
        if self.block_flags & END_STREAM:
            self.answer(self.block_of)

    def data(self, flags, number, payload):
        if payload:
            more = struct.pack(">I", len(payload))
            self.send(frame(WINDOW, 0, 0, more))
            if not flags & END_STREAM:
                self.send(frame(WINDOW, 0, number, more))
        call = self.calls.get(number)
        if call is None:
            return
        call.data += unpadded(payload, flags)
        if sum(len(each.data) for each in self.calls.values()) > MOST_DATA:
            raise Broken("more data than is taken")
        if flags & END_STREAM:
            self.answer(number)

    def answer(self, number):
        call = self.calls.pop(number)
        known = True
        for compressed, message in messages(bytes(call.data)):
            encoding = call.encoding if compressed else "identity"
            known = self.take(call.path, encoding, message) and known
        if known:
            self.send(
                frame(HEADERS, END_HEADERS, number, _BEGIN)
                + frame(DATA, 0, number, b"\0\0\0\0\0")
                + frame(HEADERS, END_HEADERS | END_STREAM, number, ending(0))
            )
        else:  # no such method
            block = _BEGIN + ending(12)
            self.send(frame(HEADERS, END_HEADERS | END_STREAM, number, block))


def unpadded(payload, flags):
    if not flags & PADDED:
        return payload
    if not payload or payload[0] >= len(payload):
        raise Broken("more padding than there is")
    return payload[1 : len(payload) - payload[0]]


def messages(data):
    """(whether it is compressed, bytes) of each message of a call."""
    found, at = [], 0
    while at + 5 <= len(data):
        length = int.from_bytes(data[at + 1 : at + 5], "big")
        if at + 5 + length > len(data):
            break
        found.append((bool(data[at]), data[at + 5 : at + 5 + length]))
        at += 5 + length
    return found
