"""The walls around a trial: namespaces, mounts, limits, and rights given up.

Part of the launcher; standard library only. Every function raises SetupFailed or
OSError when a wall could not be built: a trial never starts behind fewer walls than
its plan names.
"""

import array
import ctypes
import fcntl
import os
import resource
import socket
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
WALLS = {
    "mount": CLONE_NEWNS,
    "ipc": CLONE_NEWIPC,
    "pid": CLONE_NEWPID,
    "network": CLONE_NEWNET,
}

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP = 1, 4, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38

SYS_MOUNT_SETATTR = 442
AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY = -100, 0x8000, 1

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1

LIBC = ctypes.CDLL(None, use_errno=True)


class SetupFailed(Exception):
    """A wall could not be built; says which."""


def checked(what, result):
    """The result of a C call; raises with the reason when it is -1."""
    if result == -1:
        raise SetupFailed("%s: %s" % (what, os.strerror(ctypes.get_errno())))
    return result


def prctl(what, *values):
    padded = [ctypes.c_ulong(v) for v in (*values, 0, 0, 0, 0)[:4]]
    return LIBC.prctl(what, *padded)


def unshare(walls):
    """Move into new namespaces; the process namespace begins with the next child."""
    flags = sum(flag for name, flag in WALLS.items() if name in walls)
    if flags:
        checked("unshare", LIBC.unshare(flags))


def join_groups(plan):
    """Enter the control groups, with every child that comes after."""
    for path in plan.get("groups", []):
        with open(path, "w") as file:
            file.write("0")


def enter_user_namespace(plan):
    """Become the owner of a user namespace with the plan's ids mapped onto themselves.

    Mapping more than one's own id takes a process that stays outside.
    """
    ready, go = os.pipe()
    pid = os.getpid()
    helper = os.fork()
    if helper == 0:
        code = 1
        try:
            os.close(go)
            if not os.read(ready, 1):
                return
            ids = plan["mapped"]
            if len(ids) == 1:
                write("/proc/%d/setgroups" % pid, "deny")
            for kind, index in (("uid", 0), ("gid", 1)):
                lines = ["%d %d 1" % (pair[index], pair[index]) for pair in ids]
                write("/proc/%d/%s_map" % (pid, kind), "\n".join(lines))
            code = 0
        finally:
            os._exit(code)
    checked("user namespace", LIBC.unshare(CLONE_NEWUSER))
    os.write(go, b"x")
    if os.waitpid(helper, 0)[1]:
        raise SetupFailed("user namespace: the ids can't be mapped")
    os.close(ready)
    os.close(go)


def write(path, text):
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def loopback_up():
    """Switch on the loopback device, so that a refused connection fails at once."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = array.array("b", struct.pack("16sh22x", b"lo", 0))
        fcntl.ioctl(probe, SIOCGIFFLAGS, request, True)
        flags = struct.unpack("16sh22x", request.tobytes())[1]
        fcntl.ioctl(probe, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", flags | IFF_UP))


def mount(source, target, kind=None, flags=0, options=None):
    encoded = [None if v is None else os.fsencode(v) for v in (source, target, kind)]
    data = None if options is None else os.fsencode(options)
    what = "mount %s on %s" % (kind or "bind", target)
    checked(what, LIBC.mount(*encoded, ctypes.c_ulong(flags), data))


def build_mounts(plan):
    """Carry out the plan's mounts in order, then make all but the writable read-only.

    Sources are opened first, because a later mount may hide them; a path through
    /proc/self/fd still reaches what was opened.
    """
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    opened = {}
    for step in plan["mounts"]:
        for path in step.get("from", []):
            if path not in opened:
                opened[path] = os.open(path, os.O_PATH)
    writable = []
    for step in plan["mounts"]:
        target = step["at"]
        sources = ["/proc/self/fd/%d" % opened[path] for path in step.get("from", [])]
        kind = step["kind"]
        if kind == "file":
            if not os.path.exists(target):
                continue
        else:
            os.makedirs(target, exist_ok=True)
        if kind in ("bind", "file"):
            mount(sources[0], target, None, MS_BIND | MS_REC)
        elif kind == "tmpfs":
            mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, step["options"])
        elif kind == "proc":
            mount("proc", target, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
        elif kind == "overlay":
            if step.get("options") == "memory":
                sources = [*upper_in_memory(plan, target), *sources]
            upper, work, *lower = sources
            mount_overlay(plan, step, (":".join(lower), upper, work))
        if step.get("writable"):
            writable.append(target)
    for descriptor in opened.values():
        os.close(descriptor)
    if plan.get("rest_read_only"):
        set_read_only("/", True, AT_RECURSIVE)
        for path in ("/dev", "/proc"):
            set_read_only(path, False, AT_RECURSIVE)
        for path in writable:
            set_read_only(path, False, 0)


def mount_overlay(plan, step, layers):
    """Mount an overlay with what the kernel bears of the better options.

    volatile (Linux 5.10): nothing is flushed to the disk when it is thrown away, which
    would take the disk's time from every trial. redirect_dir: a folder of a lower
    layer can be renamed; not to be had in a user namespace.
    """
    options = "lowerdir=%s,upperdir=%s,workdir=%s" % layers
    options += ",userxattr" if "user" in plan["walls"] else ",redirect_dir=on"
    flags = MS_NOSUID | MS_NODEV
    if step.get("fresh"):
        try:
            mount("overlay", step["at"], "overlay", flags, options + ",volatile")
            return
        except SetupFailed:
            pass
    mount("overlay", step["at"], "overlay", flags, options)


def upper_in_memory(plan, target):
    """An upper and a work folder in memory, where the disk's file system has none."""
    mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=50%")
    paths = []
    for name in ("upper", "work"):
        os.mkdir(os.path.join(target, name), 0o755)
        if plan["uid"] is not None:
            os.chown(os.path.join(target, name), plan["uid"], plan["gid"])
        # Left open until the trial starts; the overlay is about to hide the folder.
        descriptor = os.open(os.path.join(target, name), os.O_PATH)
        paths.append("/proc/self/fd/%d" % descriptor)
    return paths


def set_read_only(path, on, flags):
    attributes = struct.pack(
        "QQQQ", MOUNT_ATTR_RDONLY if on else 0, 0 if on else MOUNT_ATTR_RDONLY, 0, 0
    )
    call = LIBC.syscall(
        ctypes.c_long(SYS_MOUNT_SETATTR),
        ctypes.c_int(AT_FDCWD),
        ctypes.c_char_p(os.fsencode(path)),
        ctypes.c_uint(flags),
        ctypes.c_char_p(attributes),
        ctypes.c_size_t(len(attributes)),
    )
    checked("read-only %s" % path, call)


def set_limits(limits):
    """Set limits of one process, by the names of `resource` without RLIMIT_."""
    for name, value in limits.items():
        number = getattr(resource, "RLIMIT_" + name)
        hard = resource.getrlimit(number)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(number, (value, value))


def drop_rights(plan):
    """Become the trial's user, without capabilities or ways to new ones."""
    for capability in range(64):
        # Not held: not allowed to drop it, and nothing to drop.
        LIBC.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0)
    if plan["uid"] is not None:
        os.setgroups([])
        os.setresgid(plan["gid"], plan["gid"], plan["gid"])
        os.setresuid(plan["uid"], plan["uid"], plan["uid"])
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    checked("capabilities", LIBC.capset(header, (ctypes.c_uint32 * 6)()))
    checked("no new privileges", prctl(PR_SET_NO_NEW_PRIVS, 1))
