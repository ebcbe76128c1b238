"""Why a copy of this process would not do as the process does: threads, connections.

Runs on Python 3.7 and newer, with the standard library only.
"""

from __future__ import annotations

import _socket
import os
import sys
import threading
from _thread import get_ident

#: Libraries whose own threads, devices or connections do not outlive a fork, with
#: what of them shows that they are in use; None: being loaded is enough.
LIBRARIES = (
    ("grpc", "_channel", "gRPC"),
    ("ray", "_private", "Ray"),
    ("tensorflow", None, "TensorFlow"),
    ("jpype", None, "JPype's Java machine"),
    ("jnius", None, "Pyjnius's Java machine"),
    ("py4j.java_gateway", None, "Py4J's Java machine"),
    ("objc", None, "Objective-C"),
    ("PyQt5.QtWidgets", None, "Qt"),
    ("PyQt6.QtWidgets", None, "Qt"),
    ("PySide2.QtWidgets", None, "Qt"),
    ("PySide6.QtWidgets", None, "Qt"),
)
#: Room that has to be left for the tests themselves, in bytes.
SPARE = 256 << 20


def hostile(mine):
    """Why forks can't be trusted here, in a few words; empty where they can.

    `mine` is a descriptor that what is seen is told to: others that lead to the same
    end are ours, too.
    """
    return (
        _platform() or _threads() or _libraries() or _loops() or _sockets(_peer(mine))
    )


def _platform():
    return "" if hasattr(os, "fork") else "this system can't fork"


def _threads():
    """Threads that run code of Python's; those of number libraries outlive a fork."""
    main = threading.main_thread().ident
    names = {each.ident: each.name for each in threading.enumerate()}
    for number, frame in sys._current_frames().items():
        if number not in (main, get_ident()) and not _is_ours(frame):
            return "a thread is running: %s" % str(names.get(number, "unnamed"))[:100]
    return ""


def _is_ours(frame):
    folder = os.path.dirname(__file__)
    while frame is not None:
        if os.path.dirname(frame.f_code.co_filename) == folder:
            return True
        frame = frame.f_back
    return False


def _libraries():
    modules = sys.modules
    for name, part, said in LIBRARIES:
        if name in modules and (part is None or "%s.%s" % (name, part) in modules):
            return "%s is loaded" % said
    try:
        if "torch" in modules and modules["torch"].cuda.is_initialized():
            return "CUDA is in use"
    except Exception:
        return "PyTorch is loaded"
    try:
        if getattr(modules.get("gevent.monkey"), "saved", None):
            return "gevent has replaced parts of the library"
        patched = getattr(modules.get("eventlet.patcher"), "already_patched", None)
        if patched:
            return "eventlet has replaced parts of the library"
        active = getattr(modules.get("multiprocessing.process"), "_children", ())
        if any(each.exitcode is None for each in list(active)):
            return "processes of multiprocessing are running"
    except Exception:
        return "something of this process can't be looked at"
    return ""


def _loops():
    events = sys.modules.get("asyncio.events")
    running = getattr(events, "_get_running_loop", None)
    try:
        return "an event loop is running" if running and running() else ""
    except Exception:
        return "an event loop is running"


def _peer(number):
    """The name of what a socket is connected to; None where there is none."""
    try:
        copy = _socket.socket(fileno=os.dup(number))
    except (OSError, TypeError):
        return None
    try:
        return copy.getpeername()
    except OSError:
        return None
    finally:
        copy.close()


def _sockets(ours):
    """Connections that two processes would share; a pair of both ends is none."""
    try:
        names = os.listdir("/proc/self/fd")
    except OSError:
        return ""
    for name in names:
        try:
            if not os.readlink("/proc/self/fd/" + name).startswith("socket:"):
                continue
            if ours and _peer(int(name)) == ours:
                continue
            said = _connected(int(name))
        except OSError:
            continue
        if said:
            return said
    return ""


def _connected(number):
    copy = _socket.socket(fileno=os.dup(number))
    try:
        inet = copy.family in (_socket.AF_INET, _socket.AF_INET6)
        try:
            peer = copy.getpeername()
        except OSError:
            peer = None
        if inet and peer is not None:
            return "a connection is open to %s" % (peer,)
        stream = copy.type == _socket.SOCK_STREAM
        if (
            inet
            and stream
            and copy.getsockopt(_socket.SOL_SOCKET, _socket.SO_ACCEPTCONN)
        ):
            return "a socket is listening at %s" % (copy.getsockname(),)
        # A pair of sockets has no names, and both its ends are here.
        if copy.family == _socket.AF_UNIX and peer is not None:
            if peer or copy.getsockname():
                return "a connection is open to %s" % (peer or "a Unix socket",)
        return ""
    finally:
        copy.close()


def room():
    """How many copies memory has room for; many where nothing tells."""
    try:
        with open("/proc/self/statm") as file:
            mine = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        left = _available() - SPARE
    except (OSError, ValueError, IndexError):
        return 1 << 16
    # What a copy shares with the others costs nothing; half of it stays shared, as a
    # rule.
    return max(0, int(left // max(1, mine // 2)))


def _available():
    found = []
    with open("/proc/meminfo") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                found.append(int(line.split()[1]) * 1024)
    try:
        with open("/sys/fs/cgroup/memory.max") as file:
            limit = int(file.read())
        with open("/sys/fs/cgroup/memory.current") as file:
            found.append(limit - int(file.read()))
    except (OSError, ValueError):
        pass  # no limit, or none that can be read
    return min(found)
