"""Stands between cargo and what it runs: test binaries, and rustdoc for examples.

Usage: fairtrial_cargo.py binary PROGRAM ARGUMENT…   (as cargo's `runner`)
       fairtrial_cargo.py rustdoc ARGUMENT…          (as RUSTDOC)
       fairtrial_cargo.py finish CODE                (after the suite's command)

The plan (FAIRTRIAL_CARGO_PLAN) is JSON: `mode` (list, whole or listed), `tests` (ids,
in order), `workspace`, `outputs`, `token`. Cargo is told that all went well, so that
it goes on behind a failed binary; `finish` says how it really ended.
"""

import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from fairtrial_doctests import Doctests
from fairtrial_libtest import (
    ASKED_TO_TELL,
    Options,
    Run,
    detail,
    dies_alone,
    is_libtest,
    names,
)
from fairtrial_rust_places import Sources, below, prerequisites
from fairtrial_rust_report import Report

#: Left in a private folder: that a binary was run, and that one failed.
_STARTED, _FAILED = "started", "failed"


def main(mode, *words):
    """The exit code for cargo, or for the trial."""
    with open(os.environ["FAIRTRIAL_CARGO_PLAN"], encoding="utf-8") as file:
        plan = json.load(file)
    room = os.environ["FAIRTRIAL_CARGO_ROOM"]
    if mode == "begin":
        return 0
    if mode == "finish":
        return finish(plan, room, int(words[0]))
    if mode == "rustdoc" and "--test" not in words:
        os.execvp("rustdoc", ["rustdoc", *words])
    mark(room, _STARTED)
    if mode == "rustdoc":
        return of_documentation(plan, room, ["rustdoc", *words])
    return of_binary(plan, room, words[0], words[1:])


def finish(plan, room, code):
    """The trial's exit code; a report of its own says that cargo came to its end."""
    if code == 0:
        Report(plan, "end").done()
    if code == 0 and os.path.exists(os.path.join(room, _FAILED)):
        return 101
    return code


def of_binary(plan, room, binary, words):
    """Runs what is asked for of one binary."""
    unit, sources = identity(plan, room, binary)
    report = Report(plan, unit)
    options = Options(words)
    libtest = is_libtest(binary)
    if libtest:
        found = names(binary, options)
        if found is None:
            report.write("fault", text="%s can't list its tests" % unit)
            return 0
        ids = {
            "%s::%s %s" % (sources.file_of(each), unit, each): each for each in found
        }
        if len(ids) != len(found):
            report.write("fault", text="tests of %s have one name" % unit)
    else:
        ids = {"%s::%s" % (sources.root, unit): ""}
    report.listed(list(ids))
    asked = [each for each in plan["tests"] if each in ids]
    if plan["mode"] == "list" or (plan["mode"] == "listed" and not asked):
        report.done()
        return 0
    report.loaded(sorted(sources.files), plan["workspace"])
    if plan["mode"] == "whole":
        asked = list(ids)
    if libtest:
        run_libtest(plan, room, report, binary, options, ids, asked)
    else:
        run_other(plan, room, report, binary, words, asked[0])
    return 0


def run_libtest(plan, room, report, binary, options, ids, asked):
    """Runs tests of a binary in one process."""
    env = clean()
    if plan["mode"] == "whole":
        threads = ["--test-threads", options.threads] if options.threads else []
        words = [*options.kept, *options.filters, *threads]
    else:
        words = [
            *options.kept,
            "--exact",
            *(ids[each] for each in asked),
            "--test-threads=1",
        ]
    back = {name: test for test, name in ids.items()}
    run = Run(binary, words, env)
    folder = compiled_in(plan, room)

    def tell(*_):
        # The watch is about to end the run: the test that began first hangs.
        if run.begun:
            hung = next(iter(run.begun))
            report.write("begin", id=back.get(hung, hung), at=run.begun[hung])
        run.kill()
        os._exit(0)

    signal.signal(ASKED_TO_TELL, tell)
    for name, began, outcome, seconds, event in run.events():
        if name not in back:
            run.faults.append("%r is none of its tests" % (name,))
            continue
        fields = detail(run, event, name, plan["workspace"], folder)
        report.ended(back[name], began, outcome, seconds, **fields)
    if run.counts["failed"] or run.finished is None:
        mark(room, _FAILED)
    for fault in run.faults:
        report.write("fault", text=fault[:500])
    if run.finished is not None:
        report.done()
        return
    culprit = run.culprit(dies_alone(binary, env))
    if culprit is None:
        report.write(
            "fault", text="the binary ended early, while none of its tests ran"
        )
    else:
        report.write("begin", id=back.get(culprit, culprit), at=run.begun[culprit])


