"""Under whose authority a change was made: the strictest of all who took part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.authorship import Actor, Written
from fairtrial.domain.settings import Authority, Settings

_ORDER: Final = tuple(Authority)

#: What of a message is searched, in characters; what of a name or address; and what
#: of a name is told.
_MESSAGE: Final = 20_000
_SIGNATURE: Final = 300
_NAME: Final = 100

#: Lines of a commit's message that name somebody who took part in it.
_TRAILER: Final = re.compile(
    r"^[ \t]*(?:co-authored|co-developed|assisted|generated|signed-off)-(?:by|with)"
    r"[ \t]*:[ \t]*(?P<who>[^\r\n]{1,300})",
    re.IGNORECASE | re.MULTILINE,
)
_DECLARED: Final = re.compile(
    r"^[ \t]*fairtrial-authority[ \t]*:[ \t]*(?P<word>[a-z]{1,20})[ \t]*\r?$",
    re.IGNORECASE | re.MULTILINE,
)
_PERSON: Final = re.compile(r"(?P<name>[^<>]*)(?:<(?P<email>[^<>]*)>)?")
#: GitHub's own addresses hold the login: "49699333+dependabot[bot]@users.noreply…".
_NOREPLY: Final = re.compile(r"(?:[0-9]+\+)?(?P<login>[^@+]+)@users\.noreply\.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An authority, and who or what made it that strict; "" for a plain person's."""

    authority: Authority = Authority.PERSON
    because: str = ""


PERSON: Final = Standing()


def strictest(authorities: Iterable[Authority]) -> Authority:
    """The one that binds most; of none, a person's."""
    return max(authorities, key=_ORDER.index, default=Authority.PERSON)


def matches_name(pattern: str, name: str) -> bool:
    """Whether a login is meant; `*` is any text, everything else is itself."""
    pieces = (re.escape(piece) for piece in pattern.split("*"))
    return re.fullmatch(".*".join(pieces), name, re.IGNORECASE | re.DOTALL) is not None


def agent_authority(settings: Settings, *names: str) -> Authority:
    """The strictest that `agents:` has for any of these names; else a person's."""
    return strictest(
        authority
        for pattern, authority in settings.agents.items()
        if any(matches_name(pattern, name) for name in names if name)
    )


def standing_of(
    settings: Settings,
    actors: Iterable[Actor],
    asked: Authority | None = None,
    commits: Iterable[Written] = (),
) -> Standing:
    """The authority of a change, with the reason; nothing makes it less strict.

    `actors` are those that GitHub reports; one that it can't name counts as the
    strictest in `agents:`. `asked` is `--authority`. `commits` is what the change
    says of itself, which is believed where it is stricter. Of reasons that weigh the
    same, the first in this order is told.
    """
    found = [Standing(authority=settings.authority, because="as configured")]
    if asked is not None:
        found.append(Standing(authority=asked, because="as asked for"))
    found += (_acted(settings, actor) for actor in actors)
    for written in commits:
        found += _said(settings, written)
    heaviest = max(found, key=lambda each: _ORDER.index(each.authority))
    return PERSON if heaviest.authority is Authority.PERSON else heaviest


def _acted(settings: Settings, actor: Actor) -> Standing:
    if actor.login is None:
        whole = strictest(settings.agents.values())
        return Standing(authority=whole, because=actor.did)
    authority = agent_authority(settings, actor.login)
    return Standing(authority=authority, because=f"{actor.login} {actor.did}")


def _said(settings: Settings, written: Written) -> Iterator[Standing]:
    message = written.message[:_MESSAGE]
    for match in _DECLARED.finditer(message):
        word = match["word"].lower()
        if word in set(Authority):
            yield Standing(
                authority=Authority(word), because="a commit of the change says so"
            )
    if not settings.agents:
        return
    for signature in _signatures(written):
        authority = agent_authority(settings, *_names(signature))
        shown = signature.name.strip() or signature.email
        yield Standing(authority=authority, because=f"{shown[:_NAME]} {signature.did}")


def named_in(written: Written) -> frozenset[str]:
    """All names, addresses and logins that a commit gives to those who took part."""
    return frozenset(
        name.lower()
        for signature in _signatures(written)
        for name in _names(signature)
        if name
    )


@dataclass(frozen=True, slots=True)
class _Signature:
    name: str
    email: str
    did: str


def _signatures(written: Written) -> Iterator[_Signature]:
    yield _Signature(
        written.author_name, written.author_email, "is the author of a commit"
    )
    yield _Signature(
        written.committer_name, written.committer_email, "committed a commit"
    )
    for match in _TRAILER.finditer(written.message[:_MESSAGE]):
        who = _PERSON.match(match["who"])
        if who is not None:
            yield _Signature(who["name"], who["email"] or "", "is named in a commit")


def _names(signature: _Signature) -> Iterator[str]:
    """All that one signature may be known by."""
    name = signature.name.strip()[:_SIGNATURE]
    email = signature.email.strip()[:_SIGNATURE]
    yield name
    yield email
    yield email.partition("@")[0]
    login = _NOREPLY.match(email)
    if login is not None:
        yield login["login"]
