"""Knows how a build tool starts the JVM of a module's tests, and starts it by itself.

Usage: python3 fairtrial_forks.py capture FOLDER ARGUMENT...   as a fork's own `java`
       python3 fairtrial_forks.py ready KEPT                   compile what runs in forks
       python3 fairtrial_forks.py run PLAN                     list or run tests
       python3 fairtrial_forks.py pulse OUTPUTS                while no test runs

A fork is a folder KEPT/forks/NAME. `fork.tsv` in it (lines of key, tab, value; a key may
stand there more than once) says all that is needed, whichever tool it is of: name,
folder, module (the repository's path of what describes the module), root (folders of
sources), resource, output (folders of compiled tests), engine (platform or junit4),
class (test classes that the suite has), parameter (k=v, the platform's), tag, not-tag,
property (k=v), java (program), option (of the JVM), classpath, env (k=v), cwd. The
folder `classes` holds what was compiled of the helper for the fork's own libraries.
`module.tsv` is what a build tool's plug-in left of it before the fork was started.

A plan is JSON: mode ("listed" or "list"), tests, token, workspace, outputs, kept.
Standard library only, from Python 3.7 on.
"""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile

CORE = ("Plan", "Report", "Line", "Thrown", "Sources", "Own", "Run", "Main")
PLATFORM = ("PlatformNames", "PlatformListener", "PlatformRun", "Order")
JUNIT4 = ("Junit4Names", "Junit4Listener", "Junit4Run")
LISTING = ("Listing",)
SERVICES = "META-INF/services"
#: Seconds between two looks at whether a test runs.
BEAT = 0.5


def main(arguments):
    """The exit code."""
    mode, place = arguments[0], arguments[1]
    if mode == "capture":
        return capture(place, arguments[2:])
    if mode == "ready":
        return ready(place)
    if mode == "pulse":
        return pulse(place)
    with open(place, encoding="utf-8") as file:
        return run(json.load(file))


def read_table(path):
    """The lines of a table as lists by key."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            key, tab, value = line.partition("\t")
            if tab:
                found.setdefault(key, []).append(_plain(value))
    return found


def write_table(path, table):
    """Writes lists by key; whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        for key, values in table.items():
            for value in values:
                file.write("%s\t%s\n" % (key, _escaped(str(value))))
    os.replace(path + ".new", path)


_SIGNS = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_MEANT = {written: sign for sign, written in _SIGNS.items()}


def _escaped(value):
    return re.sub(r"[\\\n\r\t]", lambda found: _SIGNS[found[0]], value)


def _plain(value):
    return re.sub(r"\\.", lambda found: _MEANT.get(found[0], found[0][1]), value)


def capture(folder, arguments):
    """Keeps how a fork is started, and lets it run without any test."""
    module = read_table(os.path.join(folder, "module.tsv"))
    java = module["jvm"][0]
    end = len(arguments)
    for at, each in enumerate(arguments):
        if each == "-jar" or each.startswith("@") or "ForkedBooter" in each:
            end = at
            break
    tables = [path for path in _files(arguments[end:]) if _is_surefires(path)]
    if tables:
        kept = _told(folder, module, java, arguments[:end], tables)
        write_table(os.path.join(folder, "fork.tsv"), kept)
        _without_tests(tables[0])
    os.execv(java, [java, *arguments])


def _files(arguments):
    """The files that arguments name, by themselves or in a folder among them."""
    folders = [each for each in arguments if os.path.isdir(each)]
    for each in arguments:
        for path in (each, *(os.path.join(folder, each) for folder in folders)):
            if os.path.isfile(path):
                yield path


def _is_surefires(path):
    with open(path, "rb") as file:
        return file.read(1) == b"#"


def properties(path):
    """A file of Java's properties."""
    found = {}
    with open(path, encoding="latin-1") as file:
        text = re.sub(r"\\\r?\n[ \t]*", "", file.read())
    for line in text.split("\n"):
        line = line.lstrip()
        if not line or line[0] in "#!":
            continue
        cut = re.search(r"(?<!\\)(?:\\\\)*[=:]", line)
        at = cut.end() - 1 if cut else len(line)
        found[_unescaped(line[:at].rstrip())] = _unescaped(line[at + 1 :].lstrip())
    return found


