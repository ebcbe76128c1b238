"""What is seen inside one process, and gets out even if the process dies.

Every event is one JSON line, sent at once as this process's own stream. Runs on
Python 3.7 and newer, with the standard library only.
"""

from __future__ import annotations

import _socket
import faulthandler
import hashlib
import json
import os
import sys
import time
from _thread import allocate_lock, start_new_thread

from fairtrial_frames import Frames
from fairtrial_guard import sources, tracers

#: Kept where tests that replace clocks and exits do not look for them.
REAL = {
    "exit": os._exit,
    "now": time.monotonic,
    "wall": time.time,
    "pid": os.getpid,
    "open": os.open,
    "close": os.close,
    "write": os.write,
    "dumps": json.dumps,
}
#: A socket's path may have 107 bytes; behind a folder's descriptor it is short.
LONGEST_SOCKET = 100


def read_plan():
    """The plan of this process; the environment is given back as it was found.

    A pytest that a test starts is thereby a plain pytest, without plugin or plan.
    """
    path = os.environ.pop("FAIRTRIAL_PLAN", None)
    if path is None:
        return None
    for name, mine, separator in (
        ("PYTEST_ADDOPTS", "-p fairtrial_pytest", " "),
        ("PYTHONPATH", os.path.dirname(path), os.pathsep),
    ):
        value = os.environ.get(name, "")
        if value == mine:
            del os.environ[name]
        elif value.endswith(separator + mine):
            os.environ[name] = value[: -len(separator + mine)]
    with open(path, encoding="ascii") as stream:
        return json.load(stream)


class Channel:
    """Says events as they happen; a fork of this process stays silent.

    Where the bench has a channel, they go to a process that keeps them out of the
    tests' reach; else they are appended to this process's own file.
    """

    def __init__(self, plan, worker):
        self.pid = REAL["pid"]()
        self.folder = plan["outputs"]
        self.socket = plan.get("channel")
        self.stem = "%s-%d" % (worker, self.pid)
        self.fd = None
        self.write(
            "begin",
            token=plan["token"],
            worker=worker,
            mode=plan["mode"],
            wall=round(REAL["wall"](), 6),
        )

    def beside(self, kind, ending):
        """A file of this process's own, which tests can reach."""
        return os.path.join(self.folder, self.name(kind, ending))

    def name(self, kind, ending):
        return "%s-%s.%s" % (kind, self.stem, ending)

    def open(self, kind, ending):
        """A descriptor to write one stream to."""
        if self.socket is not None:
            return connect(self.socket, self.name(kind, ending))
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        return REAL["open"](self.beside(kind, ending), flags, 0o644)

    def send_whole(self, kind, ending, data):
        """One stream with all that it will ever hold."""
        descriptor = self.open(kind, ending)
        try:
            write_all(descriptor, data)
        finally:
            REAL["close"](descriptor)

    def write(self, event, **fields):
        if REAL["pid"]() != self.pid:
            return
        fields["e"] = event
        fields["t"] = round(REAL["now"](), 6)
        line = (REAL["dumps"](fields) + "\n").encode("ascii")
        for _ in range(2):
            try:
                if self.fd is None:
                    self.fd = self.open("events", "jsonl")
                write_all(self.fd, line)
                return
            except OSError:  # a test closed every descriptor that it could find
                self.fd = None


def connect(path, name):
    """A descriptor of a stream of this name, kept by the bench's collector.

    The library's own `socket` is what tests switch off or replace.
    """
    client = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    client.settimeout(None)
    folder = None
    try:
        if len(os.fsencode(path)) > LONGEST_SOCKET:
            folder = REAL["open"](os.path.dirname(path), os.O_RDONLY)
            path = "/proc/self/fd/%d/%s" % (folder, os.path.basename(path))
        client.connect(path)
        descriptor = client.detach()
    finally:
        client.close()
        if folder is not None:
            REAL["close"](folder)
    write_all(descriptor, name.encode("ascii") + b"\n")
    return descriptor


def write_all(descriptor, data):
    while data:
        data = data[REAL["write"](descriptor, data) :]


