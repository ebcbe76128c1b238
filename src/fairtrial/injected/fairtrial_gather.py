"""Runs a command whole, or another one once for each test, and keeps its reports.

Usage: python3 fairtrial_gather.py PLAN. The plan is JSON: `token`, `mode`, `command`,
`workspace`, `outputs`, `reports` (globs below the workspace), `seconds` (one test's
time), `runs`: for each the variables that name its test; and `whole`, the command that
runs once more behind them where a run reported no test, to show whether there is one;
"" never does. Before each run what the
globs fit is removed; after it only regular files that are not older than its start are
taken. Python 3.7 and newer, standard library only.
"""

import glob
import json
import os
import shutil
import signal
import stat
import subprocess
import sys

#: Reports of one run and bytes of one report; more is no report.
MOST, LARGEST = 2000, 64 * 1024 * 1024


def main(path):
    """0 where every run ended with 0, else the first other code."""
    with open(path, encoding="ascii") as file:
        plan = json.load(file)
    worst, silent = 0, False
    index = os.path.join(plan["outputs"], "gathered.jsonl")
    for number, names in enumerate(plan["runs"]):
        code, late, said = gather(index, plan, number, names)
        worst = worst or code
        silent = silent or not (late or code < 0 or reports(plan, number, said))
    if silent and plan["whole"]:
        listing = dict(plan, command=plan["whole"])
        gather(index, listing, len(plan["runs"]), {})
    say(index, plan, {"event": "done"})
    return min(abs(worst), 125)


def gather(index, plan, number, names):
    """One run: its code, whether it was late, and what was said of it."""
    empty(plan)
    say(index, plan, {"event": "began", "run": number})
    started = moment(plan["outputs"])
    code, late = run(plan, names)
    said = {"event": "ended", "run": number, "code": code, "late": late}
    said["files"], said["refused"] = take(plan, number, started)
    say(index, plan, said)
    return code, late, said


def reports(plan, number, said):
    """Whether a run's reports tell of any test."""
    for place in range(len(said["files"])):
        kept = "run-%d-%d.xml" % (number, place)
        with open(os.path.join(plan["outputs"], kept), "rb") as file:
            if b"testcase" in file.read():
                return True
    return bool(said["refused"])


def say(index, plan, said):
    said["token"] = plan["token"]
    with open(index, "a", encoding="ascii") as file:
        file.write(json.dumps(said) + "\n")


def moment(folder):
    """When a file that is made now was made, by the clock that stamps files."""
    path = os.path.join(folder, "moment")
    with open(path, "w", encoding="ascii") as file:
        file.write("x")
    found = os.stat(path).st_mtime_ns
    os.unlink(path)
    return found


def fitting(plan):
    """Files below the workspace that a glob fits, links not followed."""
    root = os.path.realpath(plan["workspace"])
    found = {}
    for pattern in plan["reports"]:
        for path in glob.glob(os.path.join(glob.escape(root), pattern), recursive=True):
            real = os.path.realpath(os.path.dirname(path))
            if real == root or real.startswith(root + os.sep):
                found[path] = True
    return sorted(found)


def empty(plan):
    """A report of an earlier run is no report of this one."""
    for path in fitting(plan):
        try:
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            else:
                os.unlink(path)
        except OSError:
            pass


def run(plan, names):
    """Exit code, negative for a signal, and whether it took longer than it may."""
    child = subprocess.Popen(
        ["sh", "-c", plan["command"]],
        cwd=plan["workspace"],
        env=dict(os.environ, **names),
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    signal.signal(signal.SIGTERM, lambda *_: end(child))
    try:
        return child.wait(timeout=plan["seconds"] if names else None), False
    except subprocess.TimeoutExpired:
        end(child)
        return child.wait(), True


def end(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except OSError:
        pass


def take(plan, number, started):
    """The reports' paths from the workspace, copied as `run-N-M.xml`; and refusals."""
    root = os.path.realpath(plan["workspace"])
    taken, refused = [], []
    for path in fitting(plan):
        name = os.path.relpath(path, root)
        try:
            about = os.lstat(path)
            if not stat.S_ISREG(about.st_mode):
                if not stat.S_ISDIR(about.st_mode):
                    refused.append("%s is no regular file" % name)
                continue
            if about.st_mtime_ns < started:
                refused.append("%s is older than its run" % name)
            elif about.st_size > LARGEST or len(taken) >= MOST:
                refused.append("%s is more than is read" % name)
            else:
                kept = "run-%d-%d.xml" % (number, len(taken))
                shutil.copyfile(path, os.path.join(plan["outputs"], kept))
                taken.append(name)
        except OSError as error:
            refused.append("%s: %s" % (name, error.strerror))
    return taken, refused[:20]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