def _unescaped(text):
    def sign(found):
        if found[1]:
            return chr(int(found[1], 16))
        return {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}.get(found[2], found[2])

    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", sign, text)


def _numbered(table, key):
    names = [each for each in table if re.match(re.escape(key) + r"\.\d+$", each)]
    return [
        table[each] for each in sorted(names, key=lambda it: int(it.rsplit(".", 1)[1]))
    ]


def _told(folder, module, java, options, tables):
    told = properties(tables[0])
    system = properties(tables[1]) if len(tables) > 1 else {}
    system.pop("jvm", None)
    provider = told.get("providerConfiguration", "")
    engine = "platform" if "junitplatform" in provider else "junit4"
    if "testng" in provider:
        engine = "testng"
    tags = [each.strip() for each in told.get("groups", "").split(",")]
    not_tags = told.get("excludedgroups") or told.get("excludegroups", "")
    classpath = _numbered(told, "classPathUrl") + _numbered(
        told, "surefireClassPathUrl"
    )
    if told.get("enableAssertions") == "true":
        options = [*options, "-ea"]
    home = os.environ.get("FAIRTRIAL_WORKSPACE", "/")
    table = dict(module)
    table.update(
        {
            "folder": [folder],
            "module": [os.path.relpath(module["pom"][0], home)],
            "engine": [engine],
            "class": _ordered(_numbered(told, "tc"), told.get("runOrder", "")),
            "parameter": [
                "%s=%s" % pair
                for pair in _parameters(told.get("configurationParameters", ""))
            ],
            "tag": [each for each in tags if each],
            "not-tag": [each.strip() for each in not_tags.split(",") if each.strip()],
            "property": ["%s=%s" % pair for pair in sorted(system.items())],
            "java": [java],
            "option": options,
            "classpath": list(dict.fromkeys(classpath)),
            "env": _own_env(told.get("pluginPid", "")),
            "cwd": [os.getcwd()],
        }
    )
    return table


def _ordered(classes, order):
    """In the order in which the fork itself puts them."""
    if order == "alphabetical":
        return sorted(classes)
    return sorted(classes, reverse=True) if order == "reversealphabetical" else classes


def _parameters(text):
    for line in text.split("\n"):
        key, sign, value = line.strip().partition("=")
        if sign and key.strip() and not key.startswith("#"):
            yield key.strip(), value.strip()


def _own_env(pid):
    """What the tool sets for its forks alone."""
    try:
        with open("/proc/%d/environ" % int(pid), "rb") as file:
            text = file.read().decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return []
    around = set(text.split("\0"))
    mine = ("%s=%s" % pair for pair in sorted(os.environ.items()))
    return [
        each
        for each in mine
        if each not in around and not each.startswith(("FAIRTRIAL", "JAVA_HOME="))
    ]


def _without_tests(path):
    with open(path, encoding="latin-1") as file:
        lines = file.read().split("\n")
    left = [each for each in lines if not re.match(r"tc\.\d+=|forkTestSet=", each)]
    with open(path, "w", encoding="latin-1") as file:
        file.write("\n".join(left))


def forks(kept):
    """All forks that were captured, in the order of their tool."""
    top = os.path.join(kept, "forks")
    names = sorted(os.listdir(top)) if os.path.isdir(top) else []
    paths = [os.path.join(top, name, "fork.tsv") for name in names]
    # In the order in which the tool started them, as its suite runs.
    told = sorted(filter(os.path.isfile, paths), key=os.path.getmtime)
    return [read_table(path) for path in told]


def ready(kept):
    """Compiles the helper for each fork's own libraries."""
    for fork in forks(kept):
        compiled(kept, fork)
    return 0


