"""In which calls a test spends its time without computing, seen by samples.

A thread that `threading` does not count looks at the test's stack, first a quarter of
a second after the test began and then ever more seldom. Time counts as waited when
the thread neither ran nor wanted a processor in it. Clocks are read as they were
before any test, and locals of the project's frames are left alone. Runs on Python 3.7
and newer, with the standard library only.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from _thread import allocate_lock, get_ident, start_new_thread

from fairtrial_names import Sources, called, is_machinery, place
from fairtrial_tasks import tasks_of
from fairtrial_witness import REAL

MINE = {
    "read": os.read,
    "clock": getattr(time, "clock_gettime", None),
    "clock_of": getattr(time, "pthread_getcpuclockid", None),
    "native": getattr(threading, "get_native_id", None),
    "frames": sys._current_frames,
}
#: Seconds between two samples, at first and at most.
FIRST, SELDOM = 0.25, 2.0
#: A wait is told when it took this many seconds, and this share of its test.
LONG, MOST = 1.0, 0.5
#: Less than this share of a time may be work in it for it to be a wait.
WORKING = 0.25
#: Told while it lasts, at this many seconds and at each doubling: the process may be
#: killed from outside before the test ends.
MEANWHILE = 5.0
DEEPEST, TOLD_FRAMES, MOST_THREADS, MOST_SAMPLES = 300, 12, 20, 4000


class Waits:
    """Watches the tests of one process."""

    def __init__(self, witness, aside):
        self.witness, self.aside = witness, aside
        self.pause = allocate_lock()
        self.pause.acquire()
        self.sources = Sources(read)
        #: The test that is running; another object for each, so that two threads
        #: need no lock that a fork could leave locked.
        self.now = None
        #: Whether a file is the project's, and what a place in a function is called.
        self.ours, self.known = {}, {}

    def start(self):
        start_new_thread(self.run, ())

    def begin(self, test):
        self.now = Watched(test, get_ident(), REAL["now"]())

    def end(self):
        """Tell where the time of a test went, now that it is over."""
        watched, self.now = self.now, None
        if watched is None or not watched.threads:
            return
        try:
            watched.over(REAL["now"](), self.busy)
            self.tell(watched)
        except Exception:  # it is no result, and must not cost one
            pass

    def last_words(self):
        """The same, from another thread, of a test that will not end."""
        watched = self.now
        try:
            if watched is not None and watched.threads:
                self.tell(watched)
        except Exception:
            pass

    def run(self):
        pause, seen = FIRST, None
        while REAL["pid"]() == self.witness.channel.pid:
            self.pause.acquire(timeout=pause)
            watched = self.now
            if watched is None or watched is not seen:
                pause, seen = FIRST, watched
                continue
            try:
                self.sample(watched)
            except Exception:  # whatever a project made of its frames and modules
                watched.threads.clear()
            pause = min(SELDOM, pause * 1.15)

    def sample(self, watched):
        frames = MINE["frames"]()
        now = REAL["now"]()
        main = frames.get(watched.ident)
        if main is None or self.now is not watched:
            return
        watched.add(watched.ident, now, self.busy(watched.ident), self.key(main))
        me, threads = get_ident(), dict(threading._active)
        for ident, frame in list(frames.items())[:MOST_THREADS]:
            thread = threads.get(ident)
            if thread is None or ident in (me, watched.ident):
                continue
            # Before Python 3.9 those of a pool were daemons.
            if getattr(thread, "_daemonic", True) and not in_pool(frame):
                continue
            key = self.key(frame)
            if key is not None:
                watched.add(ident, now, self.busy(ident, thread), key)
        if watched.worst() >= watched.told * 2 and watched.worst() >= MEANWHILE:
            watched.told = watched.worst()
            self.tell(watched)

    def busy(self, ident, thread=None):
        """Seconds in which a thread ran or waited for a processor; None: unknown."""
        native = getattr(thread, "native_id", None)
        if thread is None:
            native = getattr(threading._active.get(ident), "native_id", None)
            native = native or (ident == threading.main_thread().ident and os.getpid())
        if type(native) is int:
            try:
                said = read("/proc/self/task/%d/schedstat" % native, 200).split()
                return (int(said[0]) + int(said[1])) / 1e9
            except (OSError, ValueError, IndexError):
                pass
        if thread is None and MINE["clock_of"] is not None:
            try:
                return MINE["clock"](MINE["clock_of"](ident))
            except (OSError, ValueError, OverflowError):
                pass
        return None

    def key(self, frame):
        """(call, where, stack) of what a thread is at; None: nothing of a test's."""
        stack = []
        while frame is not None and len(stack) < DEEPEST:
            stack.append((frame.f_code, frame.f_lineno, frame.f_lasti, frame))
            frame = frame.f_back
        stack.reverse()
        for coroutine in tasks_of(stack):
            found = self.named(coroutine)
            if found is not None and found[1]:
                return found
        return self.named(stack)

    def named(self, stack):
        """The outermost library call below the innermost frame of the project."""
        last = None
        for number, (code, _, _, _) in enumerate(stack):
            if self.inside(code.co_filename):
                last = number
        below = [each for each in stack[(last or 0) :] if not is_machinery(each[0])]
        where = ""
        if last is not None:
            code, line, instruction, frame = stack[last]
            where = "%s:%d" % (self.inside(code.co_filename), line)
            below = below[1:] if below and below[0] is stack[last] else below
        if not below and last is None:
            return None
        if below:
            call = self.call(below)
        else:
            call = self.sources.expression(
                code.co_filename, place(code, line, instruction), frame
            )
        if not call:
            return None
        key = (call, where)
        if key not in self.known:
            self.known[key] = [
                "%s:%d %s" % (self.short(code), line, code.co_name)
                for code, line, _, _ in stack
                if not is_machinery(code)
            ][-TOLD_FRAMES:]
        return key

    def call(self, below):
        """The name of the first frame that has one of its own."""
        for code, _, _, frame in below[:3]:
            plain = code.co_name[:1] != "<" and "wrap" not in code.co_name
            if plain and code.co_name not in ("inner", "decorated", "decorator"):
                return called(code, frame.f_globals)
        return called(below[0][0], below[0][3].f_globals)

    def inside(self, path):
        if path not in self.ours:
            inside = None if path[:1] == "<" else self.witness.frames.inside(path)
            self.ours[path] = inside
        return self.ours[path]

    def short(self, code):
        inside = self.inside(code.co_filename)
        return inside or "/".join(code.co_filename.split(os.sep)[-2:])

    def tell(self, watched):
        for call, where, seconds, total in watched.waits():
            self.aside.write(
                "waited",
                id=watched.test,
                call=call[:300],
                where=where[:1000],
                seconds=round(seconds, 3),
                total=round(total, 3),
                stack=[each[:500] for each in self.known.get((call, where), ())],
            )


