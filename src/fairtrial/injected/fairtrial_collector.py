"""What the tests' processes report, kept where none of them can change it again.

Part of the launcher and of the helper inside containers; standard library only, from
Python 3.6 on. A process connects to a socket, says in one line what its stream is
called, and then sends bytes. They are appended to a file of that name in a folder that
the tests' user can't open. Whatever a process does later, what it sent stays.

The stream of a name belongs to the process that opened it. Anything else that arrives
is a fault, told in the file FAULTS: whoever reads the results must not trust them.
"""

import _socket
import os
import re
import select
import struct

FAULTS = "faults"
#: The socket's name in its folder.
SOCKET = "channel"

_STREAM = re.compile(rb"[a-z]{1,20}-[A-Za-z0-9_.]{1,40}-[0-9]{1,10}\.[a-z]{1,10}")
_LONGEST_NAME = 80
_CHUNK = 1 << 16
#: Processes at one time; a suite has a few on each processor.
_MOST_CONNECTIONS = 400
#: Faults that are told; one is enough to trust nothing.
_MOST_FAULTS = 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Collector:
    """Listens in one folder, keeps in another; sizes in bytes."""

    def __init__(self, sockets, results, size, count):
        self.results = os.open(results, _FOLDER)
        self.left = size
        self.count = count
        self.faults = 0
        #: The process that each stream belongs to, by the stream's name.
        self.owners = {}
        self.connections = {}
        self.poll = None
        self.listener = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        at = os.open(sockets, _FOLDER)
        try:
            # A socket's path may have 107 bytes; this one is short wherever it is.
            path = "/proc/self/fd/%d/%s" % (at, SOCKET)
            self.listener.bind(path)
            os.chmod(path, 0o666)
        finally:
            os.close(at)
        self.listener.listen(128)
        self.listener.setblocking(False)

    def join(self, poll):
        """Have a poll wait for this, too; hand to `take` what it finds."""
        self.poll = poll
        poll.register(self.listener.fileno(), select.POLLIN)

    def take(self, descriptor):
        """What has arrived at one descriptor; others are none of this one's."""
        if descriptor == self.listener.fileno():
            self._accept()
        elif descriptor in self.connections:
            self._read(descriptor)

    def drain(self):
        """Everything that was sent and not yet taken, when no test runs any more."""
        self._accept()
        for descriptor in list(self.connections):
            while descriptor in self.connections and self._read(descriptor):
                pass

    def _accept(self):
        while True:
            try:
                descriptor, _ = self.listener._accept()
            except (BlockingIOError, InterruptedError):
                return
            except OSError as error:
                self._fault("a process could not connect: %s" % error.strerror)
                # It would be told again and again; who can't connect fails by itself.
                if self.poll is not None:
                    self.poll.unregister(self.listener.fileno())
                return
            os.set_inheritable(descriptor, False)
            os.set_blocking(descriptor, False)
            if len(self.connections) >= _MOST_CONNECTIONS:
                os.close(descriptor)
                self._fault("more than %d processes report" % _MOST_CONNECTIONS)
                continue
            self.connections[descriptor] = Connection(_peer(descriptor))
            if self.poll is not None:
                self.poll.register(descriptor, select.POLLIN)

    def _read(self, descriptor):
        """Whether something was there; a stream may end and be taken up again."""
        try:
            data = os.read(descriptor, _CHUNK)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:  # it was reset: what was read before stays
            data = b""
        connection = self.connections[descriptor]
        if not data:
            if connection.head:
                self._fault("a process said no whole name")
            self._close(descriptor)
            return False
        fault = self._keep(connection, data)
        if fault:
            self._fault(fault)
            self._close(descriptor)
        return not fault

    def _keep(self, connection, data):
        """Append what came; the fault in it, if there is one."""
        if connection.file is None:
            connection.head += data
            name, end, data = connection.head.partition(b"\n")
            if not end and len(name) <= _LONGEST_NAME:
                return None
            if not end or not _STREAM.fullmatch(name):
                connection.head = b""
                return "a process began with what is no name: %r" % name[:40]
            connection.head = b""
            fault = self._open(connection, name.decode("ascii"))
            if fault:
                return fault
        if len(data) > self.left:
            return "%s is more than is taken" % connection.name
        self.left -= len(data)
        while data:
            data = data[os.write(connection.file, data) :]
        return None

    def _open(self, connection, name):
        owner = self.owners.get(name)
        if owner not in (None, connection.peer):
            return "two processes claim to be %s" % name
        if owner is None and len(self.owners) >= self.count:
            return "more than %d streams" % self.count
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
        connection.file = os.open(name, flags, 0o600, dir_fd=self.results)
        connection.name = name
        self.owners[name] = connection.peer
        return None

    def _close(self, descriptor):
        connection = self.connections.pop(descriptor)
        if connection.file is not None:
            os.close(connection.file)
        if self.poll is not None:
            self.poll.unregister(descriptor)
        os.close(descriptor)

    def _fault(self, text):
        self.faults += 1
        if self.faults > _MOST_FAULTS:
            return
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
        file = os.open(FAULTS, flags, 0o600, dir_fd=self.results)
        try:
            os.write(file, (text + "\n").encode("utf-8", "replace"))
        finally:
            os.close(file)


class Connection:
    """One process's connection, and where what it says is kept."""

    def __init__(self, peer):
        self.peer = peer
        self.head = b""
        self.name = ""
        self.file = None


def _peer(descriptor):
    """The process at the other end, as the kernel names it."""
    both = _socket.socket(fileno=os.dup(descriptor))
    try:
        found = both.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    finally:
        both.close()
    return struct.unpack("i", found[:4])[0]