def compiled(kept, fork):
    """Makes the folder of a fork's helper, unless it is there already."""
    folder = os.path.join(fork["folder"][0], "classes")
    jars = [
        each
        for each in fork["classpath"]
        if re.search(
            r"junit|opentest4j|apiguardian|hamcrest|jspecify|kotlin-stdlib", each
        )
    ]
    source = os.path.join(kept, "jvm", "fairtrial")
    digest = hashlib.sha256("\0".join(jars).encode())
    for name in sorted(os.listdir(source)):
        with open(os.path.join(source, name), "rb") as file:
            digest.update(file.read())
    key = digest.hexdigest()[:24]
    shared = os.path.join(kept, "compiled", key)
    if not os.path.isdir(shared):
        _compile(source, shared, fork, jars)
    mark = os.path.join(folder, key)
    if not os.path.exists(mark):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(shared, folder)
        listing = os.path.join(fork["folder"][0], "listing", SERVICES)
        os.makedirs(listing, exist_ok=True)
        with open(
            os.path.join(listing, "org.junit.jupiter.api.extension.Extension"), "w"
        ) as file:
            file.write("fairtrial.Listing\n")
        open(mark, "w").close()
    _write_arguments(fork, folder)


def _compile(source, target, fork, jars):
    has = lambda name: any(_holds(jar, name) for jar in jars)  # noqa: E731
    parts = [CORE]
    if has("org/junit/platform/launcher/Launcher.class"):
        parts[0] += PLATFORM
    if has("org/junit/runner/JUnitCore.class"):
        parts[0] += JUNIT4
    if (
        has("org/junit/jupiter/api/extension/InvocationInterceptor.class")
        and PLATFORM[0] in parts[0]
    ):
        parts.append(LISTING)
    making = target + ".new"
    shutil.rmtree(making, ignore_errors=True)
    services = os.path.join(making, SERVICES)
    os.makedirs(services)
    javac = os.path.join(os.path.dirname(os.path.realpath(fork["java"][0])), "javac")
    for number, part in enumerate(parts):
        files = [os.path.join(source, "%s.java" % name) for name in part]
        words = [
            javac if os.path.exists(javac) else "javac",
            "-nowarn",
            "-proc:none",
            "-encoding",
            "UTF-8",
            "-d",
            making,
            "-cp",
            os.pathsep.join([making, *jars]),
            *files,
        ]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode and number == 0:
            sys.stdout.buffer.write(done.stdout)
            raise SystemExit("the helper can't be compiled for %s" % fork["name"][0])
    if PLATFORM[0] in parts[0]:
        with open(
            os.path.join(services, "org.junit.platform.launcher.TestExecutionListener"),
            "w",
        ) as file:
            file.write("fairtrial.PlatformListener\n")
    os.replace(making, target)


def _holds(jar, name):
    if os.path.isdir(jar):
        return os.path.exists(os.path.join(jar, name))
    try:
        with zipfile.ZipFile(jar) as file:
            return name in file.NameToInfo
    except (OSError, zipfile.BadZipFile):
        return False


def _write_arguments(fork, classes):
    """The JVM's options and classpath as a file that `java` reads itself, from 9 on."""
    path = os.pathsep.join([*fork["classpath"], classes])
    words = [*fork.get("option", []), "-cp", path, "fairtrial.Main"]
    with open(
        os.path.join(fork["folder"][0], "arguments"), "w", encoding="utf-8"
    ) as file:
        for each in words:
            file.write('"%s"\n' % each.replace("\\", "\\\\").replace('"', '\\"'))


def run(plan):
    """Starts each fork that is needed, one after the other; the worst exit code."""
    # The first signal of the watch is for the JVM, which answers it with its stacks.
    signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    kept = plan["kept"]
    known = forks(kept)
    if plan["mode"] == "list":
        parts = [(fork, []) for fork in known if fork.get("class")]
    else:
        parts = _parts(plan["tests"], known, plan["workspace"])
    if not parts or any(fork is None for fork, _ in parts):
        _tell_nothing(plan)
    worst = 0
    for number, (fork, tests) in enumerate(parts):
        if fork is not None:
            worst = max(worst, _start(plan, fork, tests, number))
    return worst


