"""What a paused copy of this process answers: it forks, does what is asked, and ends.

A copy does nothing but wait; what is asked of it is done by a child of its own, which
may crash, exit or hang: then there is no answer, and no answer is neither yes nor no.
Runs on Python 3.7 and newer, with the standard library only.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time
import warnings

#: Kept where tests that replace them do not look.
REAL = {
    "fork": getattr(os, "fork", None),
    "exit": os._exit,
    "close": os.close,
    "fstat": os.fstat,
    "kill": os.kill,
    "loads": json.loads,
    "dumps": json.dumps,
    "now": time.monotonic,
    "pid": os.getpid,
    "pipe": os.pipe,
    "poll": select.poll if hasattr(select, "poll") else None,
    "read": os.read,
    "setpgid": getattr(os, "setpgid", None),
    "waitpid": getattr(os, "waitpid", None),
    "write": os.write,
}
#: How often a wait looks whether a child has ended without a word, in seconds.
LOOK = 0.2
#: How often a paused copy looks whether anybody is left to ask it.
LONELY = 5.0
#: No answer is longer, in bytes.
LONGEST = 1 << 20


class Lost(Exception):
    """The other end is gone, or somebody closed what leads to it."""


class Wires:
    """The pipes of this process, each with what it was when it was made.

    A test may close every descriptor that it finds, and its numbers come to be
    somebody else's files: nothing is ever written to those.
    """

    def __init__(self):
        self.known = {}

    def pipe(self):
        ends = REAL["pipe"]()
        for end in ends:
            found = REAL["fstat"](end)
            self.known[end] = found.st_dev, found.st_ino
        return ends

    def check(self, end):
        try:
            found = REAL["fstat"](end)
        except OSError:
            raise Lost()
        if self.known.get(end) != (found.st_dev, found.st_ino):
            raise Lost()

    def close(self, end):
        try:
            self.check(end)
            REAL["close"](end)
        except (Lost, OSError):
            pass
        self.known.pop(end, None)

    def keep(self, *ends):
        """Close all others, in a child that has no use for them."""
        for end in list(self.known):
            if end not in ends:
                self.close(end)

    def send(self, end, message):
        self.check(end)
        data = REAL["dumps"](message).encode("ascii") + b"\n"
        try:
            while data:
                data = data[REAL["write"](end, data) :]
        except OSError:
            raise Lost()


class Lines:
    """Whole lines from one end of a pipe."""

    def __init__(self, wires, end):
        self.wires = wires
        self.end = end
        self.rest = b""

    def next(self, seconds):
        """A line; b"" when there will be none any more; None when time was up."""
        while b"\n" not in self.rest:
            self.wires.check(self.end)
            if not ready(seconds, self.end):
                return None
            try:
                data = REAL["read"](self.end, 65536)
            except OSError:
                raise Lost()
            if not data or len(self.rest) > LONGEST:
                return b""
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        return line or b" "


def ready(seconds, *ends):
    """The ends at which something is to be read, or that are closed."""
    poll = REAL["poll"]()
    for end in ends:
        poll.register(end, select.POLLIN | select.POLLHUP)
    milliseconds = None if seconds is None else int(seconds * 1000)
    return [end for end, _ in poll.poll(milliseconds)]


def fork():
    # Newer Pythons warn where there are threads; there is one, and it waits.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return REAL["fork"]()


class Copy:
    """The asking end of one paused copy; `position` is what it would do next."""

    def __init__(self, wires, position, to, back):
        self.wires = wires
        self.position = position
        self.to = to
        self.lines = Lines(wires, back)

    def ask(self, message):
        """What came of it; None where nothing did."""
        try:
            self.wires.send(self.to, message)
            line = self.lines.next(None)
            return REAL["loads"](line.decode("ascii")) if line else None
        except (Lost, ValueError):
            return None

    def end(self):
        """It ends when nobody is left to ask it."""
        self.wires.close(self.to)
        self.wires.close(self.lines.end)


def pause(wires, position, limit):
    """A copy of this process as it is now, or None where there can be none.

    Twice it returns: here with the copy, and in each child that the copy makes with
    the `Asked`, which is to be answered. A test that waits for its children, or looks
    at them, finds none: the copy is the child of one that has ended.
    """
    to_read, to = wires.pipe()
    back, back_write = wires.pipe()
    asker = REAL["pid"]()
    try:
        middle = fork()
    except OSError:
        for end in (to_read, to, back, back_write):
            wires.close(end)
        return None
    if middle == 0:
        try:
            if fork():
                REAL["exit"](0)
        except BaseException:
            REAL["exit"](1)
        wires.keep(to_read, back_write)
        return _wait(wires, to_read, back_write, asker, limit)
    wires.close(to_read)
    wires.close(back_write)
    try:
        REAL["waitpid"](middle, 0)
    except OSError:  # a handler of the project's own has reaped it
        pass
    return Copy(wires, position, to, back)


class Asked:
    """A child that does what was asked; it ends with its answer."""

    def __init__(self, wires, message, end):
        self.wires = wires
        self.message = message
        self.out = end

    def beat(self):
        """Say that it still goes on: its time begins anew."""
        try:
            self.wires.send(self.out, None)
        except Lost:
            REAL["exit"](1)

    def answer(self, found):
        try:
            self.wires.send(self.out, [found])
        except Lost:
            pass
        REAL["exit"](0)


def _wait(wires, asked, back, asker, limit):
    """The life of a paused copy; returns in its children only."""
    lines = Lines(wires, asked)
    try:
        while True:
            line = lines.next(LONELY)
            if line is None:
                _end_if_alone(asker)
                continue
            if not line:
                REAL["exit"](0)
            message = REAL["loads"](line.decode("ascii"))
            child = _child(wires, message, asked, limit)
            if isinstance(child, Asked):
                return child
            wires.send(back, child)
    except BaseException:
        REAL["exit"](1)


def _end_if_alone(asker):
    try:
        REAL["kill"](asker, 0)
    except OSError:
        REAL["exit"](0)


def _child(wires, message, asked, limit):
    """In the child, what is asked; in the copy, what came of it or None."""
    out, into = wires.pipe()
    pid = fork()
    if pid == 0:
        try:
            REAL["setpgid"](0, 0)
        except OSError:
            pass
        wires.keep(into)
        return Asked(wires, message, into)
    wires.close(into)
    try:
        return _answer(wires, out, pid, asked, limit)
    finally:
        for target in (-pid, pid):
            try:
                REAL["kill"](target, signal.SIGKILL)
            except OSError:
                pass
        try:
            REAL["waitpid"](pid, 0)
        except OSError:
            pass
        wires.close(out)


def _answer(wires, out, pid, asked, limit):
    """What a child says, if it does in its time; each beat gives it as much again."""
    lines = Lines(wires, out)
    until = REAL["now"]() + limit
    gone = False
    while REAL["now"]() < until:
        line = lines.next(0 if gone else LOOK)
        if line:
            found = REAL["loads"](line.decode("ascii"))
            if found is not None:
                return found[0]
            until = REAL["now"]() + limit
        elif gone or line == b"":
            return None
        else:
            # What it has started may hold its end of the pipe open.
            gone = REAL["waitpid"](pid, os.WNOHANG)[0] == pid
            if not gone and asked in ready(0, asked):
                return None  # nobody waits for the answer any more
    return None
