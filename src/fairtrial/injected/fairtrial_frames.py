"""Where in the tree a failure happened, in words that survive shifted lines.

A frame is [path, qualified name, digest, line, ours]: the digest is of the syntax tree
of the function without positions and docstrings, and `ours` says that the file is one
of the workspace. Runs on Python 3.7 and newer, with the standard library only.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import threading

TEXT_LIMIT = 20000
FRAME_LIMIT = 60
#: Machinery that stands in every traceback and tells no failure from another.
MACHINERY = {"_pytest", "pluggy", "unittest", "xdist", "execnet"}
OWN_FILES = {
    "fairtrial_pytest.py",
    "fairtrial_selection.py",
    "fairtrial_witness.py",
    "fairtrial_frames.py",
    "fairtrial_coverage.py",
    "fairtrial_guard.py",
    "fairtrial_reach.py",
    "fairtrial_waits.py",
    "fairtrial_unittest.py",
    "fairtrial_session.py",
    "fairtrial_cases.py",
    "fairtrial_django.py",
    "fairtrial_apps.py",
    "fairtrial_site.py",
    "sitecustomize.py",
    "threading.py",
}


class Frames:
    """Names code from the workspace; each file is parsed once, and only on failures."""

    def __init__(self, workspace):
        self.workspace = os.path.realpath(workspace)
        #: Before a test goes elsewhere: Python 3.8 and older names files relatively.
        self.here = os.getcwd()
        self.environment = os.path.realpath(sys.prefix) + os.sep
        self.trees = {}
        self.known = {}
        #: Asked of each test's file again and again, and slow: many links to follow.
        self.paths = {}

    def inside(self, path):
        """The path from the workspace with forward slashes; None outside of it."""
        if path not in self.paths:
            self.paths[path] = self.followed(path)
        return self.paths[path]

    def followed(self, path):
        path = os.path.realpath(os.path.join(self.here, path))
        if path == self.workspace:
            return ""
        if not path.startswith(self.workspace + os.sep):
            return None
        relative = path[len(self.workspace) + 1 :].replace(os.sep, "/")
        if "site-packages/" in relative or "dist-packages/" in relative:
            return None
        if self.environment.startswith(self.workspace + os.sep):
            if path.startswith(self.environment):
                return None
        return relative

    def of(self, stack):
        """Frames for (code, line) pairs, outermost first, machinery left out."""
        found = []
        for code, line in stack[-4 * FRAME_LIMIT :]:
            path = code.co_filename
            inside = None if path[:1] == "<" else self.inside(path)
            parts = path.replace(os.sep, "/").split("/")
            if inside is not None:
                place = os.path.join(self.workspace, *inside.split("/"))
                name, digest = self.described(place, code, line)
                found.append([inside, name, digest, line, True])
            elif path[:1] != "<" and not MACHINERY & set(parts):
                if parts[-1] not in OWN_FILES:
                    short = "/".join(parts[-2:])
                    found.append([short, code.co_name, "", line, False])
        return found[-FRAME_LIMIT:]

    def of_main_thread(self):
        """Where the main thread is now."""
        frame = sys._current_frames().get(threading.main_thread().ident)
        stack = []
        while frame is not None:
            stack.append((frame.f_code, frame.f_lineno))
            frame = frame.f_back
        return self.of(stack[::-1])

    def described(self, path, code, line):
        """Qualified name and digest of the function, or of a module's statement."""
        key = (path, code.co_firstlineno, line)
        if key not in self.known:
            self.known[key] = self.looked_up(path, code, line)
        return self.known[key]

    def looked_up(self, path, code, line):
        if path not in self.trees:
            try:
                with open(path, "rb") as stream:
                    self.trees[path] = without_docstrings(ast.parse(stream.read()))
            except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
                self.trees[path] = None
        found = scope = self.trees[path]
        if found is None:
            return code.co_name, ""
        names = []
        wanted = line if code.co_name == "<module>" else code.co_firstlineno
        while found is not None:
            scope = found
            found = next((each for each in scopes(scope) if spans(each, wanted)), None)
            if found is not None:
                names.append(found.name)
        if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
            scope = next((each for each in scope.body if spans(each, line)), scope)
        text = ast.dump(scope, annotate_fields=False).encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(text).hexdigest()[:16]
        return ".".join(names) or "<module>", digest

    def exception(self, error, compared):
        """Type, message, frames and, where there are two sides, what differed."""
        kind = type(error)
        name = kind.__qualname__
        if kind.__module__ not in ("builtins", None):
            name = "%s.%s" % (kind.__module__, name)
        stack, trace = [], error.__traceback__
        sides = None
        while trace is not None:
            code, known = trace.tb_frame.f_code, trace.tb_frame.f_locals
            stack.append((code, trace.tb_lineno))
            if "unittest" in code.co_filename and "first" in known:
                if "second" in known and sides is None:
                    sides = (known["second"], known["first"])
            trace = trace.tb_next
        if sides is None and isinstance(error, AssertionError):
            sides = compared
        found = {"type": name, "message": shown(str, error, 4000)}
        found["frames"] = self.of(stack)
        if sides is not None:
            found["expected"], found["actual"] = [shown(repr, s, 1000) for s in sides]
        return found


def scopes(node):
    """Function and class definitions directly inside a node, however nested."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield child
        else:
            for each in scopes(child):
                yield each


def spans(node, line):
    """Whether a definition or statement, decorators included, holds a line."""
    decorators = [each.lineno for each in getattr(node, "decorator_list", [])]
    first = min([node.lineno] + decorators)
    # Python 3.7 tells where a node begins and not where it ends.
    last = getattr(node, "end_lineno", None)
    if last is None:
        last = max(getattr(each, "lineno", 0) for each in ast.walk(node))
    return first <= line <= last


def without_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = node.body[0]
            if isinstance(first, ast.Expr):
                value = getattr(first.value, "s", getattr(first.value, "value", None))
                if isinstance(value, str):
                    del node.body[0]
    return tree


def short(text, limit=TEXT_LIMIT):
    """The text, or its beginning and more of its end."""
    text = str(text)
    if len(text) <= limit:
        return text
    return text[: limit // 4] + "\n...\n" + text[-limit * 3 // 4 :]


def shown(show, value, limit=TEXT_LIMIT):
    """A text of something that belongs to the tests, whatever it does when asked."""
    try:
        return short(show(value), limit)
    except BaseException as error:  # even an exit is no reason to end here
        return "<unprintable %s: %s>" % (type(value).__name__, type(error).__name__)
