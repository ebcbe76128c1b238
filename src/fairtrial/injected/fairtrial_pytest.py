"""What this pytest process runs, in which order, and what came of each test.

The plugin: it reads a plan and reports, and only stands aside where there is none.
Runs on every Python that pytest 7 to 9 run on, with the standard library and pytest.
"""

from __future__ import annotations

import json
import os
import sys

import pytest
from fairtrial_aside import Aside
from fairtrial_coverage import Coverage
from fairtrial_frames import short, shown
from fairtrial_guard import Guard
from fairtrial_reach import Reached
from fairtrial_selection import choose, is_unlisted, neutralise
from fairtrial_waits import Waits
from fairtrial_witness import Witness, read_plan

#: Loaded before any code of the project has a reason to run.
_early = [getattr(module, "__file__", None) for module in sys.modules.values()]
_plan = read_plan()


def _witnessed(plan, worker):
    """A witness that also sees what tests reach out to and what they wait for."""
    witness = Witness(plan, worker)
    aside = Aside(witness.channel)
    witness.reached = Reached(witness, aside)
    witness.reached.watch()
    witness.waits = Waits(witness, aside)
    return witness


_witness = None if _plan is None else _witnessed(_plan, "main")
if _plan is not None and _plan.get("subjects"):
    from fairtrial_search import Search
if _plan is not None and (_plan.get("remove") or _plan.get("end")):
    from fairtrial_state_files import put_back

    put_back(_plan)
# A worker of pytest-xdist has no plan yet.
if _plan is None or _plan.get("watched") or _plan.get("undo"):
    from fairtrial_state import State


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests():
    outcome = yield
    error = outcome.excinfo[1] if outcome.excinfo else None
    if error is None or _witness is None:
        return
    path = getattr(error, "path", None)
    cause = getattr(error, "cause", None)
    if cause is None:
        cause = getattr(error, "excinfo", (None, error))[1]
    inside = None if path is None else _witness.frames.inside(str(path))
    found = _witness.exception(cause)
    _witness.channel.write("uncollectable", id=inside or "", **found)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_cmdline_main(config):
    global _witness
    given = getattr(config, "workerinput", {})
    if _witness is None and "fairtrial_plan" in given:
        plan = json.loads(given["fairtrial_plan"])
        _witness = _witnessed(plan, given["workerid"])
    if _witness is None:
        yield
        return
    _witness.rootdir = str(config.rootpath)
    if not given:
        _load_in_workers(config)
    neutralise(config, _witness)
    has_junit = config.pluginmanager.hasplugin("junitxml")
    if has_junit and not given and not config.option.xmlpath:
        config.option.xmlpath = _witness.channel.beside("junit", "xml")
    outcome = yield
    code = None if outcome.excinfo else outcome.get_result()
    _witness.channel.write("exit", code=None if code is None else int(code))