class Watched:
    """Samples of one test: for each thread (time, busy seconds, what it was at)."""

    def __init__(self, test, ident, begun):
        self.test, self.ident, self.begun = test, ident, begun
        self.threads = {}
        self.told = 0.0

    def add(self, ident, now, busy, key):
        samples = self.threads.setdefault(ident, [])
        if len(samples) < MOST_SAMPLES:
            samples.append((now, busy, key))

    def over(self, now, busy):
        """A last sample of the test's own thread, which is at its end."""
        samples = self.threads.get(self.ident)
        if samples:
            self.add(self.ident, now, busy(self.ident), samples[-1][2])

    def worst(self):
        return max((found[2] for found in self.waits()), default=0.0)

    def waits(self):
        """(call, where, seconds, seconds of the test) of what took most, the test's
        own thread first."""
        found, threads = [], dict(self.threads)
        if self.ident not in threads:
            return found
        total = threads[self.ident][-1][0] - self.begun
        for ident in sorted(threads, key=lambda each: each != self.ident):
            samples = list(threads[ident])
            spent = spending(self.begun, samples)
            for key, seconds in sorted(spent.items(), key=lambda each: -each[1])[:1]:
                if seconds > LONG and seconds > MOST * total:
                    found.append((key[0], key[1], seconds, total))
        return found[:4]


def in_pool(frame):
    """Whether a thread works for an executor."""
    for _ in range(DEEPEST):
        if frame is None:
            break
        if frame.f_code.co_filename.endswith("concurrent/futures/thread.py"):
            return True
        frame = frame.f_back
    return False


def spending(begun, samples):
    """Seconds waited in each call.

    The time between two samples is its call's if both were at it, and half each one's
    else. What came before the first is that call's, if the wait went on after it.
    """
    spent = {}
    for number in range(1, len(samples)):
        then, then_busy, then_key = samples[number - 1]
        now, busy, key = samples[number]
        passed = now - then
        worked = 0.0 if None in (busy, then_busy) else busy - then_busy
        if passed <= 0 or worked >= WORKING * passed:
            continue
        for each in (then_key, key):
            if each is not None:
                spent[each] = spent.get(each, 0.0) + passed / 2
        if number == 1 and key is not None and key == then_key:
            spent[key] += then - begun
    return spent


def read(path, limit):
    """The beginning of a file, whatever tests made of `open`."""
    descriptor = REAL["open"](path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        data = b""
        while len(data) < limit:
            more = MINE["read"](descriptor, limit - len(data))
            if not more:
                break
            data += more
        return data
    finally:
        REAL["close"](descriptor)