class Witness:
    """What one process knows of its tests."""

    def __init__(self, plan, worker):
        self.plan = plan
        self.frames = Frames(plan["workspace"])
        self.rootdir = self.frames.workspace
        self.channel = Channel(plan, worker)
        #: True in the process that hands tests to workers and runs none itself.
        self.controls = False
        #: True in a fork that asks a test and reports nothing itself.
        self.asking = False
        #: The planned files that this process's own arguments reach.
        self.covered = []
        self.running = None
        self.phase = "setup"
        self.details = {}
        self.compared = None
        self.watchdog = None
        #: What tests wait for and reach out to; given once all of this is there.
        self.waits = self.reached = None
        self.loaded = set()
        self.steering = set()

    def name(self, nodeid):
        """The node's id with its file named from the workspace, not from rootdir."""
        file, separator, rest = str(nodeid).partition("::")
        path = os.path.normpath(os.path.join(self.rootdir, file))
        inside = self.frames.inside(path)
        return (file if inside is None else inside) + separator + rest

    def exception(self, error):
        return self.frames.exception(error, self.compared)

    def last_words(self, cause, code=None):
        """The last event of a process that ends inside a test."""
        self.waits.last_words()
        self.channel.write(
            "ending",
            id=self.running,
            phase=self.phase,
            cause=cause,
            code=code,
            frames=self.frames.of_main_thread(),
        )

    def watch(self):
        """From now on a test that takes too long, exits or crashes leaves its trace."""
        self.watchdog = Watchdog(self)
        start_new_thread(self.watchdog.run, ())
        self.waits.start()
        faulthandler.enable(file=self.watchdog.fault_file, all_threads=False)
        os._exit = self.exit

    def exit(self, code):
        if self.running is not None and REAL["pid"]() == self.channel.pid:
            caller = sys._getframe(1).f_globals.get("__name__")
            timed_out = caller == "pytest_timeout"
            self.last_words("project_timeout" if timed_out else "exit", code)
        REAL["exit"](code)

    def begin_test(self, nodeid):
        self.running, self.phase = self.name(nodeid), "setup"
        self.watchdog.generation += 1
        self.channel.write("start", id=self.running)
        self.waits.begin(self.running)
        # pytest and tests move the fault handler elsewhere.
        faulthandler.enable(file=self.watchdog.fault_file, all_threads=False)

    def end_test(self):
        self.waits.end()
        self.reached.over(self.running)
        self.channel.write("stop", id=self.running)
        self.running = None

    def tell_loaded(self, plugins):
        """Repository files among the modules, and installed copies of such files.

        Plug-ins are modules, too: of several conftest files of one name only the last
        stays in `sys.modules`.
        """
        for module in [*sys.modules.values(), *plugins]:
            path = file_of(module)
            if path is None or path in self.loaded:
                continue
            self.loaded.add(path)
            inside = self.frames.inside(path) if path.endswith(".py") else None
            if inside is not None:
                place = os.path.join(self.frames.workspace, inside)
                self.channel.write("loaded", path=inside, sha256=sha256(place))
            elif "-packages" + os.sep in path:
                self.tell_installed(path)

    def tell_steering(self, callers):
        """Repository files that hold an implementation of a pytest hook."""
        for caller in list(callers):
            for each in getattr(caller, "get_hookimpls", list)():
                found = {self.frames.inside(path) for path in hook_sources(each)}
                for inside in sorted(found - self.steering - {None, ""}):
                    self.steering.add(inside)
                    self.channel.write("steering", path=inside)

    def tell_early(self, paths):
        """Repository files that were loaded before this plugin.

        A file beside the sources can stand in for a library that pytest needs.
        """
        found = {self.frames.inside(path) for path in paths if isinstance(path, str)}
        for inside in sorted(found - self.steering - {None, ""}):
            self.steering.add(inside)
            self.channel.write("steering", path=inside)

    def tell_replaced(self, replaced):
        """What stands where pytest's or our own functions stood, and whose it is.

        Where no file of the repository shows, what was replaced is named instead: a
        mock or a built-in function is nobody's.
        """
        for target, value in replaced:
            found = {self.frames.inside(path) for path in sources(value)}
            for each in sorted(found - {None, ""}) or ["<%s>" % target]:
                if each not in self.steering:
                    self.steering.add(each)
                    self.channel.write("steering", path=each, target=target)

    def look_at(self, guard, item):
        """Tell who had a test call something else than what was collected."""
        for target, value in guard.swapped(item):
            code = getattr(getattr(value, "__func__", value), "__code__", None)
            inside = None if code is None else self.frames.inside(code.co_filename)
            if inside:
                self.tell_replaced([(target, value)])

    def look_around(self, guard, relay, *, everything=False):
        """Tell what acts on the runner now that did not at the last look."""
        if guard.new_hooks(relay):
            self.tell_steering(vars(relay).values())
        replaced = guard.replaced(everything=everything)
        for each in tracers():
            if any(self.frames.inside(path) for path in sources(each)):
                replaced.append(("sys.settrace", each))
        if replaced:
            self.tell_replaced(replaced)

    def tell_installed(self, path):
        """An installed file that the workspace has under the same name."""
        tail = path.rpartition("-packages" + os.sep)[2].replace(os.sep, "/")
        for root in ("", "src/", "lib/"):
            if os.path.isfile(os.path.join(self.frames.workspace, root + tail)):
                self.channel.write("installed", path=root + tail, at=path)


