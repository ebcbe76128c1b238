"""Under whose authority a change was made: the strictest of all who took part."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.settings import Authority, Settings

_ORDER = tuple(Authority)


def strictest(authorities: Iterable[Authority]) -> Authority:
    """The one that binds most; of none, a person's."""
    return max(authorities, key=_ORDER.index, default=Authority.PERSON)


def matches_name(pattern: str, name: str) -> bool:
    """Whether a login is meant; `*` is any text, everything else is itself."""
    pieces = (re.escape(piece) for piece in pattern.split("*"))
    return re.fullmatch(".*".join(pieces), name, re.IGNORECASE | re.DOTALL) is not None


def authority_of(
    settings: Settings, actors: Iterable[str | None], asked: Authority | None = None
) -> Authority:
    """The authority of a change; nothing makes it less strict than configured.

    `actors` are logins as GitHub reports them, None for somebody it can't name: that
    counts as the strictest in `agents:`. `asked` is `--authority`.
    """
    found = [settings.authority]
    if asked is not None:
        found.append(asked)
    for actor in actors:
        found += [
            authority
            for pattern, authority in settings.agents.items()
            if actor is None or matches_name(pattern, actor)
        ]
    return strictest(found)


def check_authority(authority: Authority) -> None:
    """Raises ConfigurationError for an authority that can't be judged yet."""
    match authority:
        case Authority.PERSON:
            return
        case Authority.FEATURE | Authority.REPAIR:
            raise ConfigurationError(
                f"The authority `{authority.value}` is not supported yet.",
                means="It takes a comparison of what the tests demand at base and at"
                " head, which this release does not make.",
                remedy="Use `--authority person`, or remove the name from `agents:`.",
            )
