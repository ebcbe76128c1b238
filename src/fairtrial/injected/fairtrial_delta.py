"""Turns the frozen tree into the tree of one trial, with no more rights than it has.

Part of the launcher; standard library only. The tree may have been built by hostile
code, so no part of a path is ever followed through a link.
"""

import base64
import os


def apply_delta(delta):
    """Delete and write files of the tree, with no more rights than the trial has."""
    for path in delta["deletes"]:
        remove(path)
    for path in delta["deletes"]:
        prune(os.path.dirname(path))
    for path, mode, text in delta["writes"]:
        remove(path)
        folder = os.path.dirname(path)
        clear_way(folder)
        data = base64.b64decode(text)
        if mode == 0o120000:
            os.symlink(data, os.fsencode(path))
            continue
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        descriptor = os.open(path, flags, 0o755 if mode & 0o111 else 0o644)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.utime(path, (delta["time"], delta["time"]))


def clear_way(folder):
    """Make each part of a path a real directory, never a link to somewhere else."""
    way = ""
    for part in folder.split("/") if folder else []:
        way = way + "/" + part if way else part
        if os.path.islink(way) or (os.path.exists(way) and not os.path.isdir(way)):
            os.unlink(way)
        if not os.path.isdir(way):
            os.mkdir(way)


def remove(path):
    """Remove what stands at a path, and what Python compiled from it."""
    parts = path.split("/")
    if any(os.path.islink("/".join(parts[:end])) for end in range(1, len(parts))):
        return
    forget_bytecode(*os.path.split(path))
    if os.path.isdir(path) and not os.path.islink(path):
        for folder, folders, files in os.walk(path, topdown=False):
            for name in files:
                os.unlink(os.path.join(folder, name))
            for name in folders:
                inner = os.path.join(folder, name)
                os.unlink(inner) if os.path.islink(inner) else os.rmdir(inner)
        os.rmdir(path)
    elif os.path.lexists(path):
        os.unlink(path)


def forget_bytecode(folder, name):
    """Remove compiled files of a source that goes or changes.

    Python knows them again by time and size, or by nothing at all, so that an old
    one could stand in for the new source.
    """
    cache = os.path.join(folder, "__pycache__")
    if not name.endswith(".py") or os.path.islink(cache) or not os.path.isdir(cache):
        return
    for entry in os.listdir(cache):
        if entry.startswith(name[:-2]) and entry.endswith(".pyc"):
            os.unlink(os.path.join(cache, entry))


def prune(folder):
    """Remove directories that a deletion left empty, as git does.

    An empty package directory could still be imported, as a namespace.
    """
    while folder and os.path.isdir(folder) and not os.path.islink(folder):
        if set(os.listdir(folder)) <= {"__pycache__"}:
            remove(folder)
        else:
            return
        folder = os.path.dirname(folder)
