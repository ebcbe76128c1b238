"""What a tar archive can't do inside a container: delete, hand over, keep results.

Standard library only, from Python 3.6 on; started as `python -I -S`, so that nothing
of the tree under trial is loaded before this has done its work.

    fairtrial_apply.py PLAN settle        as root, before a container is frozen
    fairtrial_apply.py PLAN trial ARGV…   as the trial's user, then becomes ARGV
    fairtrial_apply.py PLAN guarded ARGV… as root: the same in a child, whose reports
                                          are kept, and whose exit code is its own

The plan is JSON: `workspace` (a folder), `deletes` and `writes` (relative paths),
`owner` (a number), `owned` (folders), and for `guarded` what the collector is told:
`sockets` and `results` (folders), `size` (bytes), `count` (streams); `umask`, `cpus`
(how many, from which on; 0: all) and `doors` (port, place, place's port). Exit code 125
and a last line on standard error that begins with "fairtrial_apply:" mean that this
failed, and not a test. What doors turned out to be shut is told in `results`, in SHUT.
"""

import errno
import json
import os
import select
import signal
import stat
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from fairtrial_aftermath import Aftermath
from fairtrial_collector import Collector

#: No stream of the collector's can have this name.
SHUT = "shut"
_MOST_TOLD = 20

FAILED = 125
NOT_FOUND = 127
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def _open_parents(workspace, path):
    """Descriptors of the folders above a path, outermost first; None if one is not
    a real folder: links are never followed, what they lead to is another file."""
    opened = [os.open(workspace, _FOLDER)]
    try:
        for name in path.split("/")[:-1]:
            opened.append(os.open(name, _FOLDER, dir_fd=opened[-1]))
    except (FileNotFoundError, NotADirectoryError):
        _close(opened)
        return None
    except OSError as error:
        _close(opened)
        if error.errno == errno.ELOOP:  # a link where a folder was
            return None
        raise
    return opened


def _close(descriptors):
    for descriptor in descriptors:
        os.close(descriptor)


def _forget_bytecode(name, folder):
    """Removes what Python compiled from a file that is changed or deleted.

    Compiled files are recognised by time and size, or by nothing at all, so an old
    one could stand in for the new source.
    """
    if not name.endswith(".py"):
        return
    try:
        cache = os.open("__pycache__", _FOLDER, dir_fd=folder)
    except OSError:
        return
    try:
        for entry in os.listdir(cache):
            if entry.startswith(name[:-2]) and entry.endswith(".pyc"):
                os.unlink(entry, dir_fd=cache)
    finally:
        os.close(cache)
    _drop_if_empty("__pycache__", folder)


def _drop_if_empty(name, folder):
    try:
        os.rmdir(name, dir_fd=folder)
    except OSError:
        return False
    return True


def _delete(workspace, path):
    """Removes one file or link, and the folders that are empty without it: git knows
    no empty folders, and Python imports them as packages."""
    names = path.split("/")
    opened = _open_parents(workspace, path)
    if opened is None:
        return
    try:
        try:
            found = os.stat(names[-1], dir_fd=opened[-1], follow_symlinks=False)
        except FileNotFoundError:
            return
        if stat.S_ISDIR(found.st_mode):
            # Written over by a folder of the same name: no file is left to delete.
            return
        os.unlink(names[-1], dir_fd=opened[-1])
        _forget_bytecode(names[-1], opened[-1])
        for depth in range(len(names) - 2, -1, -1):
            if not _drop_if_empty(names[depth], opened[depth]):
                break
    finally:
        _close(opened)


def _written(workspace, path):
    opened = _open_parents(workspace, path)
    if opened is None:
        return
    try:
        _forget_bytecode(path.rpartition("/")[2], opened[-1])
    finally:
        _close(opened)


def _hand_over(top, owner):
    """Gives everything below a folder to the trial's user, links as links; what is
    that user's already is left alone, since each change copies a file's layer."""
    for folder, folders, files, descriptor in os.fwalk(top, follow_symlinks=False):
        for name in [*folders, *files, "."]:
            try:
                found = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                if found.st_uid != owner:
                    os.chown(
                        name, owner, owner, dir_fd=descriptor, follow_symlinks=False
                    )
            except FileNotFoundError:
                continue


def _apply(plan):
    for path in plan["deletes"]:
        _delete(plan["workspace"], path)
    for path in plan["writes"]:
        _written(plan["workspace"], path)


def _become_user(owner):
    """Give up root and all its capabilities; the kernel takes them with the user."""
    for descriptor in (0, 1, 2):
        # A command that opens /dev/stdout opens it anew, as the user it is.
        os.fchown(descriptor, owner, owner)
    _give_up(owner)


