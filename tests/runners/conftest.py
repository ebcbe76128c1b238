"""A small project for each test, tried by the pytest that runs this.

In the complete tier every test that asks for `specimen` is repeated under the oldest
and newest Python here that pytest 7, 8 and 9 run on, with the plugins that projects
use, in environments that are built once.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.runners.specimen import Specimen

PLUGINS = ("pytest-xdist", "pytest-cov", "pytest-rerunfailures", "pytest-randomly")
#: Rarer ones that shuffle or repeat; with one pytest, since they do it all alike.
MORE = ("flaky", "pytest-random-order", "pytest-reverse")
#: Python and what is installed, by name.
ENVIRONMENTS = {
    "pytest7": ("3.7", ("pytest>=7,<8", "pytest-subtests", *PLUGINS)),
    "pytest8": ("3.8", ("pytest>=8,<9", "pytest-subtests", *PLUGINS, *MORE)),
    "pytest9": ("3.13", ("pytest>=9,<10", *PLUGINS)),
}


def _interpreter(version: str) -> str | None:
    """A Python of this version: on the path, or one that pyenv keeps."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    found = [str(path) for path in kept] or [shutil.which(f"python{version}") or ""]
    for path in filter(None, found):
        # A shim answers for versions that nobody installed, by failing.
        done = subprocess.run([path, "--version"], capture_output=True, check=False)
        if done.returncode == 0:
            return path
    return None


def environment(name: str, factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment, which is built once for all workers."""
    version, wanted = ENVIRONMENTS[name]
    base = _interpreter(version)
    if base is None:
        pytest.skip(f"there is no Python {version} on this machine")
    shared = factory.getbasetemp()
    if shared.name.startswith("popen-"):
        shared = shared.parent  # all workers of pytest-xdist use the same ones
    kept = os.environ.get("FAIRTRIAL_TEST_ENVIRONMENTS")
    if kept:
        shared = Path(kept)  # somebody runs this often and keeps them
        shared.mkdir(parents=True, exist_ok=True)
    folder = shared / f"environment-{name}"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        python = folder / "bin/python"
        if not (folder / "done").exists():
            subprocess.run([base, "-m", "venv", folder], check=True)
            quiet = ("-q", "--disable-pip-version-check")
            install = [str(python), "-m", "pip", "install", *quiet, *wanted]
            subprocess.run(install, check=True)
            (folder / "done").touch()
    return python


@pytest.fixture(params=list(ENVIRONMENTS))
def equipped(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Specimen:
    """A project under a pytest with all of PLUGINS; for the complete tier."""
    python = environment(request.param, tmp_path_factory)
    return Specimen(folder=tmp_path, python=python, name=request.param)


EVERYWHERE = [
    pytest.param("own"),
    *(pytest.param(name, marks=pytest.mark.slow) for name in ENVIRONMENTS),
]


@pytest.fixture(params=EVERYWHERE)
def specimen(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Specimen:
    if request.param == "own":
        return Specimen(folder=tmp_path, name="own")
    python = environment(request.param, tmp_path_factory)
    return Specimen(folder=tmp_path, python=python, name=request.param)
