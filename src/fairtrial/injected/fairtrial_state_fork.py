"""How a test is asked in a fork of this process, and what came of it.

A fork has one thread and shares open connections with its parent: where the project
runs threads or talks to a server, nothing is forked. Python 3.7 and newer, standard
library and pytest only.
"""

from __future__ import annotations

import copy
import json
import os
import pickle
import select
import signal
import struct
import time

import fairtrial_search_hostile
from fairtrial_state_parts import Random

REAL = {
    "fork": os.fork,
    "exit": os._exit,
    "kill": os.kill,
    "waitpid": os.waitpid,
    "pipe": os.pipe,
    "read": os.read,
    "write": os.write,
    "close": os.close,
    "setsid": os.setsid,
    "killpg": os.killpg,
    "clock": time.monotonic,
    "select": select.select,
}
#: Bytes of what a fork says; details of failures are cut before.
MOST = 1 << 20


def hostile(witness):
    """Why a fork of this process would not do as the process does; empty: it would."""
    return fairtrial_search_hostile.hostile(witness.channel.fd)


class Ear:
    """Hears in a fork what would be said into the channel."""

    fd = socket = pid = None

    def __init__(self):
        self.events = []

    def write(self, event, **fields):
        if event in ("start", "phase", "stop"):
            self.events.append(dict(fields, e=event))


def ask(witness, item, prepare):
    """What a fork reports of one test after it has prepared itself; None: nothing."""
    reading, writing = REAL["pipe"]()
    drawn = Random().keep()
    child = REAL["fork"]()
    if child == 0:
        try:
            REAL["setsid"]()
            REAL["close"](reading)
            _as_drawn(drawn)
            prepare()
            events = _run(witness, item)
            _write(writing, json.dumps(events).encode("ascii")[:MOST])
        finally:
            REAL["exit"](0)
    REAL["close"](writing)
    try:
        said = _read(reading, witness.plan["test_timeout"])
    finally:
        REAL["close"](reading)
        for end in (REAL["killpg"], REAL["kill"]):
            try:
                end(child, signal.SIGKILL)
            except OSError:
                pass
        REAL["waitpid"](child, 0)
    try:
        return json.loads(said.decode("ascii"))
    except ValueError:
        return None


def _as_drawn(states):
    """A fork draws other numbers than its parent would, unless it is told not to."""
    for name, state in states.items():
        Random().put(name, state)


def _run(witness, item):
    """The whole of one test, without what only tears down what others share."""
    ear = witness.channel = Ear()
    witness.asking = True
    reporter = item.config.pluginmanager.getplugin("terminalreporter")
    if reporter is not None and hasattr(reporter, "_tw"):
        reporter._tw._file = open(os.devnull, "w")  # noqa: SIM115 - ends with the fork
    # A copy as the next test: everything that the two share stays set up.
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=copy.copy(item))
    return ear.events


def _read(descriptor, seconds):
    """All that comes until the other end is closed; empty when it takes too long."""
    chunks, deadline = [], REAL["clock"]() + seconds
    while True:
        left = deadline - REAL["clock"]()
        if left <= 0 or not REAL["select"]([descriptor], [], [], left)[0]:
            return b""
        chunk = REAL["read"](descriptor, 1 << 16)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)


def _write(descriptor, data):
    while data:
        data = data[REAL["write"](descriptor, data) :]


class Keeper:
    """A process as it was before any test, which asks in forks of its own.

    It is nobody's child here, so that a test that waits for its children does not
    wait for this one.
    """

    def __init__(self, witness, item, prepare):
        self.limit = witness.plan["test_timeout"]
        asking, self.asking = REAL["pipe"]()
        self.answers, answering = REAL["pipe"]()
        drawn = Random().keep()
        between = REAL["fork"]()
        if between == 0:
            try:
                REAL["setsid"]()
                if REAL["fork"]() == 0:
                    REAL["close"](self.asking)
                    REAL["close"](self.answers)
                    _as_drawn(drawn)
                    _keep(witness, item, prepare, asking, answering)
            finally:
                REAL["exit"](0)
        REAL["close"](asking)
        REAL["close"](answering)
        REAL["waitpid"](between, 0)

    def ask(self, values):
        """What the test reports with these values set; None: nothing."""
        data = pickle.dumps(values)
        try:
            _write(self.asking, struct.pack("!Q", len(data)) + data)
            said = _whole(self.answers, self.limit + 5)
        except OSError:
            return None
        return None if said is None else json.loads(said.decode("ascii"))

    def close(self):
        for descriptor in (self.asking, self.answers):
            try:
                REAL["close"](descriptor)
            except OSError:
                pass


def _keep(witness, item, prepare, asking, answering):
    while True:
        said = _whole(asking, None)
        if said is None:
            return
        values = pickle.loads(said)  # noqa: S301 - written by this very process

        def prepared():
            REAL["close"](asking)
            REAL["close"](answering)
            prepare(values)

        events = ask(witness, item, prepared)
        data = json.dumps(events).encode("ascii")
        _write(answering, struct.pack("!Q", len(data)) + data)


def _whole(descriptor, seconds):
    """One message; None when the other end is gone or it takes too long."""
    data, wanted = b"", 8
    while len(data) < wanted:
        if seconds is not None and not REAL["select"]([descriptor], [], [], seconds)[0]:
            return None
        chunk = REAL["read"](descriptor, min(wanted - len(data), 1 << 16))
        if not chunk:
            return None
        data += chunk
        if len(data) >= 8 and wanted == 8:
            wanted += struct.unpack("!Q", data[:8])[0]
    return data[8:]