def _parts(tests, known, workspace):
    parts = []
    for test in tests:
        fork = fork_of(test, known, workspace)
        if not parts or parts[-1][0] is not fork:
            parts.append((fork, []))
        parts[-1][1].append(test)
    return parts


def fork_of(test, known, workspace):
    """The fork that a test belongs to; None: no module has its file."""
    file, _, native = test.partition("::")
    path = os.path.join(workspace, file)
    best, found = -1, None
    for fork in known:
        folders = [*fork.get("root", []), *fork.get("resource", [])]
        fits = [
            len(each) for each in folders if path.startswith(each.rstrip("/") + "/")
        ]
        if fork["module"][0] == file:
            fits.append(len(file))
        if not fits:
            continue
        own = native.partition("::")[0]
        names = (
            each.rpartition(".")[2].split("$")[0] for each in fork.get("class", [])
        )
        fit = max(fits) * 2 + (own in names)
        if fit > best:
            best, found = fit, fork
    return found


def _start(plan, fork, tests, number):
    if fork["engine"][0] == "testng":
        return 0
    compiled(plan["kept"], fork)
    table = {
        "mode": [plan["mode"]],
        "test": tests,
        "token": [plan["token"]],
        "workspace": [plan["workspace"]],
        "outputs": [plan["outputs"]],
    }
    path = os.path.join(os.environ.get("TMPDIR", "/tmp"), "fairtrial-%d.tsv" % number)
    write_table(path, table)
    java = fork["java"][0]
    env = dict(os.environ)
    env.update(each.split("=", 1) for each in fork.get("env", []))
    modules = os.path.join(
        os.path.dirname(os.path.dirname(os.path.realpath(java))), "lib", "modules"
    )
    if os.path.exists(modules):
        words = [java, "@" + os.path.join(fork["folder"][0], "arguments"), path]
    else:
        classes = os.path.join(fork["folder"][0], "classes")
        on = os.pathsep.join([*fork["classpath"], classes])
        words = [java, *fork.get("option", []), "-cp", on, "fairtrial.Main", path]
    child = subprocess.Popen(
        words, env=env, cwd=fork["cwd"][0], stdin=subprocess.DEVNULL
    )
    beat = Pulse(plan["outputs"])
    while True:
        try:
            code = child.wait(timeout=BEAT)
            break
        except subprocess.TimeoutExpired:
            beat.look()
    return code if code >= 0 else 128 - code


class Pulse:
    """A file that grows while no test runs: a tool that starts or compiles is no test."""

    def __init__(self, outputs):
        self.outputs = outputs
        self.seen = {}
        self.running = {}

    def look(self):
        """Reads on in each report, and lets the file grow unless a test is open."""
        for name in os.listdir(self.outputs):
            if name.startswith("report-") and name.endswith(".jsonl"):
                self._read(name)
        if not any(self.running.values()):
            with open(os.path.join(self.outputs, "pulse"), "a") as file:
                file.write(".")

    def _read(self, name):
        with open(os.path.join(self.outputs, name), "rb") as file:
            file.seek(self.seen.get(name, 0))
            new = file.read()
        new = new[: new.rfind(b"\n") + 1]
        self.seen[name] = self.seen.get(name, 0) + len(new)
        opened = new.count(b'{"event":"begin"') - new.count(b'{"event":"end"')
        self.running[name] = self.running.get(name, 0) + opened


def pulse(outputs):
    """Until the process that started it has gone."""
    parent, beat = os.getppid(), Pulse(outputs)
    while os.getppid() == parent:
        beat.look()
        time.sleep(BEAT)
    return 0


def _tell_nothing(plan):
    """No module has these tests: a list that is empty, and complete."""
    events = [
        {"event": "start", "token": plan["token"], "epoch": time.time()},
        {"event": "listed", "ids": []},
        {"event": "done"},
    ]
    with open(os.path.join(plan["outputs"], "report-forks.jsonl"), "w") as file:
        for event in events:
            file.write(json.dumps(event) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
