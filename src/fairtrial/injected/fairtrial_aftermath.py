"""What a trial leaves behind: files it changed, ports it listens on, its processes.

Part of the launcher and of the helper inside containers; standard library only, from
Python 3.6 on. Looked at when the trial's command has ended, while its walls still
stand. What is walked was made by hostile code: nothing is followed, nothing but regular
files is opened, and it is walked with no more rights than the trial had.
"""

import base64
import json
import os
import select
import signal
import stat
import time

#: The name under which the findings lie among the results; no stream is called so.
LEFT = "left"
#: Things that are told, and how deep folders are entered.
_MOST, _DEEPEST = 2000, 40
#: Entries of one folder, and of all.
_ENTRIES, _ALL_ENTRIES = 50000, 400000
#: Bytes of one file that are taken, of all, and of a name.
_SIZE, _ALL, _NAME = 1 << 16, 4 << 20, 4096
#: Seconds for the walk, and bytes of what it says.
_SECONDS, _SAID = 20, 24 << 20
#: What pytest and Python leave wherever they run.
_OWN = frozenset({"__pycache__", ".pytest_cache"})
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
#: Linux's number of that clock.
_COARSE = 5
_LISTENS = "0A"


class Aftermath:
    """Opens what it can before the walls go up, and looks when the trial has ended.

    `asked`: `folders`, each with `at` (where the trial sees it), `path` (where it lies,
    or None: there) and `upper` (all in it is the trial's); `own_processes` and
    `own_ports`: nobody else's are seen here.
    """

    def __init__(self, asked, results):
        self.asked, self.results = asked, results
        self.since, self.known = time.time(), set()
        self.opened = {}
        for number, each in enumerate(asked["folders"]):
            if each["path"] is not None:
                self.opened[number] = os.open(each["path"], _FOLDER)

    def ready(self):
        """The trial is about to start, and all doors are open."""
        # The clock that files are stamped with, which steps: no trial starts within one.
        self.since = time.clock_gettime(_COARSE)
        self.known = _listening()

    def look(self, become, spare=()):
        """Keeps what is left among the results; `become` gives up all rights, `spare`
        are processes that are none of the trial's."""
        left, blind = [], []
        try:
            if self.asked["own_ports"]:
                left += _ports(self.known)
            else:
                blind.append("which ports it listens on can't be told on this bench")
            if self.asked["own_processes"]:
                left += _processes(spare)
            else:
                blind.append("which processes it leaves can't be told on this bench")
            walked, unseen = self._in_child(become, {*spare, os.getpid()})
            left += walked
            blind += unseen
        except Exception as error:
            blind.append("not all that it left was seen: %s" % type(error).__name__)
        self._keep({"left": left, "blind": blind})

    def _keep(self, found):
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            file = os.open(LEFT, flags, 0o600, dir_fd=self.results)
        except OSError:
            return
        data = json.dumps(found).encode("ascii")
        try:
            while data:
                data = data[os.write(file, data) :]
        except OSError:
            pass
        finally:
            os.close(file)

    def _in_child(self, become, spare):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reading)
                signal.alarm(_SECONDS)
                become()
                if self.asked["own_processes"]:
                    _end_all(spare)
                found = json.dumps(self._walk_all()).encode("ascii")
                while found:
                    found = found[os.write(writing, found) :]
            finally:
                os._exit(0)
        os.close(writing)
        said = _read(reading, _SECONDS + 5)
        try:
            os.kill(child, signal.SIGKILL)
        except OSError:
            pass  # it has another user now, and ends when its alarm rings
        os.waitpid(child, 0)
        try:
            return json.loads(said.decode("ascii"))
        except ValueError:
            return [], ["the files that it left could not be walked in time"]

    def _walk_all(self):
        walk = Walk(self.since)
        for number, each in enumerate(self.asked["folders"]):
            try:
                if number in self.opened:
                    top = os.open(".", _FOLDER, dir_fd=self.opened[number])
                else:
                    top = os.open(each["at"], _FOLDER)
            except OSError as error:
                walk.blind.add("%s can't be walked: %s" % (each["at"], error.strerror))
                continue
            walk.walk(top, each["at"], 0, each["upper"])
        return walk.found, sorted(walk.blind)


