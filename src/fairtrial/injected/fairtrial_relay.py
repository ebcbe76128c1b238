"""Leads from a port, or a socket, to one place elsewhere, byte by byte both ways.

Part of the launcher, of the helper inside containers, and of the porter beside them;
standard library only, from Python 3.6 on. A place is (host, port), or a Unix socket's
(path, 0). One process, any number of connections; what one end does not take yet is
not read from the other.
"""

import errno
import os
import resource
import select
import socket
import struct
import time

_CHUNK = 1 << 18
_IN, _OUT = select.EPOLLIN, select.EPOLLOUT
_BROKEN = select.EPOLLERR | select.EPOLLHUP
#: Connections that wait for their other end at one time; more wait in the kernel.
_MOST_WAITING = 64
#: Descriptors that are kept for everything else.
_SPARE = 64
#: Seconds for a socket whose queue is full to take one more, and between tries.
_PATIENCE = 20.0
_AGAIN = 0.005
#: How often a silent host is asked again, which takes 15 seconds in all.
_SYNS = 3
#: What says that this end is short of something, and nothing about the other.
_OWN_FAULT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
#: Connections that the kernel accepts ahead of this process.
_QUEUE = 1024
_BUFFER = memoryview(bytearray(_CHUNK))
_RESET = struct.pack("ii", 1, 0)
_NO_WAY = errno.EHOSTUNREACH


def addresses(host, port):
    """(family, address) of each way to a place; a path's port is 0."""
    if not port:
        return [(socket.AF_UNIX, host)]
    # As bytes: a name would be encoded by what walls may have hidden.
    found = socket.getaddrinfo(host.encode("ascii"), port, 0, socket.SOCK_STREAM)
    return [(family, address) for family, _, _, _, address in found]


def name_of(place):
    """A place as people write it."""
    host, port = place
    return "%s:%d" % (host, port) if port else host


class Loop:
    """What waits for descriptors: for itself, or in another poll as one of its own."""

    def __init__(self):
        self._epoll = select.epoll()
        self._masks = {}
        self._handlers = {}
        self._later = []
        self._closing = []

    def fileno(self):
        """Readable when `turn` has something to do."""
        return self._epoll.fileno()

    def want(self, descriptor, mask, handler=None):
        """Have a handler called when one of the mask's events comes; 0: never.

        The kernel tells of a broken connection even who did not ask, so a descriptor
        that nothing is wanted of is not asked about at all.
        """
        known = self._masks.get(descriptor, 0)
        if mask and known:
            if mask != known:
                self._epoll.modify(descriptor, mask)
        elif mask:
            self._epoll.register(descriptor, mask)
        elif known:
            self._epoll.unregister(descriptor)
        if mask:
            self._masks[descriptor] = mask
            if handler is not None:
                self._handlers[descriptor] = handler
        else:
            self._masks.pop(descriptor, None)
            self._handlers.pop(descriptor, None)

    def later(self, seconds, act):
        """Call it in a while."""
        self._later.append((time.monotonic() + seconds, act))

    def close(self, end, how):
        """Close a socket when this turn is over.

        Its number must not come again while events of it may still be at hand.
        """
        self.want(end.fileno(), 0)
        self._closing.append((end, how))

    def wait(self):
        """Milliseconds after which `turn` is due in any case; None: none is."""
        if not self._later:
            return None
        first = min(when for when, _ in self._later)
        return max(0, int(1000 * (first - time.monotonic())) + 1)

    def turn(self, wait=0):
        """Do what there is to do, after at most so many milliseconds; None: any.

        How much there was.
        """
        seconds = -1 if wait is None else wait / 1000.0
        events = self._epoll.poll(seconds, 256)
        for descriptor, mask in events:
            handler = self._handlers.get(descriptor)
            if handler is not None:
                handler(mask)
        for end, how in self._closing:
            how(end)
        self._closing.clear()
        if self._later:
            now = time.monotonic()
            due = [act for when, act in self._later if when <= now]
            self._later = [each for each in self._later if each[0] > now]
            for act in due:
                act()
        return len(events)


class Dialer:
    """Makes connections to (host, port), or (path, 0), without waiting for any."""

    def __init__(self, loop):
        self._loop = loop
        self._known = {}

    def dial(self, place, done):
        """Call `done` with a connected socket, or with None and why, as an errno."""
        try:
            ways = self._known.get(place) or addresses(*place)
        except (OSError, UnicodeError):
            # Said by the resolver in words of its own; asked again next time.
            done(None, _NO_WAY)
            return
        self._known[place] = ways
        self._try(list(ways), done, time.monotonic() + _PATIENCE)

    def _try(self, ways, done, until):
        family, address = ways[0]
        try:
            far = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:
            done(None, error.errno)
            return
        far.setblocking(False)
        if family != socket.AF_UNIX:
            far.setsockopt(socket.IPPROTO_TCP, socket.TCP_SYNCNT, _SYNS)
        failed = far.connect_ex(address)
        if failed == errno.EAGAIN and time.monotonic() < until:
            # The server's queue is full: it is there, and busy.
            far.close()
            self._loop.later(_AGAIN, lambda: self._try(ways, done, until))
        elif failed == errno.EINPROGRESS:
            self._await(far, ways, done, until)
        else:
            self._ended(far, failed, ways, done, until)

    def _await(self, far, ways, done, until):
        def ready(_):
            self._loop.want(far.fileno(), 0)
            failed = far.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            self._ended(far, failed, ways, done, until)

        self._loop.want(far.fileno(), _OUT, ready)

    def _ended(self, far, failed, ways, done, until):
        if not failed:
            done(far, 0)
            return
        self._loop.close(far, _plainly)
        if len(ways) > 1 and failed not in _OWN_FAULT:
            self._try(ways[1:], done, until)
        else:
            done(None, failed)


