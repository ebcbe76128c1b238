"""Which suites are tried side by side, and what each shows at head."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.control import with_control
from fairtrial.pipeline.opening import Opening, open_suite
from fairtrial.pipeline.stand import Stand


def open_suites(stands: Sequence[Stand], brief: Brief) -> list[Opening]:
    """The suite trial of each suite whose trees stand, in the suites' order.

    Suites with databases wait for them more than they compute, and no two of them
    share one: they run side by side. The others run one after the other, as load makes
    tests fail that do not fail alone.
    """
    able = [stand for stand in stands if stand.stands]
    together = [stand for stand in able if may_have_company(stand)]
    width = min(len(together), len(os.sched_getaffinity(0)))
    found: dict[int, Opening] = {}
    if width > 1:
        with ThreadPoolExecutor(max_workers=width) as pool:
            try:
                for stand, opening in zip(
                    together, pool.map(open_suite, together), strict=True
                ):
                    found[id(stand)] = opening
            except BaseException:
                # The pool waits for its trials: end them, and begin no more.
                pool.shutdown(wait=False, cancel_futures=True)
                for stand in together:
                    stand.laboratory.bench.close()
                raise
    return [
        with_control(found.get(id(stand)) or open_suite(stand), brief) for stand in able
    ]


def may_have_company(stand: Stand) -> bool:
    """Whether a suite's trials disturb no other suite's: walls and data of its own."""
    bench = stand.laboratory.bench
    return bool(stand.suite.databases) and bench.own_loopback and bench.parallel > 1
