"""What of a process is neither a module's nor on the disk: how it is now, and back.

Each part looks at one kind of thing and gives plain values by name, so that comparing
them runs no code of the project; `keep` gives what `put` takes to set it back. What
tests replace is taken here before any code of the project runs. Python 3.7 and newer,
standard library only.
"""

from __future__ import annotations

import _locale
import _random
import _signal
import os
import sys
import threading
import time
import warnings

from fairtrial_state_shown import ABSENT

REAL = {
    "getcwd": os.getcwd,
    "chdir": os.chdir,
    "umask": os.umask,
    "setlocale": _locale.setlocale,
    "getsignal": _signal.getsignal,
    "signal": _signal.signal,
    "tzset": time.tzset,
    "putenv": os.environ.__class__.__setitem__,
    "unsetenv": os.environ.__class__.__delitem__,
    "environ": os.environ,
    "filters": warnings.filters,
    "threads": threading.enumerate,
    "file": open,
}
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM", "SIGCHLD", "SIGUSR1", "SIGUSR2")
CATEGORIES = tuple(
    (name, getattr(_locale, name))
    for name in ("LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY")
)
HOOKS = ("excepthook", "displayhook", "unraisablehook", "stdout", "stderr", "stdin")
MOST_LOGGERS = 1000


class Environment:
    resource = "environment variable"
    #: What was found last, as it is kept and as names: reading them takes long.
    last = (None, None)

    def look(self):
        kept = REAL["environ"]._data
        if self.last[0] != kept:
            self.last = (dict(kept), dict(REAL["environ"]))
        return self.last[1]

    keep = look

    def put(self, name, value):
        if value is ABSENT:
            if name in REAL["environ"]:
                REAL["unsetenv"](REAL["environ"], name)
        else:
            REAL["putenv"](REAL["environ"], name, value)


class Directory:
    resource = "working directory"

    def look(self):
        try:
            return {"os.getcwd()": REAL["getcwd"]()}
        except OSError:
            return {"os.getcwd()": "(a folder that is gone)"}

    keep = look

    def put(self, name, value):
        REAL["chdir"](value)


class Locale:
    resource = "locale"

    def look(self):
        ask = REAL["setlocale"]
        return {"locale.%s" % name: ask(number, None) for name, number in CATEGORIES}

    keep = look

    def put(self, name, value):
        REAL["setlocale"](dict(CATEGORIES)[name[7:]], value)


class TimeZone:
    resource = "time zone"

    def look(self):
        return {"time.tzname": ("time zone", "/".join(time.tzname), time.timezone)}

    def keep(self):
        return {"time.tzname": REAL["environ"].get("TZ", ABSENT)}

    def put(self, name, value):
        Environment().put("TZ", value)
        REAL["tzset"]()


class Random:
    resource = "random state"

    def look(self):
        found = {}
        own = _generator()
        if own is not None:
            found["random.getstate()"] = hash(_random.Random.getstate(own))
        numpy = _numpy_generator()
        if numpy is not None:
            state = numpy.get_state(legacy=True)
            found["numpy.random.get_state()"] = hash((state[1].tobytes(), state[2]))
        return found

    def keep(self):
        found = {}
        own = _generator()
        if own is not None:
            found["random.getstate()"] = own.getstate()
        numpy = _numpy_generator()
        if numpy is not None:
            kind, words, *rest = numpy.get_state(legacy=True)
            found["numpy.random.get_state()"] = (kind, words.copy(), *rest)
        return found

    def put(self, name, value):
        if name.startswith("numpy"):
            _numpy_generator().set_state(value)
        else:
            _generator().setstate(value)


def _generator():
    """The one that `random.random()` draws from; None where it is something else."""
    found = getattr(sys.modules.get("random"), "_inst", None)
    return found if type(found).__module__ == "random" else None


def _numpy_generator():
    found = getattr(sys.modules.get("numpy.random.mtrand"), "_rand", None)
    return found if type(found).__name__ == "RandomState" else None


class Warnings:
    resource = "warnings filters"

    def look(self):
        return {"warnings.filters": tuple(map(_filter, warnings.filters))}

    def keep(self):
        return {"warnings.filters": list(warnings.filters)}

    def put(self, name, value):
        warnings.filters[:] = value
        # The list's readers remember what they found until they are told.
        if hasattr(warnings, "_filters_mutated"):
            warnings._filters_mutated()
        else:  # from Python 3.14 on
            with warnings._lock:
                warnings._filters_mutated_lock_held()


def _filter(entry):
    action, message, category, module, line = entry
    texts = [getattr(each, "pattern", each) for each in (message, module)]
    rest = [str(each) for each in (*texts, line) if each]
    return ":".join([action, category.__name__, *rest])


class ModulePath:
    resource = "module path"

    def look(self):
        return {
            "sys.path": tuple(map(str, sys.path)),
            "sys.meta_path": tuple(
                ("@", id(each), type(each).__name__) for each in sys.meta_path
            ),
        }

    def keep(self):
        return {"sys.path": list(sys.path), "sys.meta_path": list(sys.meta_path)}

    def put(self, name, value):
        getattr(sys, name[4:])[:] = value


