"""MariaDB and MySQL: a template read once, made anew in SQL for each trial."""

from fairtrial.benches.databases.mariadb.named import NamedMariaDB
from fairtrial.benches.databases.mariadb.own import OwnMariaDB

__all__ = ["NamedMariaDB", "OwnMariaDB"]
