"""Runs a tool's command and ends it when one of its tests takes longer than it may.

Usage: python3 fairtrial_watch.py PLAN. The plan is JSON: `argv`, `idle` (seconds),
`files` (glob patterns of files that grow with every test), `told` (where to say so),
`signal` (sent first, so that the tool can print its stacks). A test that hangs lets
none of the files grow; how long nothing happened is all that is looked at, so that it
holds for every tool.
"""

import glob
import json
import os
import signal
import subprocess
import sys
import time

#: Seconds between two looks, and for printing stacks.
LOOK = 0.2
LAST_WORDS = 3.0


def main(path):
    """The command's own exit code, or 128 and the number of what ended it."""
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    child = subprocess.Popen(plan["argv"], start_new_session=True)
    signal.signal(signal.SIGTERM, lambda *_: end(child, signal.SIGKILL))
    grown, last = None, time.monotonic()
    while True:
        try:
            code = child.wait(timeout=LOOK)
            break
        except subprocess.TimeoutExpired:
            pass
        now = size(plan["files"])
        if now != grown:
            grown, last = now, time.monotonic()
        elif time.monotonic() - last > plan["idle"]:
            with open(plan["told"], "w", encoding="utf-8") as told:
                json.dump({"cause": "test_timeout", "seconds": plan["idle"]}, told)
            if plan.get("signal"):
                end(child, plan["signal"])
                try:
                    child.wait(timeout=LAST_WORDS)
                except subprocess.TimeoutExpired:
                    pass
            end(child, signal.SIGKILL)
            code = child.wait()
            break
    return code if code >= 0 else 128 - code


def size(patterns):
    """How much all the files hold together, and how many there are."""
    found = [name for pattern in patterns for name in glob.glob(pattern)]
    total = 0
    for name in found:
        try:
            total += os.stat(name).st_size
        except OSError:
            pass
    return len(found), total


def end(child, number):
    """Sends a signal to the command and everything that it started."""
    try:
        os.killpg(child.pid, number)
    except OSError:
        pass


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
