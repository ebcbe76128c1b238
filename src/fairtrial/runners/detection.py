"""How the bench of a project without settings of its own is prepared and built.

Nothing is executed and no tool but pip is needed: what a project's files demand is
read into one requirements file, and what its lock file holds into one file of
constraints. The written order, each with its reason in `Setup.origin`:

1. versions from uv.lock, poetry.lock, pdm.lock or Pipfile.lock, the first there is;
2. pyproject.toml: dependencies, then the extras and dependency groups `test`, `tests`,
   `testing`, or else `dev`; Poetry's, PDM's and uv's own tables alike;
3. setup.cfg, then setup.py, as far as it is literal;
4. requirements files, those for tests or else those for development;
5. a Pipfile; and tox.ini where nothing so far names what tests need;
6. pytest itself, or what else the runner needs, where nothing names it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent, Setup
from fairtrial.runners.manifests import requirement_files
from fairtrial.runners.manifests.demands import Demands, name_of, normalised
from fairtrial.runners.manifests.locks import (
    TOML_LOCKS,
    constraints,
    is_built_in_place,
    pipfile_constraints,
    pipfile_demands,
)
from fairtrial.runners.manifests.pyproject import DEFAULT_BUILD, pyproject_demands
from fairtrial.runners.manifests.requirement_files import RequirementFile
from fairtrial.runners.manifests.setup_files import (
    setup_cfg_demands,
    setup_py_demands,
)
from fairtrial.runners.manifests.tox import tox_demands

#: Written beside the project's own files in `prepare`, never into a tried tree.
REQUIREMENTS: Final = RepoPath(".fairtrial-requirements.txt")
CONSTRAINTS: Final = RepoPath(".fairtrial-constraints.txt")
_PLAIN: Final = 0o100644
#: Version tools that ask git, which a tried tree does not have.
_VERSIONS: Final = (
    "SETUPTOOLS_SCM_PRETEND_VERSION=0.0.0 PBR_VERSION=0.0.0"
    " PDM_BUILD_SCM_VERSION=0.0.0 POETRY_DYNAMIC_VERSIONING_BYPASS=0.0.0"
)
_INSTALL: Final = "python -m pip install"
_BUILD: Final = f"{_VERSIONS} {_INSTALL} --no-deps --no-build-isolation --no-index -e ."

_MARKS: Final = frozenset({"conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml"})


def looks_like_pytest(path: RepoPath) -> bool:
    """Whether a file of this name is one of pytest's, or of its tests."""
    name = path.rpartition("/")[2]
    return name in _MARKS or (
        name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))
    )


def setup_of(
    files: Mapping[RepoPath, FileContent],
    python: str | None = None,
    needs: str = "pytest",
) -> Setup:
    """The steps that make a bench for a tree, with what they depend on.

    `needs` is the package that is added where nothing names it; "" adds none.
    """
    texts = _texts(files)
    chosen = requirement_files.chosen_files(texts.__contains__)
    demands = _demands(texts)
    listed = requirement_files.with_included((*demands.files, *chosen), texts)
    own_extras = {extra for file in listed for extra in file.own_extras}
    if own_extras:
        demands = _demands(texts, frozenset(map(normalised, own_extras)))
    if not demands.for_tests and not requirement_files.for_tests(chosen):
        demands = demands.plus(tox_demands(texts.get("tox.ini", "")))
    tops = tuple(dict.fromkeys((*demands.files, *chosen)))
    listed = requirement_files.with_included(tops, texts)
    requirements = [*demands.requirements, *(demands.build_requirements or ())]
    named = {name_of(each) for each in requirements}.union(*(f.names for f in listed))
    if needs and not any(
        name == needs or name.startswith(f"{needs}-") for name in named
    ):
        requirements.append(needs)
        demands = demands.plus(Demands(sources=(f"{needs}, which nothing names",)))
    lock, held = _held(texts)
    top_files = [file for file in listed if file.path in tops]
    written: dict[str, str] = {file.path: file.text for file in listed}
    written[REQUIREMENTS] = _lines(requirements)
    if held:
        written[CONSTRAINTS] = _lines(held)
    return Setup(
        prepare=_prepare(top_files, held),
        build=() if demands.build_requirements is None else (_BUILD,),
        prepare_files={
            RepoPath(path): FileContent(mode=_PLAIN, data=text.encode())
            for path, text in sorted(written.items())
        },
        python=python,
        origin=_origin(lock, demands, chosen, listed),
    )


def _prepare(tops: Sequence[RequirementFile], held: tuple[str, ...]) -> tuple[str, ...]:
    """The steps: a file pinned by hashes bears no other beside it in one command."""
    hashed = [f"{_INSTALL} -r {shlex.quote(f.path)}" for f in tops if f.hashed]
    plain = "".join(f" -r {shlex.quote(f.path)}" for f in tops if not f.hashed)
    constraint = f" -c {CONSTRAINTS}" if held else ""
    return (*hashed, f"{_INSTALL}{plain} -r {REQUIREMENTS}{constraint}")


def _lines(requirements: Iterable[str]) -> str:
    return "".join(f"{each}\n" for each in dict.fromkeys(requirements))


def _origin(
    lock: str,
    demands: Demands,
    chosen: tuple[str, ...],
    listed: tuple[RequirementFile, ...],
) -> str:
    """Why these steps, in one line."""
    tool = TOML_LOCKS.get(lock, "pip")
    said = [f"{tool}: " + ", ".join(dict.fromkeys((*demands.sources, *chosen)))]
    if lock:
        said.append(f"versions from {lock}")
    if demands.build_requirements is not None:
        said.append("installed in place")
    dropped = [*demands.unread, *(each for file in listed for each in file.dropped)]
    if dropped:
        said.append("not read: " + ", ".join(dropped))
    return "; ".join(said)


def _texts(files: Mapping[RepoPath, FileContent]) -> dict[str, str]:
    names = {"pyproject.toml", "setup.cfg", "setup.py", "tox.ini"}
    names |= {"Pipfile", "Pipfile.lock", *TOML_LOCKS}
    return {
        path: content.data.decode("utf-8", "replace")
        for path, content in files.items()
        if path in names or path.endswith((".txt", ".in"))
    }


def _demands(texts: Mapping[str, str], also: frozenset[str] = frozenset()) -> Demands:
    """What all files together demand; `also` names further extras of the project."""
    demands = Demands()
    if "pyproject.toml" in texts:
        demands = demands.plus(pyproject_demands(texts["pyproject.toml"], also))
        if demands.build_requirements is None and is_built_in_place(
            texts.get("uv.lock", "")
        ):
            demands = demands.plus(Demands(build_requirements=DEFAULT_BUILD))
    if "setup.cfg" in texts:
        demands = demands.plus(setup_cfg_demands(texts["setup.cfg"], also))
    if "setup.py" in texts:
        demands = demands.plus(setup_py_demands(texts["setup.py"], also))
    if "Pipfile" in texts:
        demands = demands.plus(pipfile_demands(texts["Pipfile"]))
    return demands


def _held(texts: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """The lock file that decides versions, and the versions."""
    for lock in TOML_LOCKS:
        held = constraints(texts.get(lock, ""))
        if held:
            return lock, held
    held = pipfile_constraints(texts.get("Pipfile.lock", ""))
    return ("Pipfile.lock", held) if held else ("", ())
