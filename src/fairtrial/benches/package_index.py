"""What `prepare` may know of the gate's environment: how to reach a package index.

No code of the project runs there; `build` and trials get none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_NAMES: Final = frozenset(
    {
        "COMPOSER_AUTH",
        "GONOPROXY",
        "GONOSUMDB",
        "GOPRIVATE",
        "GOPROXY",
        "GOSUMDB",
        "MAVEN_ARGS",
        "MAVEN_OPTS",
        "NPM_CONFIG_REGISTRY",
        "PIP_DEFAULT_TIMEOUT",
        "PIP_EXTRA_INDEX_URL",
        "PIP_INDEX_URL",
        "PIP_NO_INDEX",
        "PIP_PROXY",
        "PIP_RETRIES",
        "PIP_TRUSTED_HOST",
        "UV_DEFAULT_INDEX",
        "UV_EXTRA_INDEX_URL",
        "UV_INDEX",
        "UV_INDEX_URL",
    }
)
#: These name files and folders of this machine.
_PLACES: Final = frozenset(
    {
        "CARGO_HTTP_CAINFO",
        "CURL_CA_BUNDLE",
        "NODE_EXTRA_CA_CERTS",
        "NPM_CONFIG_CAFILE",
        "PIP_CERT",
        "PIP_CLIENT_CERT",
        "PIP_CONFIG_FILE",
        "PIP_FIND_LINKS",
        "REQUESTS_CA_BUNDLE",
        "SSL_CERT_DIR",
        "SSL_CERT_FILE",
        "UV_FIND_LINKS",
    }
)
#: Registries by names of their own.
_BEGINNINGS: Final = ("CARGO_REGISTRIES_", "CARGO_SOURCE_", "BUNDLE_")
_PROXIES: Final = frozenset({"ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"})


def way_from_here(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that lead to an index from a process on this machine."""
    return way_from_elsewhere(environ) | {
        name: value for name, value in environ.items() if name in _PLACES
    }


def way_from_elsewhere(environ: Mapping[str, str]) -> dict[str, str]:
    """Those that mean the same in a container, where this machine's files are not."""
    return {
        name: value
        for name, value in environ.items()
        if name.upper() in _NAMES
        or name.upper() in _PROXIES
        or name.startswith(_BEGINNINGS)
    }
