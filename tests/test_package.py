"""The package itself."""

from __future__ import annotations

from importlib.metadata import version

import fairtrial


def test_the_package_and_its_distribution_agree_on_the_version() -> None:
    assert version("fairtrial") == fairtrial.__version__
