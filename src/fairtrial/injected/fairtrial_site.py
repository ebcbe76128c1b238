"""Waits until this process loads unittest or Django, and lets ours see its tests.

It lies as `sitecustomize.py` on the path of the suite's command, so that no file and no
option of the project has to change; one that stands behind it is run as well. Processes
that load neither see nothing of it. Python 3.7 and newer, standard library only.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import os
import sys

#: Once a module is there, what is done to it.
WANTED = {
    "unittest.main": "fairtrial_unittest",
    "django.test.runner": "fairtrial_django",
    "django": "fairtrial_apps",
}


class Finder:
    """Finds what the others find, and looks at it when it was executed."""

    def find_spec(self, name, path=None, target=None):
        if name not in WANTED:
            return None
        for other in sys.meta_path:
            find = None if other is self else getattr(other, "find_spec", None)
            spec = None if find is None else find(name, path, target)
            if spec is not None:
                if hasattr(spec.loader, "exec_module"):
                    spec.loader = Loader(spec.loader, WANTED[name])
                return spec
        return None


class Loader:
    """Another loader, which is followed by one step."""

    def __init__(self, loader, step):
        self.loader, self.step = loader, step

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__loader__ = module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        importlib.import_module(self.step).patch()


def watch():
    """From now on, if a plan is there; a process that a test starts has none."""
    if "FAIRTRIAL_PLAN" not in os.environ:
        return
    sys.meta_path.insert(0, Finder())
    for name, step in WANTED.items():
        if name in sys.modules:
            importlib.import_module(step).patch()


def go_on(here):
    """Runs the `sitecustomize` that this one stands before."""
    others = [each for each in sys.path if os.path.abspath(each or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if __name__ == "sitecustomize":
    import importlib.util

    watch()
    go_on(os.path.dirname(os.path.abspath(__file__)))