def run_other(plan, room, report, binary, words, test):
    """Runs a binary with a main of its own, which is one test."""
    began = time.time()
    report.write("begin", id=test, at=began)
    done = subprocess.run(
        [binary, *(words if plan["mode"] == "whole" else ())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=clean(),
        check=False,
    )
    seconds = time.time() - began
    if done.returncode == 0:
        report.write("end", id=test, outcome="passed", seconds=seconds)
    elif done.returncode > 0:
        mark(room, _FAILED)
        said = done.stdout[-20_000:].decode("utf-8", "replace")
        report.write(
            "end",
            id=test,
            outcome="failed",
            seconds=seconds,
            type="exit",
            message="it exited with %d" % done.returncode,
            text=said,
        )
    else:
        mark(room, _FAILED)
        return
    report.done()


def of_documentation(plan, room, words):
    """Runs what is asked for of one crate's documentation tests."""
    package = os.environ.get("CARGO_PKG_NAME", "?")
    prefix = "::%s (doc)" % package
    wanted = [each for each in plan["tests"] if prefix in each]
    if plan["mode"] == "listed" and not wanted:
        return 0
    report = Report(plan, package + "-doc")
    doctests = Doctests(plan, words, package)
    ids = doctests.names()
    if ids is None:
        report.write("fault", text="rustdoc can't list the examples of %s" % package)
        return 0
    report.listed(list(ids))
    if plan["mode"] == "list":
        report.done()
        return 0
    left = {name: test for test, name in ids.items()}
    parts = [(doctests.options.filters, left)]
    if plan["mode"] == "listed":
        parts = [
            (doctests.chosen(ids[test], list(left)), {ids[test]: test})
            for test in wanted
            if test in ids
        ]
    for chosen, asked in parts:
        if chosen is None:
            report.write(
                "fault", text="%s can't be chosen alone" % next(iter(asked.values()))
            )
            continue
        failed = doctests.run(chosen, asked, report) if asked else 0
        if failed is None:
            report.write(
                "fault", text="rustdoc's report on %s does not add up" % package
            )
        if failed != 0:
            mark(room, _FAILED)
    report.done()
    return 0


def identity(plan, room, binary):
    """A binary's unit, named as nextest names it, and what it was compiled from."""
    workspace = plan["workspace"]
    data = metadata(room)
    top = data.get("workspace_root", os.getcwd())
    root, files = prerequisites(binary, top)
    manifest = os.environ.get("CARGO_MANIFEST_PATH") or os.path.join(
        os.environ.get("CARGO_MANIFEST_DIR", os.getcwd()), "Cargo.toml"
    )
    package = os.environ.get("CARGO_PKG_NAME", "?")
    stem = os.path.basename(binary).rpartition("-")[0]
    unit = "%s::%s" % (package, stem)
    for one in data.get("packages", ()):
        if os.path.realpath(one["manifest_path"]) != os.path.realpath(manifest):
            continue
        for target in one["targets"]:
            if target["name"].replace("-", "_") != stem.replace("-", "_"):
                continue
            if root is None or os.path.realpath(target["src_path"]) == os.path.realpath(
                root
            ):
                root = root or target["src_path"]
                unit = unit_of(package, target)
                break
    inside = [path for path in (below(each, workspace) for each in files) if path]
    return unit, Sources(
        workspace, below(root or binary, workspace) or str(root), inside
    )


def unit_of(package, target):
    """The name of a target, by its kind."""
    kind = target["kind"][0]
    if kind in ("test",):
        return "%s::%s" % (package, target["name"])
    if kind in ("bin", "example", "bench"):
        return "%s::%s/%s" % (package, kind, target["name"])
    return package


def metadata(room):
    """What cargo knows of the workspace around here, asked once per workspace."""
    manifest = os.path.join(
        os.environ.get("CARGO_MANIFEST_DIR", os.getcwd()), "Cargo.toml"
    )
    for name in sorted(os.listdir(room)):
        if name.startswith("metadata-"):
            with open(os.path.join(room, name), encoding="utf-8") as file:
                data = json.load(file)
            if any(one["manifest_path"] == manifest for one in data["packages"]):
                return data
    cargo = os.environ.get("CARGO", "cargo")
    words = [
        cargo,
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version=1",
        "--manifest-path",
        manifest,
    ]
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode != 0:
        return {}
    with open(os.path.join(room, "metadata-%d" % os.getpid()), "wb") as file:
        file.write(done.stdout)
    return json.loads(done.stdout)


def compiled_in(plan, room):
    """The folder that relative paths of panics are relative to."""
    return metadata(room).get("workspace_root", plan["workspace"])


def clean():
    """The environment of a test: backtraces of panics, and nothing of ours."""
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("FAIRTRIAL_CARGO_")
    }
    env.setdefault("RUST_BACKTRACE", "1")
    # Errors that carry a backtrace only where one is asked for stay as they are.
    env.setdefault("RUST_LIB_BACKTRACE", "0")
    return env


def mark(room, name):
    """Leaves a file as a sign."""
    with open(os.path.join(room, name), "a", encoding="utf-8"):
        pass


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
