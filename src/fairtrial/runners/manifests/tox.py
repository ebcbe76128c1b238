"""What tox would install for a test run, where nothing else says what tests need."""

from __future__ import annotations

import configparser

from fairtrial.runners.manifests.demands import Demands


def tox_demands(text: str) -> Demands:
    """The dependencies of `[testenv]` that hold in each environment."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        return Demands(unread=(f"tox.ini ({type(error).__name__})",))
    requirements, files = [], []
    for raw in parser.get("testenv", "deps", fallback="").splitlines():
        line = raw.split(" #")[0].strip().replace("{toxinidir}/", "")
        if line.startswith("-r"):
            files.append(line[2:].strip())
        # A factor ("py39: …") or a substitution holds in some environments only.
        elif line and "{" not in line and ": " not in line and not line.startswith("-"):
            requirements.append(line)
    found = bool(requirements or files)
    return Demands(
        requirements=tuple(requirements),
        files=tuple(files),
        sources=("tox.ini",) if found else (),
        for_tests=found,
    )
