"""Which places outside a test tries to reach, as the interpreter itself tells.

Python 3.8 and newer tell before a socket connects, sends or asks for a name, whatever
stands in the module `socket`; what a test answers by a stand-in is never told. Code
that brings sockets of its own (native libraries, child processes) is not seen there.
Where the trial has no network at all the kernel counts whatever it refused, so that
such an attempt is told as one to a place unknown.
"""

from __future__ import annotations

import _socket
import os
import sys

from fairtrial_names import is_machinery
from fairtrial_witness import REAL

MINE = {"read": os.read}
ASKED = ("socket.getaddrinfo", "socket.gethostbyname")
SENT = ("socket.connect", "socket.sendto", "socket.sendmsg")
MOST, MOST_OF_ONE, DEEPEST, TOLD_FRAMES = 500, 20, 300, 8
_family = _socket.socket.family
_INTERNET = {_socket.AF_INET, getattr(_socket, "AF_INET6", None)}


class Reached:
    """Tells each place once for each test."""

    def __init__(self, witness, aside):
        self.witness, self.aside = witness, aside
        #: This machine by its own name is no place outside.
        self.own = os.uname().nodename.lower() if hasattr(os, "uname") else ""
        self.seen, self.count = set(), {}
        #: What the kernel refused so far; None: it can't be told whose that would be.
        whole = witness.channel.stem.startswith("main-")  # no worker beside others
        self.refused = refused() if whole and alone() else None

    def watch(self):
        """From now on; there is no way back, so it is cheap: one look in a set."""
        add = getattr(sys, "addaudithook", None)
        if add is None:
            self.aside.write("unseen")
            return
        told = self.told

        def hook(event, args, wanted=frozenset(ASKED + SENT)):
            if event in wanted:
                told(event, args)

        try:
            add(hook)
        except Exception:  # the project may forbid it
            self.aside.write("unseen")

    def over(self, test):
        """A test is over: tell what was refused and is none of what was seen."""
        if self.refused is None or self.witness.plan["mode"] == "list":
            return
        before, self.refused = self.refused, refused()
        if self.refused is None or self.refused <= before or self.count.get(test):
            return
        self.aside.write("reached", id=test, host="", port=None, where="", stack=[])

    def told(self, event, args):
        """An error here would be the test's, so there is none."""
        try:
            found = asked(args) if event in ASKED else sent(args)
            if found is not None and not self.is_own(found[0]):
                self.note(*found)
        except BaseException:
            pass

    def is_own(self, host):
        return host.lower() in (self.own, self.own.partition(".")[0]) or is_loopback(
            host
        )

    def note(self, host, port):
        test = self.witness.running
        place = (host, port, test)
        if place in self.seen or len(self.seen) >= MOST:
            return
        if self.count.get(test, 0) >= MOST_OF_ONE:
            return
        self.seen.add(place)
        self.count[test] = self.count.get(test, 0) + 1
        frame, stack, where = sys._getframe(3), [], ""
        while frame is not None and len(stack) < DEEPEST:
            code, line = frame.f_code, frame.f_lineno
            frame = frame.f_back
            path = code.co_filename
            inside = None if path[:1] == "<" else self.witness.frames.inside(path)
            if inside and not where:
                where = "%s:%d" % (inside, line)
            if not is_machinery(code):
                shown = inside or "/".join(path.split(os.sep)[-2:])
                stack.append("%s:%d %s" % (shown, line, code.co_name))
        self.aside.write(
            "reached",
            id=test,
            host=host[:255],
            port=port,
            where=where[:1000],
            stack=[each[:500] for each in stack[:TOLD_FRAMES][::-1]],
        )


def alone():
    """Whether the loopback is all of the network there is."""
    try:
        found = {name for _, name in _socket.if_nameindex()}
    except (AttributeError, OSError):
        return False
    return not any(name[:2] in ("et", "en", "wl", "ve", "br", "do") for name in found)


def refused():
    """How often the kernel had no way for what was to go out; None: it tells not."""
    try:
        descriptor = REAL["open"]("/proc/self/net/snmp", os.O_RDONLY)
        try:
            names, numbers = MINE["read"](descriptor, 4096).split(b"\n")[:2]
        finally:
            REAL["close"](descriptor)
        return int(numbers.split()[names.split().index(b"OutNoRoutes")])
    except (OSError, ValueError, IndexError):
        return None


def asked(args):
    """Host and port of a question for a name's address."""
    port = args[1] if len(args) > 1 else None
    if isinstance(port, (str, bytes)):
        port = int(port) if port.isdigit() else None
    return name_of(args[0]), port


def sent(args):
    """Host and port of where a socket wants to go; None: not into the network."""
    address = args[1]
    if type(address) is not tuple or len(address) < 2:
        return None
    if _family.__get__(args[0]) not in _INTERNET:
        return None
    return name_of(address[0]), address[1]


def name_of(host):
    if isinstance(host, (bytes, bytearray)):
        return bytes(host).decode("ascii", "replace")
    return str(host or "")


def is_loopback(host):
    """Whether a name or address stays on this trial's own loopback."""
    host = host.partition("%")[0].rstrip(".").lower()
    if host.startswith("::ffff:"):
        host = host[len("::ffff:") :]
    if host in ("", "localhost", "localhost.localdomain", "::", "::1", "0.0.0.0"):
        return True
    if host.endswith(".localhost") or host in ("ip6-localhost", "ip6-loopback"):
        return True
    parts = host.split(".")
    # Old spellings of addresses have fewer parts.
    return parts[0] == "127" and all(part.isdigit() for part in parts)