class Watchdog:
    """Ends the process when one test takes too long.

    Its thread is none that `threading` counts, since tests count threads.

    It counts waits and reads no clock, since tests replace clocks. Should it be kept
    from running at all, by native code that holds the interpreter's lock, then the
    fault handler's own thread, which needs no lock, ends the process a little later.
    """

    TICKS = 20

    def __init__(self, witness):
        self.witness = witness
        self.limit = witness.plan["test_timeout"]
        self.fault_file = os.fdopen(witness.channel.open("fault", "txt"), "wb", 0)
        #: Grows by one with each test.
        self.generation = 0
        self.pause = allocate_lock()
        self.pause.acquire()
        # A fork would inherit the fault handler's wish for a thread that it does not
        # have, and wait for it for ever when it ends.
        self.arming = allocate_lock()
        os.register_at_fork(
            before=self.disarm,
            after_in_parent=self.arming.release,
            after_in_child=self.arming.release,
        )

    def arm(self):
        with self.arming:
            faulthandler.dump_traceback_later(
                self.limit * 1.25, exit=True, file=self.fault_file
            )

    def disarm(self):
        self.arming.acquire()
        faulthandler.cancel_dump_traceback_later()

    def run(self):
        seen = ticks = 0
        while REAL["pid"]() == self.witness.channel.pid:
            self.arm()
            self.pause.acquire(timeout=self.limit / self.TICKS)
            if self.witness.running is None or self.generation != seen:
                seen, ticks = self.generation, 0
                continue
            ticks += 1
            if ticks >= self.TICKS:
                self.witness.last_words("test_timeout")
                REAL["exit"](1)


def hook_sources(hookimpl):
    """The files of a hook's code, behind its decorators, and of what registered it."""
    function = getattr(hookimpl.function, "__func__", hookimpl.function)
    for _ in range(10):
        if hasattr(function, "__code__"):
            yield function.__code__.co_filename
        function = getattr(function, "__wrapped__", None)
    plugin = hookimpl.plugin
    for module in (plugin, sys.modules.get(type(plugin).__module__)):
        path = file_of(module)
        if path is not None:
            yield path


def file_of(module):
    """Where a module says that it is from, without waking one that loads itself.

    What stands among the modules may be anything, and refuse to be asked.
    """
    try:
        path = object.__getattribute__(module, "__dict__").get("__file__")
    except Exception:
        path = None
    if path is None:
        try:
            path = getattr(module, "__file__", None)
        except Exception:
            return None
    return str.__str__(path) if issubclass(type(path), str) else None


def sha256(path):
    """The digest of a file as it is now; empty where it can't be read."""
    try:
        with open(path, "rb") as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError:
        return ""
