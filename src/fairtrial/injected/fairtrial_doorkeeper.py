"""Opens a trial's doors from outside its walls: what is there is hidden inside them.

Part of the launcher; standard library only. A process that is forked before the walls
go up stays where the servers are. The first process inside asks it for a connection
and is handed the connected socket itself, which stays of the network it was made in:
no byte passes through here, and no path or address is known to anyone inside.
"""

import array
import os
import select
import signal
import socket
import struct

from fairtrial_relay import Dialer, Loop, Relay, loopback
from fairtrial_walls import PR_SET_DUMPABLE, PR_SET_PDEATHSIG, prctl

#: (number of the question, number of the door), and (the question's, errno or 0).
_QUESTION = struct.Struct("II")
_ANSWER = struct.Struct("Ii")
_DESCRIPTOR = socket.CMSG_SPACE(struct.calcsize("i"))
_TAKEN = socket.SOL_SOCKET, socket.SCM_RIGHTS
#: What is told of shut doors; one is enough.
_MOST_TOLD = 20
#: Turns in which what was sent just before the end still goes its way.
_LAST_TURNS = 200


class DoorsLost(Exception):
    """The process outside is gone."""


class Keeper:
    """The process outside, and this side's end of what it is asked through."""

    def __init__(self, doors):
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _keep([(to, to_port) for _, to, to_port in doors], theirs)
            finally:
                os._exit(1)
        # Whoever ends everything may have reaped it, and its number be another's.
        self.handle = os.pidfd_open(self.pid)
        theirs.close()

    def leave(self):
        """Let go of the end that only the first process inside needs."""
        self.control.close()

    def end(self):
        """End the process; it may be gone already, with all others."""
        try:
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass


def _keep(places, control):
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    prctl(PR_SET_DUMPABLE, 0)
    # Nothing else of the launcher's may be held open here: whoever reads the other
    # ends waits for all of them.
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    kept = os.dup2(control.detach(), 3, inheritable=False)
    os.closerange(4, os.sysconf("SC_OPEN_MAX"))
    control = socket.socket(fileno=kept)
    control.setblocking(True)
    loop = Loop()
    dialer = Dialer(loop)
    open_ = [True]

    def asked(_):
        question = control.recv(_QUESTION.size)
        if not question:
            open_.clear()
            return
        number, door = _QUESTION.unpack(question)
        dialer.dial(places[door], lambda far, why: _answer(control, number, far, why))

    loop.want(control.fileno(), select.EPOLLIN, asked)
    while open_:
        loop.turn(loop.wait())


def _answer(control, number, far, why):
    handed = []
    if far is not None:
        handed = [(*_TAKEN, array.array("i", [far.fileno()]))]
    try:
        control.sendmsg([_ANSWER.pack(number, why)], handed)
    finally:
        if far is not None:
            far.close()


class Asking:
    """Stands in for a `Dialer` inside the walls; raises DoorsLost in a turn."""

    def __init__(self, loop, control, places):
        self._control = control
        self._doors = {place: number for number, place in enumerate(places)}
        self._asked = {}
        self._number = 0
        control.setblocking(False)
        loop.want(control.fileno(), select.EPOLLIN, self._told)

    def dial(self, place, done):
        """Call `done` with a connected socket, or with None and why, as an errno."""
        self._number = (self._number + 1) & 0xFFFFFFFF
        self._asked[self._number] = done
        try:
            self._control.send(_QUESTION.pack(self._number, self._doors[place]))
        except OSError as error:
            raise DoorsLost(_GONE) from error

    def _told(self, _):
        try:
            answer, passed, _, _ = self._control.recvmsg(_ANSWER.size, _DESCRIPTOR)
        except (BlockingIOError, InterruptedError):
            return
        if not answer:
            raise DoorsLost(_GONE)
        number, why = _ANSWER.unpack(answer)
        done = self._asked.pop(number)
        for level, kind, data in passed:
            if (level, kind) == _TAKEN:
                done(socket.socket(fileno=struct.unpack("i", data[:4])[0]), 0)
                return
        # This process has too many open, so the kernel dropped it on the way.
        done(None, why or _TOO_MANY)


_GONE = "what opens the trial's doors was ended from outside"
_TOO_MANY = 24


class Doors:
    """All doors of a trial, listening before it starts and served while it runs."""

    def __init__(self, doors, control):
        self._control = control
        self._listeners = [
            (loopback(port), (to, to_port)) for port, to, to_port in doors
        ]

    def serve(self, trial, told):
        """How the trial ended, as `wait` has it, with every other child reaped.

        `told` is called with a sentence for each door that turned out to be shut.
        """
        loop = Loop()
        woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        left = [_MOST_TOLD]

        def lost(sentence):
            left[0] -= 1
            if left[0] >= 0:
                told(sentence)

        places = [place for _, place in self._listeners]
        relay = Relay(loop, Asking(loop, self._control, places), lost)
        for listener, place in self._listeners:
            relay.open(listener, place)
        loop.want(woken, select.EPOLLIN, lambda _: os.read(woken, 512))
        while True:
            ended = _reaped(trial)
            if ended is not None:
                break
            loop.turn(loop.wait())
        for _ in range(_LAST_TURNS):
            if not loop.turn(0):
                break
        return ended


def _reaped(trial):
    """How the trial ended if it has, and no zombie left."""
    ended = None
    while True:
        try:
            pid, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == trial:
            ended = code
        if not pid:
            return ended