def _give_up(owner):
    os.setgroups([])
    os.setresgid(owner, owner, owner)
    os.setresuid(owner, owner, owner)


def _become_command(plan, command):
    """Put the tree in order and turn into the command, with the rights there are."""
    try:
        _apply(plan)
        os.chdir(plan["workspace"])
        os.umask(plan["umask"])
        _pin(*plan["cpus"])
        # Python ignores these two, and a command would inherit that.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    except Exception as error:
        return _failed(error)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.stderr.write("{}: {}\n".format(command[0], error.strerror))
        sys.stderr.flush()
        return NOT_FOUND


def _pin(wanted, first):
    """Stay on so many processors; trials side by side get different ones."""
    if wanted:
        there = sorted(os.sched_getaffinity(0))
        first %= len(there)
        os.sched_setaffinity(0, (there[first:] + there[:first])[:wanted])


class _Doors:
    """Ports that lead to sockets in volumes; nothing is imported where there is none.

    They listen before the command starts, and are served by `turn` while it runs.
    """

    def __init__(self, plan):
        import fairtrial_relay as relay

        self._relay = relay
        self._results = os.path.join(plan["results"], SHUT)
        self._told = 0
        self._open = [
            (relay.loopback(port), (to, to_port)) for port, to, to_port in plan["doors"]
        ]
        self._loop = None

    def join(self, poll):
        """Begin to serve; not earlier, since the command gets none of what this takes."""
        self._loop = self._relay.Loop()
        dialer = self._relay.Dialer(self._loop)
        served = self._relay.Relay(self._loop, dialer, self._lost)
        for listener, place in self._open:
            served.open(listener, place)
        poll.register(self._loop.fileno(), select.POLLIN)

    def wait(self):
        return self._loop.wait()

    def turn(self):
        return self._loop.turn()

    def _lost(self, sentence):
        self._told += 1
        if self._told <= _MOST_TOLD:
            with open(self._results, "a") as told:
                told.write(sentence + "\n")


def _watch_over(child, collector, doors, woken):
    """The child's exit code as a shell has it, with all that was reported kept."""
    poll = select.poll()
    poll.register(woken, select.POLLIN)
    collector.join(poll)
    if doors is not None:
        doors.join(poll)
    while True:
        for descriptor, _ in poll.poll(doors and doors.wait()):
            if descriptor == woken:
                os.read(woken, 512)
            else:
                collector.take(descriptor)
        if doors is not None:
            doors.turn()
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            collector.drain()
            if os.WIFSIGNALED(status):
                return 128 + os.WTERMSIG(status)
            return os.WEXITSTATUS(status)


def _run(plan, command):
    """Run the command as the trial's user, and keep what it reports."""
    collector = Collector(*(plan[k] for k in ("sockets", "results", "size", "count")))
    doors = _Doors(plan) if plan["doors"] else None
    sink = _sink_for(collector) if plan.get("otlp") else None
    woken, wake = os.pipe()
    for descriptor in (woken, wake):
        os.set_blocking(descriptor, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    looking = plan.get("aftermath")
    after = Aftermath(looking, collector.results) if looking else None
    if after is not None:
        after.ready()
    child = os.fork()
    if child == 0:
        code = FAILED
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            _become_user(plan["owner"])
            code = _become_command(plan, command)
        except Exception as error:
            code = _failed(error)
        finally:
            os._exit(code)
    if sink is not None:
        sink.serve()
    code = _watch_over(child, collector, doors, woken)
    if after is not None:
        signal.set_wakeup_fd(-1)
        after.look(lambda: _give_up(plan["owner"]), spare=(1,))
    return code


def _sink_for(collector):
    """What takes in telemetry, listening; loaded only where it is wanted."""
    from fairtrial_otlp import Sink

    sink = Sink(collector)
    sink.listen()
    return sink


def _failed(error):
    sys.stderr.write("fairtrial_apply: {!r}\n".format(error))
    sys.stderr.flush()
    return FAILED


def main(argv):
    try:
        with open(argv[1], encoding="ascii") as source:
            plan = json.load(source)
        if argv[2] == "settle":
            _apply(plan)
            for folder in plan["owned"]:
                _hand_over(folder, plan["owner"])
            return 0
        if argv[2] == "guarded":
            return _run(plan, argv[3:])
    except Exception as error:
        return _failed(error)
    return _become_command(plan, argv[3:])


if __name__ == "__main__":
    sys.exit(main(sys.argv))
