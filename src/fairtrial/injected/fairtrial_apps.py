"""What keeps a Django project from starting keeps all its tests from running.

Runs on Python 3.7 and newer.
"""

from __future__ import annotations

import functools
import sys


def patch():
    """Once in each process that loads Django."""
    django = sys.modules["django"]
    setup = django.setup
    if getattr(setup, "__wrapped__", None) is not None:
        return

    @functools.wraps(setup)
    def wrapper(*args, **kwargs):
        try:
            return setup(*args, **kwargs)
        except Exception as error:
            # Only now: unittest is loaded with it.
            import unittest.main  # noqa: F401

            import fairtrial_unittest

            one = fairtrial_unittest.loading()
            if one is not None and not one.collected:
                found = one.witness.exception(error)
                one.witness.channel.write("uncollectable", id="", **found)
            raise

    django.setup = wrapper
