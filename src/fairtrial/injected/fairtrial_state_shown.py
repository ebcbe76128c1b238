"""How a part of a process is told in a few words, without telling secrets.

Only plain values come here, so nothing of the project's runs. Python 3.7 and newer,
standard library only.
"""

from __future__ import annotations

import hashlib
import re

#: What was not there.
ABSENT = "(absent)"
#: Names whose values are nobody's to read.
SECRET = re.compile(
    r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|PRIVATE|COOKIE|SIGNATURE", re.IGNORECASE
)
#: A URL's user and password, and a word that says what follows it.
LOGIN = re.compile(r"(://)[^\s/@'\"]*:[^\s/'\"]*@")
SAID = re.compile(
    r"(\b\w*(?:token|secret|passw(?:or)?d|pwd|api_?key)\w*['\"]?\s*[=:]\s*)[^\s,;&]+",
    re.IGNORECASE,
)
#: What is told as it is; anything else may hold a secret, as a URL does.
HARMLESS = re.compile(r"[A-Za-z0-9_./:+, -]{0,120}\Z")


def shown(resource, name, token):
    """A value in a few words; never one that may be a secret."""
    if token is ABSENT or token == ABSENT:
        return ABSENT
    if SECRET.search(name):
        return "(hidden)"
    text = _text(token)
    if resource == "random state":
        return "(a state)"
    if resource == "environment variable" and not HARMLESS.match(text):
        raw = text.encode("utf-8", "surrogateescape")
        return "sha256:%s" % hashlib.sha256(raw).hexdigest()[:12]
    text = SAID.sub(r"\1(hidden)", LOGIN.sub(r"\1(hidden)@", text))
    return text[:200].encode("ascii", "backslashreplace").decode("ascii")


def apart(was, now):
    """Of two lists of texts, such as paths, only what the other does not have."""
    lists = type(was) is tuple and type(now) is tuple
    if not lists or {type(each) for each in (*was, *now)} != {str}:
        return was, now
    fewer = [each for each in was if each not in now]
    more = [each for each in now if each not in was]
    if not fewer and not more:
        return was, now
    return tuple(fewer) or ABSENT, tuple(more) or ABSENT


#: How a container's token is told, by its type's name.
BRACKETS = {"list": "[]", "tuple": "()", "deque": "[]", "set": "{}", "frozenset": "{}"}


def _text(token):
    """Plain values only come here, so this runs no code of the project."""
    return token if type(token) is str else _inner(token)[:1000]


def _inner(token):
    if type(token) is not tuple:
        return repr(token)
    kind = token[0] if token and type(token[0]) is str else ""
    if kind == "time zone":
        return token[1]
    if kind == "@" and len(token) == 3:
        return "<%s>" % token[2]
    if kind in ("bool", "float") and len(token) == 2:
        return token[1]
    if kind in BRACKETS and len(token) == 2 and type(token[1]) is not int:
        inside = ", ".join(map(_inner, list(token[1])[:20]))
        return BRACKETS[kind][0] + inside + BRACKETS[kind][1]
    if kind in ("dict", "OrderedDict", "defaultdict", "Counter") and len(token) % 2:
        pairs = list(zip(token[1:40:2], token[2:41:2]))
        return "{%s}" % ", ".join(map(_pair, pairs))
    return "(%s)" % ", ".join(map(_inner, token[:20]))


def _pair(pair):
    key, value = pair
    hidden = type(key) is str and SECRET.search(key)
    return "%s: %s" % (_inner(key), "(hidden)" if hidden else _inner(value))
