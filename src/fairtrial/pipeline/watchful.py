"""Whether edited test code looks at what it could tell a mutant by.

A test that reads production's source, or asks whether it is traced or tried, can demand
more of a mutant than of anything else; kills of such a test show nothing.
"""

from __future__ import annotations

import re
from typing import Final

from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.comparing import changed_tests

#: Source and code objects of other modules, tracers, loaded modules, our own names.
_LOOKS: Final = re.compile(
    rb"\.__file__|\b__code__\b|\bco_code\b|\bgetsource\w*|\blinecache\b|\bfind_spec\b"
    rb"|\bget_data\b|\bget_source\b|\bgettrace\b|\bgetprofile\b|\bsettrace\b"
    rb"|\bsys\.monitoring\b|\bsys\.modules\b|\bgetmodule\b|\bgc\.get_objects\b"
    rb"|fairtrial|[\w./-]+\.py[\"']",
    re.IGNORECASE,
)


def looks_behind(brief: Brief) -> bool:
    """Whether head's test code newly looks behind what production does.

    Read by words, in every file of test code that changes: a helper may do it.
    """
    for path in changed_tests(brief):
        base, head = brief.read(path)
        new = set(_LOOKS.findall(head or b"")) - set(_LOOKS.findall(base or b""))
        if new:
            return True
    return False
