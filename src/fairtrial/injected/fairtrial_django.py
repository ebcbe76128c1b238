"""How Django's test runner is made to run what a plan says, whoever subclasses it.

Which databases are made depends on which tests run, so they are chosen before that.
Runs with Django 3.2 and newer on Python 3.7 and newer.
"""

from __future__ import annotations

import sys

import fairtrial_unittest as ours

_patched = []


def patch():
    """Once in each process that loads Django's runner."""
    if _patched:
        return
    _patched.append(True)
    ours.patch()
    runner = sys.modules["django.test.runner"].DiscoverRunner
    ours.wrap(runner, "build_suite", build_suite)
    ours.wrap(runner, "get_databases", get_databases)
    ours.wrap(runner, "setup_databases", prepared)
    ours.wrap(runner, "run_checks", prepared)


def build_suite(method, self, *args, **kwargs):
    one = ours.loading()
    if one is not None:
        # One process, in the order of the suite, to the end, and nobody is asked.
        self.parallel = 1
        self.failfast = self.shuffle = self.pdb = self.interactive = False
    return method(self, *args, **kwargs)


def get_databases(method, self, suite, *args, **kwargs):
    one = ours.loading()
    if one is not None and isinstance(getattr(suite, "_tests", None), list):
        chosen = one.chosen(suite)
        if chosen is not suite:
            suite._tests = list(chosen)
            one.marked(suite)
    return method(self, suite, *args, **kwargs)


def prepared(method, self, *args, **kwargs):
    one = ours.loading()
    if one is None:
        return method(self, *args, **kwargs)
    try:
        return method(self, *args, **kwargs)
    except (Exception, SystemExit) as error:
        one.broken(error)
        raise