def _load_in_workers(config):
    """Workers of pytest-xdist read the command line anew, and no longer see ours."""
    params = config.invocation_params
    config.invocation_params = config.InvocationParams(
        args=("-p", "fairtrial_pytest", *params.args),
        plugins=params.plugins,
        dir=params.dir,
    )


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Hands the plan to a worker of pytest-xdist, whose environment has none."""
    if _witness is not None:
        _witness.controls = True
        node.workerinput["fairtrial_plan"] = json.dumps(_witness.plan)


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    if _witness is not None and _witness.watchdog is None:
        _witness.watch()
    if _witness is not None and _witness.plan.get("lines"):
        config.pluginmanager.register(Coverage(_witness), "fairtrial_coverage")
    if _witness is not None and _witness.plan.get("subjects"):
        config.pluginmanager.register(
            Search(_witness, _fall_silent), "fairtrial_search"
        )
    elif _witness is not None and (
        _witness.plan.get("watched") or _witness.plan.get("undo")
    ):
        config.pluginmanager.register(State(_witness), "fairtrial_state")


def _fall_silent():
    """In a fork that answers questions nothing is reported."""
    global _witness
    _witness = None


def pytest_sessionstart(session):
    if _witness is None:
        return
    config = session.config
    found = {dist for _, dist in config.pluginmanager.list_plugin_distinfo()}
    _witness.channel.write(
        "session",
        python="%d.%d.%d" % sys.version_info[:3],
        pytest=pytest.__version__,
        rootdir=_witness.rootdir,
        plugins=sorted({"%s %s" % (d.project_name, d.version) for d in found}),
        covered=_witness.covered,
        junit=bool(getattr(config.option, "xmlpath", None)),
    )


def pytest_ignore_collect(collection_path):
    if _witness is not None and is_unlisted(collection_path, _witness):
        return True
    return None


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    yield
    if _witness is not None:
        choose(config, items, _witness)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session):
    if _witness is None or _witness.controls:
        return
    names = [_witness.name(item.nodeid) for item in session.items]
    _witness.channel.write("collected", ids=names)
    _witness.tell_loaded(session.config.pluginmanager.get_plugins())
    relay = session.config.pluginmanager.hook
    _witness.tell_early(_early)
    _witness.tell_steering(vars(relay).values())
    _witness.look_around(_guard, relay, everything=True)
    _guard.remember_items(session.items)


@pytest.hookimpl(tryfirst=True)
def pytest_collectstart(collector):
    """Should the import of a file end the process, this tells which file it was."""
    if _witness is not None and isinstance(collector, pytest.File):
        _witness.channel.write("collecting", id=_witness.name(collector.nodeid))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_make_collect_report(collector):
    outcome = yield
    if _witness is None or outcome.excinfo is not None:
        return
    call = getattr(outcome.get_result(), "call", None)
    error = call.excinfo.value if call is not None and call.excinfo else None
    # A collector wraps what an import raised.
    while isinstance(error, pytest.Collector.CollectError) and error.__cause__:
        error = error.__cause__
    _witness.details = {} if error is None else _witness.exception(error)


@pytest.hookimpl(tryfirst=True)
def pytest_collectreport(report):
    if _witness is None or _witness.controls or report.outcome == "passed":
        return
    name = _witness.name(report.nodeid)
    if report.outcome == "skipped":
        reason = report.longrepr
        reason = reason[2] if isinstance(reason, tuple) else reason
        _witness.channel.write("file_skipped", id=name, reason=short(reason, 1000))
        return
    found, _witness.details = _witness.details, {}
    text = shown(str, report.longrepr)
    _witness.channel.write("uncollectable", id=name, text=text, **found)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    if _witness is None or _witness.controls:
        yield
        return
    _witness.begin_test(item.nodeid)
    outcome = yield
    if outcome.excinfo is None:
        _witness.end_test()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    if _witness is not None and call.when == "call":
        # What a test undoes before it ends is still in force here.
        _witness.look_at(_guard, item)
        _witness.look_around(_guard, item.config.pluginmanager.hook)
    outcome = yield
    if _witness is None or outcome.excinfo is not None:
        return
    report = outcome.get_result()
    details = {}
    if report.outcome == "failed":
        if call.excinfo is not None:
            details = _witness.exception(call.excinfo.value)
        details["text"] = shown(str, report.longrepr)
        details["stderr"] = short(getattr(report, "capstderr", ""), 4000)
    _witness.details, _witness.compared = details, None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    if _witness is None:
        return
    name = _witness.name(report.nodeid)
    if _witness.controls:
        if report.when not in ("setup", "call", "teardown"):
            text = shown(str, report.longrepr)
            _witness.channel.write("worker_crash", id=name, text=text)
        return
    details, _witness.details = _witness.details, {}
    if hasattr(report, "wasxfail"):
        details["wasxfail"] = short(report.wasxfail, 1000)
    if report.outcome == "skipped" and isinstance(report.longrepr, tuple):
        details["reason"] = short(report.longrepr[2], 1000)
    if report.outcome == "failed" and "type" not in details:
        expected = ("[XPASS(strict)]", "Unexpected success")
        details["xpass_strict"] = details.get("text", "").startswith(expected)
    # Named SubTestReport by the plugin for pytest 7 and 8.
    if type(report).__name__.lower() == "subtestreport":
        details["subtest"] = True
    else:
        _witness.phase = "call" if report.when == "setup" else "teardown"
    _witness.channel.write(
        "phase",
        id=name,
        when=report.when,
        outcome=report.outcome,
        seconds=round(report.duration, 6),
        **details,
    )


@pytest.hookimpl(trylast=True)
def pytest_plugin_registered(plugin, manager):
    """A plugin that comes while tests run, and may be gone when they end."""
    if _witness is not None and _witness.running is not None:
        _witness.tell_steering(vars(manager.hook).values())


def pytest_assertrepr_compare(op, left, right):
    """Remembers the two sides of a comparison that did not hold; explains nothing."""
    if _witness is not None:
        _witness.compared = (right, left)


@pytest.hookimpl(tryfirst=True)
def pytest_keyboard_interrupt(excinfo):
    if _witness is not None and not _witness.controls:
        found = _witness.exception(excinfo.value)
        running, phase = _witness.running, _witness.phase
        _witness.channel.write("interrupt", id=running, phase=phase, **found)


@pytest.hookimpl(tryfirst=True)
def pytest_internalerror(excrepr):
    if _witness is not None:
        _witness.channel.write("internal_error", text=shown(str, excrepr))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_sessionfinish(session):
    yield
    if _witness is None:
        return
    _witness.running = None
    relay = session.config.pluginmanager.hook
    _witness.look_around(_guard, relay, everything=True)
    _witness.tell_loaded(session.config.pluginmanager.get_plugins())
    coverage = session.config.pluginmanager.getplugin("_cov")
    required = getattr(getattr(coverage, "options", None), "cov_fail_under", None)
    total = getattr(coverage, "cov_total", None)
    if required and total is not None:
        found = {"required": float(required), "total": float(total)}
        _witness.channel.write("threshold", **found)
    _keep_junit(getattr(session.config.option, "xmlpath", None))
    # A command that starts pytest several times must not end at a start that has
    # none of the planned tests.
    none_here = _witness.plan["mode"] == "listed" and not _witness.covered
    if none_here and session.exitstatus == 5:
        session.exitstatus = 0
    stopped = session.shouldfail or session.shouldstop
    _witness.channel.write("finish", stopped=short(stopped, 500) if stopped else "")


def _keep_junit(path):
    """A copy of the report, wherever the project writes it."""
    if not path or not os.path.isfile(path):
        return
    target = _witness.channel.beside("junit", "xml")
    there = os.path.realpath(path) == os.path.realpath(target)
    if there and _witness.channel.socket is None:
        return
    with open(path, "rb") as source:
        _witness.channel.send_whole("junit", "xml", source.read())


#: Made when everything above is there, before any code of the project runs.
_guard = Guard()
