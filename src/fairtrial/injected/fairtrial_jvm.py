"""Asks every JVM below a process for a dump of its threads, which it prints itself.

For a trial's trusted first process, or for anything else that runs as the tests' user;
standard library only, from Python 3.6 on. Only processes that handle the signal are
asked: a JVM that was told not to (-Xrs) would be ended by it.
"""

import os
import signal

QUIT = 1 << (signal.SIGQUIT - 1)


def ask(top):
    """The processes below `top`, itself included, that were asked."""
    asked = []
    for pid in below(top):
        if is_jvm(pid):
            try:
                os.kill(pid, signal.SIGQUIT)
            except (ProcessLookupError, PermissionError):
                continue
            asked.append(pid)
    return asked


def below(top):
    """A process and everything that it started, as far as it is still its own."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, errors="replace") as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            children.setdefault(parent, []).append(int(name))
    found, todo = [], [top]
    while todo:
        pid = todo.pop()
        found.append(pid)
        todo += children.get(pid, [])
    return found


def is_jvm(pid):
    """Whether it runs `java` and handles the signal that asks for a dump."""
    try:
        name = os.path.basename(os.readlink("/proc/%d/exe" % pid))
        with open("/proc/%d/status" % pid, errors="replace") as file:
            fields = dict(line.split(":", 1) for line in file if ":" in line)
        handled = int(fields["SigCgt"].strip(), 16)
    except (OSError, KeyError, ValueError):
        return False
    return name.split(" ")[0] == "java" and bool(handled & QUIT)