class Relay:
    """Accepts connections and leads each to its place; `lost` hears of shut ones."""

    def __init__(self, loop, dialer, lost):
        self.loop = loop
        self._dialer = dialer
        self._lost = lost
        self._listeners = {}
        self._waiting = 0
        self._pairs = 0
        self._paused = False
        self._most = _most_pairs()

    def open(self, listener, place):
        """Lead whoever connects to a listening socket to a place."""
        listener.setblocking(False)
        self._listeners[listener] = place
        self._listen(listener)

    def _listen(self, listener):
        place = self._listeners[listener]
        self.loop.want(listener.fileno(), _IN, lambda _: self._accept(listener, place))

    def _accept(self, listener, place):
        while self._waiting < _MOST_WAITING and self._pairs < self._most:
            try:
                near, _ = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:
                break
                self._waiting += 1
            self._pairs += 1
            self._dialer.dial(
                place, lambda far, why, n=near: self._met(place, n, far, why)
            )
        # What comes now waits in the kernel's queue until a connection has ended.
        self._paused = True
        for each in self._listeners:
            self.loop.want(each.fileno(), 0)

    def _meeting(self, place, near):
        return lambda far, why: self._met(place, near, far, why)

    def _met(self, place, near, far, why):
        self._waiting -= 1
        if far is None:
            self.loop.close(near, _reset)
            self._gone()
            if why not in _OWN_FAULT:
                self._lost("%s: %s" % (name_of(place), os.strerror(why)))
            return
        for end in (near, far):
            if end.family != socket.AF_UNIX:
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        Pair(self.loop, near, far, self._gone)
        self._resume()

    def _gone(self):
        self._pairs -= 1
        self._resume()

    def _resume(self):
        if self._paused and self._waiting < _MOST_WAITING and self._pairs < self._most:
            self._paused = False
            for each in self._listeners:
                self._listen(each)


class Way:
    """One direction of a pair: what was read from `source` and is owed to `sink`."""

    __slots__ = ("dead", "done", "ended", "owed", "sink", "source")

    def __init__(self, source, sink):
        self.source = source
        self.sink = sink
        #: What could not be sent yet; nothing more is read meanwhile.
        self.owed = None
        #: The source said that nothing more comes.
        self.ended = False
        #: The sink was told so.
        self.done = False
        #: The sink takes nothing any more; what comes is dropped.
        self.dead = False


class Pair:
    """Two connected sockets; each byte of one goes to the other, in order."""

    def __init__(self, loop, near, far, gone):
        near.setblocking(False)
        far.setblocking(False)
        self._loop = loop
        self._gone = gone
        self._out = Way(near, far)
        self._back = Way(far, near)
        self._want()

    def _event_near(self, mask):
        self._event(mask, self._out, self._back)

    def _event_far(self, mask):
        self._event(mask, self._back, self._out)

    def _event(self, mask, reading, writing):
        """Something at the socket that one way reads and the other writes."""
        try:
            if writing.owed is not None and mask & (_OUT | _BROKEN):
                self._send(writing, writing.owed)
            if reading.owed is None and not reading.ended and mask & (_IN | _BROKEN):
                self._read(reading)
        except OSError:  # it was reset: so is the other
            self._close(_reset)
            return
        out, back = self._out, self._back
        if out.done and back.done:
            self._close(_plainly)
        elif (out.done or out.dead) and (back.done or back.dead):
            self._close(_reset)
        else:
            self._want()

    def _read(self, way):
        try:
            size = way.source.recv_into(_BUFFER)
        except (BlockingIOError, InterruptedError):
            return
        if not size:
            way.ended = True
            self._finish(way)
        elif not way.dead:
            self._send(way, _BUFFER[:size])

    def _send(self, way, data):
        try:
            sent = way.sink.send(data)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            # It was closed there. What it said before may still be on its way here.
            way.dead = True
            way.owed = None
            return
        rest = data[sent:]
        if not rest:
            way.owed = None
        elif way.owed is None:
            way.owed = memoryview(bytes(rest))
        else:
            way.owed = rest

    def _finish(self, way):
        way.done = True
        try:
            way.sink.shutdown(socket.SHUT_WR)
        except OSError:
            way.dead = True

    def _want(self):
        self._want_of(self._out, self._back, self._event_near)
        self._want_of(self._back, self._out, self._event_far)

    def _want_of(self, reading, writing, handler):
        mask = 0
        if reading.owed is None and not reading.ended:
            mask = _IN
        if writing.owed is not None:
            mask |= _OUT
        self._loop.want(reading.source.fileno(), mask, handler)

    def _close(self, how):
        for end in (self._out.source, self._back.source):
            self._loop.close(end, how)
        self._gone()


def _plainly(end):
    end.close()


def _reset(end):
    """Close a socket so that the other side sees an error, and not a plain end."""
    if end.family != socket.AF_UNIX:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    end.close()


def _most_pairs():
    """How many connections this process can hold, with all that it may have."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return max(1, (hard - _SPARE) // 2)


def loopback(port):
    """A socket that listens on a port of the loopback."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(_QUEUE)
    except OSError as error:
        listener.close()
        raise OSError(
            error.errno, "port %d of the loopback: %s" % (port, error.strerror)
        ) from None
    return listener
