"""Leads to one place from where no trial's walls are: beside containers, and outside.

Standard library only, from Python 3.6 on.

    fairtrial_porter.py stdio PLACE         from standard input and output, once a first
                                            byte has come; says "+", or "-" and why not
    fairtrial_porter.py porter SOCKET PLACE from a new Unix socket, for ever
    fairtrial_porter.py ports PORT PLACE…   from ports of the loopback, until standard
                                            input ends; says "+" when they are open
    fairtrial_porter.py probe PLACE         exit 0 when something accepts there, else
                                            says why not

A place is a Unix socket's path, or HOST:PORT.
"""

import os
import socket
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from fairtrial_relay import Dialer, Loop, Relay, addresses, loopback

_CHUNK = 1 << 18
#: Seconds for something to accept.
_PATIENCE = 10.0


def place_of(text):
    """(host, port), or (path, 0)."""
    if text.startswith("/"):
        return text, 0
    host, _, port = text.rpartition(":")
    return host, int(port)


def connected(place):
    """A socket connected to a place; raises OSError when nothing accepts there."""
    failed = OSError("nothing is known of it")
    for family, address in addresses(*place):
        far = socket.socket(family, socket.SOCK_STREAM)
        far.settimeout(_PATIENCE)
        try:
            far.connect(address)
        except OSError as error:
            far.close()
            failed = error
        else:
            far.settimeout(None)
            return far
    raise failed


def probe(place):
    """The exit code that says whether something accepts there."""
    try:
        connected(place).close()
    except (OSError, UnicodeError) as error:
        sys.stdout.write("%s\n" % (getattr(error, "strerror", None) or error))
        return 1
    return 0


def stdio(place):
    """Lead standard input and output there, until either end has no more to say."""
    if not os.read(0, 1):
        return 0
    try:
        far = connected(place)
    except (OSError, UnicodeError) as error:
        os.write(1, ("-%s" % (getattr(error, "strerror", None) or error)).encode())
        return 1
    os.write(1, b"+")
    threading.Thread(target=_inwards, args=(far,), daemon=True).start()
    try:
        data = far.recv(_CHUNK)
        while data:
            while data:
                data = data[os.write(1, data) :]
            data = far.recv(_CHUNK)
    except OSError:
        return 1
    return 0


def _inwards(far):
    try:
        data = os.read(0, _CHUNK)
        while data:
            far.sendall(data)
            data = os.read(0, _CHUNK)
        far.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # the other thread sees it, too, and ends


def _untold(_):
    """Who connects sees that it is shut; whoever wants to know more asks `probe`."""


def porter(path, place):
    """Listen on a new socket, for ever."""
    loop = Loop()
    relay = Relay(loop, Dialer(loop), _untold)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    os.chmod(path, 0o666)
    listener.listen(1024)
    relay.open(listener, place)
    while True:
        loop.turn(loop.wait())


def ports(pairs):
    """Listen on ports until standard input ends."""
    loop = Loop()
    relay = Relay(loop, Dialer(loop), _untold)
    try:
        for port, place in zip(pairs[::2], pairs[1::2]):
            relay.open(loopback(int(port)), place_of(place))
    except OSError as error:
        os.write(1, ("-%s" % error.strerror).encode())
        return 1
    os.write(1, b"+")
    ended = []
    loop.want(0, 1, ended.append)
    while not ended:
        loop.turn(loop.wait())
    return 0


def main(argv):
    kind, rest = argv[1], argv[2:]
    if kind == "stdio":
        return stdio(place_of(rest[0]))
    if kind == "probe":
        return probe(place_of(rest[0]))
    if kind == "porter":
        return porter(rest[0], place_of(rest[1]))
    return ports(rest)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
