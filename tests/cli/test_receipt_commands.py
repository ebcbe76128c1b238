"""A receipt's way, from a real gate over a signature to who checks it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from specimens import build

pytestmark = pytest.mark.slow


def fairtrial(folder: Path, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "fairtrial", *words],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=250,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def gated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the receipt of a gate that blocked it, and keys beside it."""
    built = build("regression", tmp_path_factory.mktemp("receipts"))
    code, said = fairtrial(
        built.path, "gate", f"--base={built.base}", f"--head={built.head}",
        "--bench=here",
    )  # fmt: skip
    assert code == 12, said
    keys = built.path.parent
    for words in (
        ["genpkey", "-algorithm", "ed25519", "-out", "key.pem"],
        ["pkey", "-in", "key.pem", "-pubout", "-out", "key.pub"],
    ):
        subprocess.run(["openssl", *words], cwd=keys, check=True, capture_output=True)
    return built.path


def test_an_unsigned_receipt_holds_together_and_is_vouched_for_by_nobody(
    gated: Path,
) -> None:
    code, said = fairtrial(gated, "verify-receipt", "fairtrial-report/receipt.json")

    assert code == 11
    assert "signature: can't be told. It is unsigned" in said
    assert "result: holds. FAILED: 3 passed, 1 failed; the decision is block." in said
    assert "report: holds." in said
    assert "tree: holds. It is about HEAD" in said


def test_a_signed_one_is_verified_until_its_report_changes(gated: Path) -> None:
    receipt, signed = (
        "fairtrial-report/receipt.json",
        "fairtrial-report/receipt.dsse.json",
    )
    report = gated / "fairtrial-report/report.json"

    code, said = fairtrial(gated, "sign-receipt", receipt, "--key=../key.pem")
    assert code == 0, said
    code, said = fairtrial(gated, "verify-receipt", signed, "--key=../key.pub")
    assert (0, True) == (code, "The receipt is verified." in said), said

    honest = report.read_text()
    report.write_text(honest.replace('"block"', '"pass"', 1))
    code, said = fairtrial(gated, "verify-receipt", signed, "--key=../key.pub")
    assert (10, True) == (code, "report: does NOT hold" in said), said
    code, said = fairtrial(gated, "sign-receipt", receipt, "--key=../key.pem")
    assert (10, True) == (code, "Not signed." in said), said
    report.write_text(honest)


def test_a_guarded_project_runs_on_the_sanctioned_path_alone(
    tmp_path: Path,
) -> None:
    built = build("regression", tmp_path)
    subprocess.run(["git", "checkout", "-q", built.head], cwd=built.path, check=True)
    assert fairtrial(built.path, "guard")[0] == 0
    test = "tests/test_cart.py::test_count"

    bare = subprocess.run(
        [sys.executable, "-m", "pytest", test],
        cwd=built.path, check=False, capture_output=True, text=True,
    )  # fmt: skip
    code, said = fairtrial(built.path, "run", test, "--bench=here", "--base=HEAD")

    assert f"run `fairtrial run {test}` instead" in bare.stderr
    assert (0, True) == (code, "1 passed" in said), said
    code, said = fairtrial(
        built.path, "verify-receipt", "fairtrial-report/receipt.json"
    )
    assert (11, True) == (code, "of tests that somebody chose" in said), said
    assert "It is about the working tree." in said
