"""Runs one trial inside walls of its own; started by the bench `here`.

Three processes: this launcher, which stays outside, keeps what the tests report, and
ends everything when the gate is gone or asks for it; an inner one, the first process of the walls, which builds
them, reaps, and reports; and the trial itself, without rights.

    python -I -S fairtrial_launcher.py PLAN STATUS LIFELINE

Three descriptors: the plan (JSON), where to write how it ended (one JSON line), and a
pipe whose closing means: end now. Standard library only; nothing of the project under
trial is imported here. Everything needed is imported before the walls go up, since
they may hide this interpreter.
"""

import json
import os
import select
import signal
import sys
import time
import warnings  # noqa: F401 - os.execvpe wants it, when it is out of reach

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from fairtrial_aftermath import Aftermath
from fairtrial_collector import Collector
from fairtrial_delta import apply_delta
from fairtrial_doorkeeper import Doors, DoorsLost, Keeper
from fairtrial_walls import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    build_mounts,
    checked,
    drop_rights,
    enter_user_namespace,
    join_groups,
    loopback_up,
    prctl,
    set_limits,
    unshare,
)

# ---- the launcher itself -----------------------------------------------------------


def launch(plan, status, lifeline):
    """Raise the walls, start what is inside, and end it all when it is time."""
    # Before any wall: it has to stay where the doors lead to.
    keeper = Keeper(plan["doors"]) if plan.get("doors") else None
    collector = Collector(*plan["collect"]) if plan.get("collect") else None
    sink = sink_for(collector) if plan.get("otlp") and collector else None
    # Before any wall as well: they hide where the folders lie.
    looking = plan.get("aftermath") and collector
    after = Aftermath(plan["aftermath"], collector.results) if looking else None
    join_groups(plan)
    walls = plan["walls"]
    if "user" in walls:
        enter_user_namespace(plan)
    if "pid" not in walls:
        checked("subreaper", prctl(PR_SET_CHILD_SUBREAPER, 1))
    unshare(walls)
    inner = os.fork()
    if inner == 0:
        guarded(status, 125, inside, plan, status, lifeline, keeper, sink, after)
    prctl(PR_SET_DUMPABLE, 0)
    if keeper is not None:
        keeper.leave()
    try:
        wait_for_either(inner, lifeline, collector)
    finally:
        end(inner, "pid" in walls, plan)
        if keeper is not None:
            keeper.end()
        if collector is not None:
            collector.drain()


def sink_for(collector):
    """What takes in telemetry; loaded where it is wanted, and before the walls."""
    from fairtrial_otlp import Sink

    return Sink(collector)


def wait_for_either(inner, lifeline, collector):
    """Return when the inner process has ended or the lifeline is cut."""
    watched = os.pidfd_open(inner)
    poll = select.poll()
    poll.register(watched, select.POLLIN)
    poll.register(lifeline, select.POLLIN | select.POLLHUP)
    if collector is not None:
        collector.join(poll)
    while True:
        for descriptor, _ in poll.poll():
            if descriptor in (watched, lifeline):
                return
            collector.take(descriptor)


def end(inner, walled, plan):
    """Return when nothing of the trial runs any more."""
    try:
        os.kill(inner, signal.SIGKILL)
    except ProcessLookupError:
        pass
    if walled:
        # The kernel ends the namespace with its first process, and lets that one be
        # reaped only after all others are gone.
        os.waitpid(inner, 0)
        return
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        found = descendants()
        for signum in (signal.SIGSTOP, signal.SIGKILL):
            for pid in found:
                try:
                    os.kill(pid, signum)
                except (ProcessLookupError, PermissionError):
                    pass
        if plan.get("own_user"):
            kill_all_of(plan["uid"], plan["gid"])
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            if not descendants():
                return
        time.sleep(0.002)


def descendants():
    """Everything below this process; orphans come here, since it is their reaper."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, errors="replace") as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            children.setdefault(parent, []).append(int(name))
    found, todo = [], [os.getpid()]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return found


def kill_all_of(uid, gid):
    """Kill every process of a user id that only this bench uses, at one stroke."""
    killer = os.fork()
    if killer == 0:
        try:
            os.setgroups([])
            os.setresgid(gid, gid, gid)
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(killer, 0)


# ---- the first process inside ------------------------------------------------------


def inside(plan, status, lifeline, keeper, sink, after):
    """Build the walls, start the trial, reap, and report how it ended."""
    checked("death signal", prctl(PR_SET_PDEATHSIG, signal.SIGKILL))
    poll = select.poll()
    poll.register(lifeline, select.POLLIN | select.POLLHUP)
    if poll.poll(0):
        os._exit(125)
    os.close(lifeline)
    if "mount" in plan["walls"]:
        build_mounts(plan)
    if "network" in plan["walls"]:
        loopback_up()
    doors = Doors(plan["doors"], keeper.control) if keeper is not None else None
    if sink is not None:
        sink.listen()
    if after is not None:
        after.ready()
    trial = os.fork()
    if trial == 0:
        guarded(status, 125, become_trial, plan)
    prctl(PR_SET_DUMPABLE, 0)
    if sink is not None:
        sink.serve()
    if doors is None:
        code = reap(trial)
    else:
        try:
            code = doors.serve(trial, lambda shut: report(status, lost=shut))
        except DoorsLost as lost:
            report(status, lost=str(lost))
            os._exit(0)
    if after is not None:
        after.look(lambda: plan.get("keep_rights") or drop_rights(plan))
    if os.WIFSIGNALED(code):
        report(status, signal=os.WTERMSIG(code))
    else:
        report(status, exit=os.WEXITSTATUS(code))
    os._exit(0)


def reap(trial):
    """How the trial ended, as `wait` has it, with every other child reaped."""
    while True:
        pid, code = os.wait()
        if pid == trial:
            return code


# ---- the trial ---------------------------------------------------------------------


def become_trial(plan):
    """Give up all rights, put the tree in order, and turn into the command."""
    os.setsid()
    set_limits(plan["limits"])
    if not plan.get("keep_rights"):
        drop_rights(plan)
    if plan["cpus"]:
        os.sched_setaffinity(0, plan["cpus"])
    os.umask(plan["umask"])
    os.chdir(plan["directory"])
    apply_delta(plan["delta"])
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    argv, env = plan["argv"], plan["env"]
    try:
        os.execvpe(argv[0], argv, env)
    except OSError as error:
        # What a shell would say: the command is the suite's, not the bench's.
        os.write(2, ("%s: %s\n" % (argv[0], error.strerror)).encode())
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


# ---- how it ended ------------------------------------------------------------------


def report(status, **values):
    os.write(status, json.dumps(values).encode() + b"\n")


def guarded(status, code, function, *values):
    """Run a process's whole life; what goes wrong is reported, never passed on."""
    try:
        function(*values)
    except BaseException as error:
        report(status, error="%s: %s" % (type(error).__name__, error))
    finally:
        os._exit(code)


def main():
    plan_at, status, lifeline = map(int, sys.argv[1:4])
    for descriptor in (plan_at, status, lifeline):
        os.set_inheritable(descriptor, False)
    with os.fdopen(plan_at, "rb") as file:
        plan = json.load(file)
    guarded(status, 0, launch, plan, status, lifeline)


if __name__ == "__main__":
    main()
