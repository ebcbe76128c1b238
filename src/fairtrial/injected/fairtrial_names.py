"""What people call the function that a frame runs, and the line of it that calls.

Nothing of the frame's own values is looked at: that would keep them alive, and some
tests ask whether they are gone. Runs on Python 3.7 and newer, with the standard
library only.
"""

from __future__ import annotations

import os
import re
import sys
from types import FunctionType, ModuleType

#: Where the standard library lies; what has `-packages` in its path is another's.
STANDARD = os.path.dirname(os.path.realpath(os.__file__)) + os.sep
#: What pytest and threads put around the code of a test.
MACHINERY = {
    "_pytest", "pytest", "pluggy", "unittest", "xdist", "execnet", "pytest_asyncio",
}  # fmt: skip
#: Modules whose classes are named with them; by no means all.
STANDARD_MODULES = {
    "asyncio", "concurrent", "http", "multiprocessing", "queue", "select",
    "selectors", "smtplib", "socket", "socketserver", "ssl", "subprocess",
    "threading", "urllib", "xmlrpc",
}  # fmt: skip
BENEATH = ("threading.py", "concurrent/futures/thread.py", "runpy.py")
WAITING = {
    "acquire", "accept", "connect", "get", "getaddrinfo", "gethostbyname", "join",
    "poll", "read", "readline", "recv", "recv_into", "recvfrom", "result", "select",
    "sleep", "wait", "waitpid",
}  # fmt: skip
_CALL = re.compile(r"([A-Za-z_][\w.]*)\s*\(")
LONGEST_SOURCE = 2_000_000


def is_standard(code):
    path = code.co_filename
    return path.startswith((STANDARD, "<frozen ")) and "-packages" not in path


def is_machinery(code):
    path = code.co_filename.replace(os.sep, "/")
    if path == "<frozen runpy>" or (is_standard(code) and path.endswith(BENEATH)):
        return True
    parts = path.split("/")
    return bool(MACHINERY.intersection(parts)) or parts[-1].startswith("fairtrial_")


def called(code, names):
    """A function as it is known: `KafkaProducer.send`, `requests.get`,
    `queue.Queue.get`; `names` is the global namespace it was written in."""
    module = names.get("__name__")
    module = module if isinstance(module, str) else ""
    qualified = getattr(code, "co_qualname", None) or of_class(code, names)
    qualified = qualified.rpartition("<locals>.")[2]
    if qualified.endswith(".__init__"):
        qualified = qualified[: -len(".__init__")]
        if not is_standard(code):
            return qualified
    if "." in qualified and not is_standard(code):
        return qualified
    top = module.partition(".")[0]
    shown = vars(sys.modules.get(top) or sys).get(qualified)
    shown = getattr(shown, "__code__", None) if type(shown) is FunctionType else None
    if shown is code:
        return "%s.%s" % (top, qualified)
    return dotted(module, qualified) or qualified


def of_class(code, names):
    """The qualified name of a method, which code tells from Python 3.11 on."""
    todo = [("", names)]
    for _ in range(2):  # classes, and classes in classes
        inner = []
        for prefix, space in todo:
            for name, value in list(space.items()):
                if not isinstance(value, type):
                    continue
                if value.__module__ != names.get("__name__"):
                    continue
                held = vars(value).get(code.co_name)
                held = getattr(held, "__func__", getattr(held, "fget", held))
                for _ in range(5):
                    if getattr(held, "__code__", None) is code:
                        return "%s%s.%s" % (prefix, name, code.co_name)
                    held = getattr(held, "__wrapped__", None)
                inner.append(("%s%s." % (prefix, name), vars(value)))
        todo = inner
    return code.co_name


class Sources:
    """Lines of the project's own files, read once each."""

    def __init__(self, read):
        self.read = read
        self.files = {}

    def expression(self, path, spot, frame):
        """What is called at a place of a file: as people know it where that can be
        told, else as it is written."""
        line, end, column, last = spot
        lines = self.lines(path)
        if not 0 < line <= len(lines):
            return ""
        if column is None:
            return resolved(guessed(lines[line - 1]), frame)
        text = lines[line - 1][column : last if end == line else None]
        text = text.decode("utf-8", "replace").strip()
        text = text[len("await ") :] if text.startswith("await ") else text
        found = re.match(r"[\w.\s]*", text).group()
        return resolved(found.strip() or text[:60], frame)

    def lines(self, path):
        if path not in self.files:
            try:
                self.files[path] = self.read(path, LONGEST_SOURCE).split(b"\n")
            except (OSError, ValueError):
                self.files[path] = []
        return self.files[path]


def guessed(line):
    """The call in a line that most likely waits; its first one, where none is known."""
    found = _CALL.findall(line.decode("utf-8", "replace"))
    likely = [each for each in found if each.rpartition(".")[2] in WAITING]
    return (likely or found or [""])[0]


def resolved(text, frame):
    """`sleep` as `time.sleep`, `p.flush` as `Producer.flush`."""
    first, *parts = text.split(".")
    value = frame.f_globals.get(first)
    if value is None and sys.version_info >= (3, 13):
        # Older ones make copies of all locals, which keep them alive.
        value = frame.f_locals.get(first)
    while parts and isinstance(value, ModuleType):
        value = vars(value).get(parts.pop(0))
    if not parts and type(value) in (FunctionType, type(len)):
        return dotted(getattr(value, "__module__", ""), value.__qualname__) or text
    if len(parts) == 1 and not isinstance(value, (type, ModuleType, type(None))):
        made = type(value)
        if made.__module__ not in ("builtins", "_thread", "__main__"):
            name = "%s.%s" % (made.__qualname__, parts[0])
            standard = made.__module__.partition(".")[0] in STANDARD_MODULES
            return dotted(made.__module__, name) if standard else name
    return text


def dotted(module, name):
    """A name behind its module's, without the parts that are nobody's business."""
    if not isinstance(module, str) or not module:
        return ""
    public = [part for part in module.split(".") if not part.startswith("_")]
    return ".".join([*(public or [module.lstrip("_")]), name])


def place(code, line, instruction):
    """(line, last line, column, last column) of what a frame is at; columns in bytes,
    None before Python 3.11."""
    positions = getattr(code, "co_positions", None)
    if positions is not None and instruction >= 0:
        for number, found in enumerate(positions()):
            if number == instruction // 2:
                if None not in found and found[0] == line:
                    return found[0], found[1], found[2], found[3]
                break
    return line, line, None, None
