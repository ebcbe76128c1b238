"""Which tests this process runs, in which order, and what must keep out of it.

Runs on Python 3.7 and newer, with the standard library and pytest only.
"""

from __future__ import annotations

import os

from fairtrial_again import again, first_of

#: Plugins that shuffle, repeat failures, or run tests in forks of their own, with the
#: marker that a project under --strict-markers still needs.
UNWANTED = {
    "pytest_randomly": "",
    "random_order": "",
    "pytest_reverse": "",
    "pytest_rerunfailures": "flaky(reruns, reruns_delay): retries are off here",
    "flaky": "flaky: retries are off here",
    "pytest_retry": "flaky(retries, delay): retries are off here",
    "pytest_forked": "forked: forks are off here",
}
#: Options of pytest and its plugins that would stop early, pick, or ask a person.
NEUTRAL = {
    "maxfail": 0,
    "continue_on_collection_errors": True,
    "lf": False,
    "failedfirst": False,
    "newfirst": False,
    "stepwise": False,
    "stepwise_skip": False,
    "stepwise_reset": False,
    "usepdb": False,
    "trace": False,
    "forked": False,
    "randomly_reorganize": False,
    "reruns": None,
    "retries": None,
    "junitprefix": None,
}
#: What makes several processes of one.
ONE_PROCESS = {
    "numprocesses": None,
    "dist": "no",
    "distload": False,
    "tx": [],
    "looponfail": False,
    "workers": None,
    "tests_per_worker": None,
}


def neutralise(config, witness):
    """Nothing stops early, repeats, shuffles, picks or forks."""
    plan, options = witness.plan, config.option
    unregister_unwanted(config)
    wanted = dict(NEUTRAL)
    if plan["mode"] != "whole":
        wanted.update(ONE_PROCESS)
    for name, value in wanted.items():
        if hasattr(options, name):
            setattr(options, name, value)
    coverage = config.pluginmanager.getplugin("_cov")
    if not plan["thresholds"] and hasattr(coverage, "options"):
        coverage.options.cov_fail_under = options.cov_fail_under = 0
    if plan["mode"] == "list":
        options.collectonly = True
    if plan["mode"] == "listed":
        collect_listed_files_only(config, witness)


def unregister_unwanted(config):
    seed = getattr(config.option, "randomly_seed", None)
    for _, plugin in config.pluginmanager.list_name_plugin():
        name = getattr(plugin, "__name__", None) or type(plugin).__module__
        root = str(name).split(".")[0]
        if plugin is None or root not in UNWANTED:
            continue
        # A seed that the project names is part of its tests; a shuffle is not.
        if root == "pytest_randomly" and isinstance(seed, int):
            continue
        config.pluginmanager.unregister(plugin)
        if UNWANTED[root]:
            config.addinivalue_line("markers", UNWANTED[root])


def collect_listed_files_only(config, witness):
    """Other files are not even imported: what they do on import is no part of it.

    A command may start pytest several times; each start takes the files that its own
    arguments cover.
    """
    here = str(config.invocation_params.dir)
    roots = [
        os.path.realpath(os.path.join(here, str(each).partition("::")[0])) + os.sep
        for each in config.args
    ]
    mine = []
    for test in witness.plan["tests"]:
        path = os.path.join(witness.frames.workspace, test.partition("::")[0])
        real = os.path.realpath(path) + os.sep
        covered = config.option.pyargs or any(real.startswith(root) for root in roots)
        if covered and path not in mine:
            mine.append(path)
    witness.covered = [path[len(witness.frames.workspace) + 1 :] for path in mine]
    config.option.pyargs = False
    config.args[:] = [_argument(path) for path in mine if os.path.exists(path)]


def _argument(path):
    """What leads pytest to a file: its path, or a folder where "[" is in its name.

    pytest takes a bracket for the beginning of parameters.
    """
    while "[" in path:
        path = os.path.dirname(path)
    return path


def is_unlisted(path, witness):
    """Whether a file is none of the listed; folders and packages stay open."""
    if witness.plan["mode"] != "listed" or path.name == "__init__.py":
        return False
    inside = witness.frames.inside(str(path))
    return path.is_file() and inside not in witness.covered


def choose(config, items, witness):
    """Keep exactly the planned items in the planned order, found by equal ids."""
    plan = witness.plan
    wanted = plan["tests"] if plan["mode"] == "listed" else plan["order"]
    if plan["mode"] != "listed" and not wanted:
        return
    by_name = {}
    for item in items:
        by_name.setdefault(witness.name(item.nodeid), []).append(item)
    known = dict(by_name)
    chosen = []
    for test in wanted:
        first = first_of(test)
        if first is None:
            chosen += by_name.pop(test, ())
        else:
            chosen += [again(item) for item in known.get(first, ())]
    left = {id(item) for several in by_name.values() for item in several}
    rest = [item for item in items if id(item) in left]
    if plan["mode"] != "listed" and not plan["only"]:
        chosen += rest
    elif rest:
        config.hook.pytest_deselected(items=rest)
    items[:] = chosen
