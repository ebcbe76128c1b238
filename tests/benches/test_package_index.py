"""Which variables lead to a package index, and which never leave the gate."""

from __future__ import annotations

from fairtrial.benches.package_index import way_from_elsewhere, way_from_here

ENVIRON = {
    "PIP_INDEX_URL": "https://index.example.invalid/simple",
    "https_proxy": "http://proxy.example.invalid:3128",
    "PIP_CERT": "/etc/own-ca.pem",
    "GITHUB_TOKEN": "secret",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "PATH": "/bin",
}


def test_a_process_here_gets_the_index_the_proxy_and_the_files() -> None:
    assert {"PIP_INDEX_URL", "https_proxy", "PIP_CERT"} == set(way_from_here(ENVIRON))


def test_a_container_gets_no_name_of_a_file_that_it_has_not() -> None:
    assert {"PIP_INDEX_URL", "https_proxy"} == set(way_from_elsewhere(ENVIRON))
