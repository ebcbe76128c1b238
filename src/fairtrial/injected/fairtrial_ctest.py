"""Runs CTest for one trial: all of a suite, its list, or chosen tests in an order.

Usage: python3 fairtrial_ctest.py PLAN. The plan is JSON: `mode` (whole, listed, list),
`argv` (the suite's ctest), `place` (its options that say where the build lies),
`tests` (names, a case of GoogleTest behind " > "), `outputs`. A test that is a whole
GoogleTest binary is told apart by its cases; it is asked for them by itself.
"""

import json
import os
import subprocess
import sys

#: Seconds in which a binary has to list its cases.
LISTING = 60
SEPARATOR = " > "
MARKS = (b"gtest_list_tests", b"_ZN7testing14InitGoogleTest", b"_ZN7testing4Test")
#: Settings that would repeat, shuffle or cut short what is asked for.
SETTINGS = {
    "GTEST_REPEAT": "1",
    "GTEST_SHUFFLE": "0",
    "GTEST_FAIL_FAST": "0",
    "GTEST_BREAK_ON_FAILURE": "0",
    "GTEST_COLOR": "no",
    "GTEST_ALSO_RUN_DISABLED_TESTS": "0",
}


def main(path):
    """The worst exit code of all that was run."""
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    shown = show(plan)
    if shown is None:
        return 1
    wanted = None
    if plan["mode"] == "listed":
        wanted = {name.partition(SEPARATOR)[0] for name in plan["tests"]}
        wanted |= set(plan["tests"])
    entries = entries_of(shown, plan, wanted)
    write(plan, "list.json", entries)
    if plan["mode"] == "list":
        return 0
    if plan["mode"] == "whole":
        return run(plan, plan["argv"], 0, {})
    worst = 0
    for number, (entry, cases) in enumerate(parts(plan["tests"], entries)):
        at = str(entry["index"])
        more = {"GTEST_FILTER": ":".join(cases)} if cases else {}
        argv = [*plan["argv"][:1], *plan["place"], "-I", at + "," + at]
        worst = max(worst, run(plan, argv, number, more))
    write(plan, "done.json", True)
    return worst


def show(plan):
    """What ctest says of all tests; None: it said nothing that can be read."""
    argv = [*plan["argv"][:1], *plan["place"], "--show-only=json-v1"]
    with open(os.path.join(plan["outputs"], "ctest-list.txt"), "wb") as errors:
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=errors)
        errors.write(done.stdout[:200_000] if done.returncode else b"")
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None


def entries_of(shown, plan, wanted):
    """Each test with its number, where it is written, and its cases."""
    graph = shown.get("backtraceGraph", {})
    listed = {}
    found = []
    for index, test in enumerate(shown.get("tests", []), 1):
        properties = {one["name"]: one["value"] for one in test.get("properties", [])}
        entry = {
            "name": test["name"],
            "index": index,
            "kind": "plain",
            "file": added_at(graph, test.get("backtrace")),
            "disabled": bool(properties.get("DISABLED")),
            "program": os.path.basename((test.get("command") or [""])[0]),
        }
        found.append(entry)
        command = test.get("command") or []
        if wanted is not None and test["name"] not in wanted:
            continue
        if not command or not is_googletest(command[0]):
            continue
        filters = [each for each in command if each.startswith("--gtest_filter=")]
        others = ("--gtest_repeat", "--gtest_shuffle", "--gtest_output")
        if any(each.startswith(others) for each in command):
            continue
        key = command[0]
        if key not in listed:
            listed[key] = cases_of(command, properties, plan, len(listed))
        if not filters:
            if listed[key] is not None:
                entry["kind"] = "gtest"
                entry["cases"] = listed[key]
            continue
        name = filters[-1].partition("=")[2]
        case = next((one for one in listed[key] or () if one["name"] == name), None)
        if case is not None:
            entry.update(kind="case", file=case["file"], line=case["line"], case=name)
    return found


def added_at(graph, node):
    """The file whose `add_test` made a test; the outermost one that is told."""
    try:
        return graph["files"][graph["nodes"][node]["file"]]
    except (KeyError, IndexError, TypeError):
        return ""


def is_googletest(program):
    """Whether a program holds GoogleTest; nothing of it runs to find out."""
    try:
        with open(program, "rb") as file:
            head = file.read(4)
            if head != b"\x7fELF":
                return False
            kept = b""
            while True:
                data = file.read(1 << 20)
                if not data:
                    return False
                kept = kept[-64:] + data
                if any(mark in kept for mark in MARKS):
                    return True
    except OSError:
        return False


def cases_of(command, properties, plan, number):
    """A binary's cases in its own order; None: it does not list them."""
    target = os.path.join(plan["outputs"], "cases-%d.json" % number)
    own = [each for each in command[1:] if not each.startswith("--gtest_")]
    argv = [command[0], *own, "--gtest_list_tests", "--gtest_output=json:" + target]
    environment = dict(os.environ)
    for each in properties.get("ENVIRONMENT", []):
        name, _, value = each.partition("=")
        environment[name] = value
    try:
        subprocess.run(
            argv,
            cwd=properties.get("WORKING_DIRECTORY"),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LISTING,
        )
        with open(target, encoding="utf-8") as file:
            told = json.load(file)
        os.unlink(target)
        return [
            {
                "name": suite["name"] + "." + case["name"],
                "file": case.get("file", ""),
                "line": case.get("line", 0),
            }
            for suite in told["testsuites"]
            for case in suite["testsuite"]
        ]
    except (OSError, ValueError, KeyError, subprocess.TimeoutExpired):
        return None


def parts(tests, entries):
    """Runs of ctest: an entry each, with the cases that follow each other in it."""
    by_name = {}
    for entry in entries:
        by_name.setdefault(entry["name"], entry)
    found = []
    for test in tests:
        entry = by_name.get(test)
        if entry is not None and entry["kind"] != "gtest":
            found.append((entry, []))
            continue
        name, _, case = test.partition(SEPARATOR)
        entry = by_name.get(name)
        cases = entry.get("cases", []) if entry is not None else []
        if case not in [one["name"] for one in cases]:
            continue
        if found and found[-1][0] is entry:
            found[-1][1].append(case)
        else:
            found.append((entry, [case]))
    return found


def run(plan, argv, number, more):
    """The exit code of one ctest, whose words and reports become files."""
    outputs = plan["outputs"]
    reports = os.path.join(outputs, "gtest-%d" % number)
    os.makedirs(reports, exist_ok=True)
    environment = {
        **os.environ,
        **SETTINGS,
        "GTEST_OUTPUT": "json:" + reports + "/",
        **more,
    }
    for name in ("GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX", "CTEST_RERUN_FAILED"):
        environment.pop(name, None)
    words = [
        *argv,
        "-V",
        "--no-tests=error",
        "--output-junit",
        os.path.join(outputs, "junit-%d.xml" % number),
        "--test-output-size-passed",
        "200000",
        "--test-output-size-failed",
        "4000000",
    ]
    with open(os.path.join(outputs, "ctest-%d.txt" % number), "wb") as said:
        done = subprocess.run(
            words, env=environment, stdout=said, stderr=subprocess.STDOUT
        )
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


def write(plan, name, value):
    """Puts JSON into the outputs."""
    with open(os.path.join(plan["outputs"], name), "w", encoding="utf-8") as file:
        json.dump(value, file)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