class Walk:
    """Everything that was changed since a time below some folders."""

    def __init__(self, since):
        self.since = since
        self.found, self.blind = [], set()
        self.bytes, self.entries = _ALL, _ALL_ENTRIES

    def walk(self, folder, path, depth, upper):
        """Walks one open folder and closes it; whether anything in it is told."""
        try:
            names = sorted(os.listdir(folder))[:_ENTRIES]
            told = [self._one(folder, name, path, depth, upper) for name in names]
            return any(told), bool(names)
        except OSError as error:
            self.blind.add("not every folder can be walked: %s" % error.strerror)
            return True, True
        finally:
            os.close(folder)

    def _one(self, folder, name, path, depth, upper):
        self.entries -= 1
        if name in _OWN or name.endswith(".pyc"):
            return False
        if self.entries < 0 or len(self.found) >= _MOST:
            self.blind.add("it left more files than are told")
            return True
        try:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            return False
        full = "%s/%s" % (path, name)
        if len(full) > _NAME:
            self.blind.add("a name is too long to be told")
            return True
        if stat.S_ISDIR(status.st_mode):
            return self._folder(folder, name, full, depth, upper, status)
        if not upper and status.st_ctime <= self.since:
            return False
        kind, data = "special", None
        if stat.S_ISREG(status.st_mode):
            kind, data = "file", self._content(folder, name, status)
        elif stat.S_ISLNK(status.st_mode):
            kind = "link"
        elif stat.S_ISCHR(status.st_mode) and status.st_rdev == 0 and upper:
            kind = "removed"
        self._tell(full, status, kind, data)
        return True

    def _folder(self, folder, name, full, depth, upper, status):
        if depth >= _DEEPEST:
            self.blind.add("folders are too deep to be walked")
            return True
        try:
            inner = os.open(name, _FOLDER, dir_fd=folder)
        except OSError:
            self.blind.add("not every folder may be opened")
            return True
        told, anything = self.walk(inner, full, depth + 1, upper)
        # One with entries is told by them: any new entry changes its folder.
        if not told and not anything and (upper or status.st_ctime > self.since):
            self._tell(full, status, "folder", None)
            return True
        return told

    def _content(self, folder, name, status):
        if status.st_size > min(_SIZE, self.bytes):
            return None
        try:
            file = os.open(name, _FILE, dir_fd=folder)
        except OSError:
            return None
        try:
            same = os.fstat(file)
            if not stat.S_ISREG(same.st_mode) or same.st_ino != status.st_ino:
                return None
            data = b""
            while len(data) <= _SIZE:
                chunk = os.read(file, _SIZE + 1 - len(data))
                if not chunk:
                    break
                data += chunk
        except OSError:
            return None
        finally:
            os.close(file)
        if len(data) > min(_SIZE, self.bytes):
            return None
        self.bytes -= len(data)
        return base64.b64encode(data).decode("ascii")

    def _tell(self, path, status, kind, data):
        changed = status.st_ctime_ns / 1e9
        self.found.append([path, changed, status.st_size, kind, data])


def _read(descriptor, seconds):
    chunks, size, deadline = [], 0, time.monotonic() + seconds
    try:
        while size < _SAID:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([descriptor], [], [], left)[0]:
                break
            chunk = os.read(descriptor, 1 << 16)
            if not chunk:
                break
            chunks.append(chunk)
            size += len(chunk)
    finally:
        os.close(descriptor)
    return b"".join(chunks)


def _ports(known):
    """What listens on this network, but for the doors."""
    now = time.time()
    more = sorted(_listening() - known)
    return [["tcp:%d" % port, now, 0, "port", None] for port in more]


def _listening():
    found = set()
    for name in ("tcp", "tcp6"):
        try:
            with open("/proc/self/net/" + name) as table:
                lines = table.read(1 << 20).splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            parts = line.split()
            if len(parts) > 3 and parts[3] == _LISTENS:
                found.add(int(parts[1].rpartition(":")[2], 16))
    return found


def _processes(spare):
    """Those that did not end with the trial's command, with when they began."""
    if not _running(spare):
        return []
    # What was just told to end gets a moment to do so.
    time.sleep(0.05)
    ticks = os.sysconf("SC_CLK_TCK")
    with open("/proc/uptime") as file:
        booted = time.time() - float(file.read().split()[0])
    found = []
    for pid, begun in _running(spare)[:100]:
        try:
            with open("/proc/%d/cmdline" % pid, "rb") as file:
                words = file.read(2000).split(b"\0")
        except OSError:
            continue
        name = os.fsdecode(b" ".join(words)).strip()[:200] or "process"
        found.append([name, booted + begun / ticks, 0, "process", None])
    return found


def _running(spare):
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) in spare or int(name) == os.getpid():
            continue
        try:
            with open("/proc/%s/stat" % name, errors="replace") as file:
                rest = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if rest[0] not in "ZX":
            found.append((int(name), int(rest[19])))
    return found


def _end_all(spare):
    """Nothing may change any more while files are looked at."""
    for _ in range(20):
        running = _running(spare)
        if not running:
            return
        for pid, _ in running:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        time.sleep(0.005)