class Interpreter:
    """What has no word of its own: signals, decimals, time-outs, hooks."""

    resource = "process"

    def look(self):
        found = {
            "signal.%s" % name: _code_of(REAL["getsignal"](getattr(_signal, name)))
            for name in SIGNALS
        }
        for name in HOOKS:
            hook = getattr(sys, name, None)
            found["sys.%s" % name] = ("@", id(hook), type(hook).__name__)
        found["sys.getrecursionlimit()"] = sys.getrecursionlimit()
        found["sys.argv"] = tuple(map(str, getattr(sys, "argv", ())))
        decimal = sys.modules.get("decimal")
        if decimal is not None:
            context = decimal.getcontext()
            found["decimal.getcontext()"] = (context.prec, str(context.rounding))
        sockets = sys.modules.get("_socket")
        if sockets is not None:
            found["socket.getdefaulttimeout()"] = sockets.getdefaulttimeout()
        return found

    def keep(self):
        found = {
            "signal.%s" % name: REAL["getsignal"](getattr(_signal, name))
            for name in SIGNALS
        }
        for name in HOOKS:
            found["sys.%s" % name] = getattr(sys, name, None)
        found["sys.getrecursionlimit()"] = sys.getrecursionlimit()
        found["sys.argv"] = list(sys.argv)
        if "decimal" in sys.modules:
            found["decimal.getcontext()"] = sys.modules["decimal"].getcontext().copy()
        if "_socket" in sys.modules:
            sockets = sys.modules["_socket"]
            found["socket.getdefaulttimeout()"] = sockets.getdefaulttimeout()
        return found

    def put(self, name, value):
        if name.startswith("signal."):
            if value is not None:
                REAL["signal"](getattr(_signal, name[7:]), value)
        elif name == "sys.getrecursionlimit()":
            sys.setrecursionlimit(value)
        elif name == "sys.argv":
            sys.argv[:] = value
        elif name == "decimal.getcontext()":
            sys.modules["decimal"].setcontext(value)
        elif name == "socket.getdefaulttimeout()":
            sys.modules["_socket"].setdefaulttimeout(value)
        else:
            setattr(sys, name[4:], value)


def _code_of(handler):
    """The same for two bound methods of one object, which are made when asked for."""
    if not callable(handler):
        return handler
    function = getattr(handler, "__func__", handler)
    return ("@", id(function), type(function).__name__)


class Umask:
    resource = "process"

    def look(self):
        """The kernel's own word: asking `os.umask` would change it for other threads."""
        try:
            with REAL["file"]("/proc/self/status", "rb") as status:
                found = status.read(200).partition(b"Umask:\t")[2].split()[0]
        except (OSError, IndexError):
            return {}
        return {"os.umask()": found.decode("ascii")}

    keep = look

    def put(self, name, value):
        REAL["umask"](int(value, 8))


class Logging:
    resource = "process"

    def look(self):
        return {name: _log_token(value) for name, value in self.keep().items()}

    def keep(self):
        logging = sys.modules.get("logging")
        if logging is None:
            return {}
        manager = logging.Logger.manager
        found = {"logging.disable()": manager.disable}
        loggers = [("root", manager.root), *list(manager.loggerDict.items())]
        for name, logger in loggers[:MOST_LOGGERS]:
            if isinstance(logger, logging.Logger):
                found["logging.getLogger(%r)" % name] = (
                    logger,
                    logger.level,
                    logger.disabled,
                    logger.propagate,
                    list(logger.handlers),
                    list(logger.filters),
                )
        return found

    def put(self, name, value):
        logging = sys.modules["logging"]
        if name == "logging.disable()":
            logging.Logger.manager.disable = value
        elif value is not ABSENT:
            logger, level, disabled, propagate, handlers, filters = value
            logger.disabled, logger.propagate = disabled, propagate
            logger.handlers[:], logger.filters[:] = handlers, filters
            logger.setLevel(level)


def _log_token(value):
    if not isinstance(value, tuple):
        return value
    _, level, disabled, propagate, handlers, filters = value
    found = [("@", id(one), type(one).__name__) for one in (*handlers, *filters)]
    flags = [each for each in ("disabled",) if disabled]
    flags += [] if propagate else ["not propagated"]
    return ("level %s" % level, *flags, ("list", tuple(found)))


class Threads:
    """Told and never put back."""

    resource = "thread left behind"

    def look(self):
        return {
            "%s (%s)" % (each.name, each.ident): "running" for each in REAL["threads"]()
        }

    def keep(self):
        return {}


#: Looked at after each test.
CHEAP = (
    Environment(),
    Directory(),
    Locale(),
    TimeZone(),
    Random(),
    Warnings(),
    ModulePath(),
    Interpreter(),
    Threads(),
)
#: Looked at together with modules.
SELDOM = (Umask(), Logging())
PARTS = (*CHEAP, *SELDOM)
