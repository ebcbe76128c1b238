"""What detection says is carried out: prepared without the project, built offline."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent
from fairtrial.runners.detection import setup_of

pytestmark = pytest.mark.slow

HATCH = {
    "pyproject.toml": """
        [build-system]
        requires = ["hatchling", "hatch-vcs"]
        build-backend = "hatchling.build"
        [project]
        name = "cart"
        dynamic = ["version"]
        dependencies = ["iniconfig"]
        [tool.hatch.version]
        source = "vcs"
        [tool.hatch.build.targets.wheel]
        packages = ["src/cart"]
        [dependency-groups]
        test = ["pytest"]
    """,
    "src/cart/__init__.py": "import iniconfig\n",
}
SETUP = {
    "setup.py": """
        from setuptools import setup, find_packages
        setup(name="cart", version="1", packages=find_packages("src"),
              package_dir={"": "src"}, install_requires=["iniconfig"])
    """,
    "requirements-dev.txt": "-e .\npytest\n",
    "src/cart/__init__.py": "import iniconfig\n",
}
POETRY = {
    "pyproject.toml": """
        [build-system]
        requires = ["poetry-core"]
        build-backend = "poetry.core.masonry.api"
        [tool.poetry]
        name = "cart"
        version = "1"
        description = ""
        authors = []
        packages = [{include = "cart", from = "src"}]
        [tool.poetry.dependencies]
        python = "^3.7"
        iniconfig = "*"
        [tool.poetry.group.dev.dependencies]
        pytest = ">=7"
    """,
    "src/cart/__init__.py": "import iniconfig\n",
}


@pytest.mark.parametrize(
    "project", [HATCH, SETUP, POETRY], ids=["hatch", "setup", "poetry"]
)
def test_a_project_is_prepared_alone_and_built_without_network(
    tmp_path: Path, project: Mapping[str, str]
) -> None:
    setup = setup_of(
        {
            RepoPath(path): FileContent(
                mode=0o100644, data=textwrap.dedent(text).encode()
            )
            for path, text in project.items()
        }
    )
    env = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", str(env)], check=True)
    # The variables name this machine's way to an index, which `prepare` may know.
    reach = {key: value for key, value in os.environ.items() if key.startswith("PIP_")}
    path = {"PATH": f"{env}/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
    prepared, tree = tmp_path / "prepare", tmp_path / "tree"
    for place, content in setup.prepare_files.items():
        (prepared / place).parent.mkdir(parents=True, exist_ok=True)
        (prepared / place).write_bytes(content.data)
    for name, text in project.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(textwrap.dedent(text), encoding="utf-8")

    for step in setup.prepare:
        subprocess.run(
            ["sh", "-c", step], cwd=prepared, check=True, env={**path, **reach}
        )
    for step in setup.build:
        subprocess.run(["sh", "-c", step], cwd=tree, check=True, env=path)
    show = "import cart, pytest; print(cart.__file__)"
    found = subprocess.run(
        ["python", "-c", show],
        cwd=tmp_path,
        check=True,
        env=path,
        capture_output=True,
        text=True,
    )

    assert f"{tree}/src/cart/__init__.py" == found.stdout.strip()
