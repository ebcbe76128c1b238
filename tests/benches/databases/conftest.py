"""A real MariaDB for the tests of this folder, where the machine has one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairtrial.benches.databases.mariadb import OwnMariaDB
from fairtrial.benches.databases.mariadb.process import find
from fairtrial.domain.errors import BenchUnavailable

PATH = "/usr/local/bin:/usr/bin:/bin"


@pytest.fixture(scope="session")
def mariadb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnMariaDB]:
    try:
        find(PATH)
    except BenchUnavailable as missing:
        pytest.skip(missing.happened)
    folder = tmp_path_factory.mktemp("mariadb")
    made = OwnMariaDB(scratch=folder / "s", cache=folder / "c", search=PATH)
    yield made
    made.close()
    made.close()
    assert not Path(made._process.path).parents[1].exists()
