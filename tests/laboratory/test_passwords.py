from __future__ import annotations

from fairtrial.domain.databases import Alteration, Change, Ledger, Verb
from fairtrial.domain.trials import Ending, LeftFile, TrialOutput
from fairtrial.laboratory.passwords import unsaid, unwritten

PASSWORD = "5a0bd6ea90028d5f520e95c07c027168edf19fe0aa11bb22"
HIDDEN = "*" * len(PASSWORD)
URL = f"postgresql://shop_3:{PASSWORD}@127.0.0.1/shop_3"


def test_no_password_is_in_what_a_trial_said_or_left() -> None:
    told = TrialOutput(
        ending=Ending.EXITED,
        code=1,
        stdout=b"assert " + URL.encode(),
        stderr=PASSWORD.encode(),
        files={"report.xml": URL.encode(), "other": b"nothing"},
        kept={"results": f'{{"message": "{URL}"}}\n'.encode()},
        left=(
            LeftFile(path="/w/.env", changed=1.0, size=9, data=URL.encode()),
            LeftFile(path=f"/w/{PASSWORD}", changed=1.0),
        ),
    )

    shown = unsaid(told, [PASSWORD, ""])

    assert PASSWORD not in repr(shown)
    assert told.kept is not None
    assert shown.kept is not None
    # Lines stay as long as they were, for whoever counts their bytes.
    assert len(told.kept["results"]) == len(shown.kept["results"])
    assert b"nothing" == shown.files["other"]
    assert f"postgresql://shop_3:{HIDDEN}@127.0.0.1/shop_3".encode() == (
        shown.left[0].data
    )


def test_no_password_is_in_the_rows_that_it_left() -> None:
    plain = Change(
        database="shop", table="orders", verb=Verb.INSERT, values={"note": None}
    )
    ledger = Ledger(
        changes=(
            plain,
            Change(
                database="shop",
                table="orders",
                verb=Verb.UPDATE,
                key={"note": PASSWORD},
                values={"id": "1", "note": URL},
            ),
        ),
        alterations=(
            Alteration(database="shop", kind="setting", name="x.url", now=URL),
        ),
    )

    shown = unwritten(ledger, [PASSWORD])

    assert plain is shown.changes[0]
    assert PASSWORD not in repr(shown)
    assert "1" == shown.changes[1].values["id"]
    assert HIDDEN == shown.changes[1].key["note"]
