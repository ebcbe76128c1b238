"""Which variables a step or a trial sees: an allow-list, the same on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from fairtrial.benches.here.backends import FOLDER
from fairtrial.benches.package_index import way_from_here
from fairtrial.domain.trials import Places

_SYSTEM_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

#: The name of the user whom nobody else on the machine is.
USER: Final = "fairtrial"


def common(home: PurePosixPath, places: Places) -> dict[str, str]:
    """What steps and trials alike see.

    Fixed values make trials comparable, and a laptop's like the CI's: one time zone,
    one locale, CI=true as under every CI, and one hash seed, so that the order of a
    set is no reason to differ between two trials (a suite that wants to vary it sets
    PYTHONHASHSEED in its own `env`).
    """
    env = places.workspace.parent / "env"
    return {
        "PATH": f"{env}/bin:{_SYSTEM_PATH}",
        "VIRTUAL_ENV": str(env),
        "HOME": str(home),
        "TMPDIR": str(home.parent / "tmp"),
        "USER": USER,
        "LOGNAME": USER,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "CI": "true",
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
    }


def for_prepare(
    home: PurePosixPath,
    places: Places,
    suite: Mapping[str, str],
    environ: Mapping[str, str],
) -> dict[str, str]:
    """What `prepare` sees: with the way to a package index, and to this environment."""
    reach = way_from_here(environ)
    return _joined(
        {**common(home, places), **_TOOLS, **_targets(places), **reach}, suite, places
    )


def for_build(
    home: PurePosixPath, places: Places, suite: Mapping[str, str]
) -> dict[str, str]:
    """What `build` sees.

    Tools are told that there is no network, and to build with what is there already.
    """
    offline = {
        # pip reads this option's name with its meaning turned round: "0" is
        # --no-build-isolation, which is what a build without network needs.
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_NO_BUILD_ISOLATION": "1",
    }
    fetched = places.workspace.parent / "env" / FOLDER
    joined = _joined(
        {**common(home, places), **_TOOLS, **_targets(places), **offline},
        suite,
        places,
    )
    inherited = suite.get("PYTHONPATH")
    joined["PYTHONPATH"] = f"{inherited}:{fetched}" if inherited else str(fetched)
    joined["PATH"] += f":{fetched}/bin"
    return joined


def for_trial(
    home: PurePosixPath,
    places: Places,
    suite: Mapping[str, str],
    trial: Mapping[str, str],
) -> dict[str, str]:
    """What one trial sees."""
    return _joined(common(home, places), {**suite, **trial}, places)


_TOOLS: Final = {
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_NO_INPUT": "1",
    "PIP_ROOT_USER_ACTION": "ignore",
    "PIP_NO_CACHE_DIR": "1",
    "POETRY_VIRTUALENVS_CREATE": "false",
    "UV_NO_CACHE": "1",
    "UV_PYTHON_DOWNLOADS": "never",
}


def _targets(places: Places) -> dict[str, str]:
    """Without it `uv sync` makes an environment of its own beside the private one."""
    return {"UV_PROJECT_ENVIRONMENT": str(places.workspace.parent / "env")}


def _joined(
    base: Mapping[str, str], more: Mapping[str, str], places: Places
) -> dict[str, str]:
    """Both, with the private environment first on whatever path comes out."""
    joined = {**base, **more}
    first = f"{places.workspace.parent}/env/bin"
    if joined["PATH"].split(":")[0] != first:
        joined["PATH"] = f"{first}:{joined['PATH']}"
    return joined
