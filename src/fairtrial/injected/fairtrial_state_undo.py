"""Which part of the process a test trips over: each is put back in a fork, by itself.

After the polluters ran, forks ask the victim again, each with some of what they changed
put back: where it passes, that was it. A keeper, forked before any test ran, asks the
other way round: the victim in a fresh process with nothing but these parts as the
polluters leave them. The process itself goes on as if nobody had asked. Python 3.7 and
newer, standard library and pytest only.
"""

from __future__ import annotations

import pickle
import sys

from fairtrial_state import changed_modules, differences
from fairtrial_state_fixtures import made_of, set_up_anew, shared
from fairtrial_state_fork import Keeper, ask, hostile
from fairtrial_state_globals import LISTS, MAPS, SETS, Saved, put
from fairtrial_state_parts import CHEAP, PARTS
from fairtrial_state_shown import ABSENT, apart, shown

#: Parts that are put back by themselves, and forks in all.
MOST_SINGLE, MOST_ASKED = 40, 120
#: As what is to be undone: all that changed.
EACH = ["process", "*"]
CONTAINERS = LISTS | MAPS | SETS
ENVIRONMENT = "environment variable"


class Undo:
    """Puts back before the last test what the plan names, or asks what it takes."""

    def __init__(self, state, items):
        self.state, self.witness, self.items = state, state.witness, items
        self.wanted = [tuple(each[:2]) for each in self.witness.plan["undo"]]
        self.each = tuple(EACH) in self.wanted
        self.keeper = None
        self.kept, self.fixtures = {}, {}
        self.asked, self.known = 0, {}
        self.begun = False

    def before(self, item):
        if not self.begun:
            self.begun = True
            self.begin()
        if item is self.items[-1] and len(self.items) > 1:
            self.before_last()

    def begin(self):
        """Before the first test: what there is, to be put back later."""
        self.kept = keep()
        if self.each and len(self.items) > 1:
            why = hostile(self.witness)
            if why:
                self.refuse(why)
            else:
                self.keeper = Keeper(self.witness, self.items[-1], self.set_fresh)

    def refuse(self, why):
        self.each = False
        self.witness.channel.write("blind", why="the process can't be forked: " + why)

    def before_last(self):
        """After the polluters, before the victim."""
        changed = self.changed()
        if not self.each:
            wanted = [each for each in changed if each[:2] in self.wanted]
            for each in wanted:
                self.put_back(each)
            return
        why = hostile(self.witness)
        if why:
            self.refuse(why)
            return
        try:
            self.search(changed)
        finally:
            if self.keeper is not None:
                self.keeper.close()

    def search(self, changed):
        if self.cures([]) is not False:
            return
        kinds = [changed, self.shared(), self.loaded()]
        for parts in [*kinds, [each for kind in kinds for each in kind]]:
            if parts and self.cures(parts):
                break
        else:
            return
        single = []
        for each in parts[:MOST_SINGLE]:
            if not self.is_told(each, single) and self.cures([each]):
                single.append([each])
        cures = single or [self.smallest(parts)]
        if self.keeper is None:
            return
        self.fresh([])
        enough = [self.fresh(each) is False for each in cures[:5]]
        if len(single) > 1 and not any(enough):
            enough.append(self.fresh([part for each in single for part in each]))
        if any(enough):
            self.fresh([])

    def smallest(self, parts):
        """A set of which every part is needed, where putting back one is not enough."""
        pieces = 2
        while len(parts) > 1:
            size = max(1, len(parts) // pieces)
            chunks = [parts[at : at + size] for at in range(0, len(parts), size)]
            fewer = [
                *chunks,
                *([one for one in parts if one not in each] for each in chunks),
            ]
            for each in fewer:
                if len(each) < len(parts) and self.cures(each):
                    parts, pieces = each, 2
                    break
            else:
                if size == 1:
                    return parts
                pieces = min(len(parts), pieces * 2)
        return parts

    def cures(self, parts):
        """Whether the victim passes with these put back; None where it can't be told."""
        names = frozenset(each[:2] for each in parts)
        if names not in self.known:
            self.known[names] = self.ask(parts)
            # Forks share a disk: one of them may have cured the others for good.
            if names and self.known[names] and self.ask([]) is not False:
                self.asked, self.known[names] = MOST_ASKED, None
        return self.known[names]

    def ask(self, parts):
        if self.asked >= MOST_ASKED:
            return None
        self.asked += 1

        def prepare():
            for each in parts:
                self.put_back(each)

        events = ask(self.witness, self.items[-1], prepare)
        return self.say(parts, events, fresh=False)

    def fresh(self, parts):
        """Whether the victim passes before any test, with these as they are now."""
        found = []
        for resource, name, _, now in parts:
            value = self.value_now(resource, name, now)
            if value is None:
                return None
            found.append((resource, name, value))
        return self.say(parts, self.keeper.ask(found), fresh=True)

    def value_now(self, resource, name, token):
        """What can be taken into another process, pickled; None where it can't."""
        if resource == "module":
            kept = self.state.globals.kept.get(name)
            if kept is None or not is_plain(token) or not self.place(name):
                return None
            value = kept[3].value if type(kept[3]) is Saved else kept[3]
            if type(kept[3]) is Saved and type(value) not in CONTAINERS:
                return None
        elif (resource, name) in self.kept or resource == ENVIRONMENT:
            value = keep(resource).get((resource, name), (None, ABSENT))[1]
        else:
            return None
        try:
            return pickle.dumps(value)
        except Exception:
            return None

    def place(self, name):
        """Whose a name is before any test ran; None where its owner is not there yet."""
        known = self.state.first[1].kept.get(name)
        if known is not None:
            return known
        above, _, last = name.rpartition(".")
        module = self.state.first[1].modules.get(above)
        return None if module is None else (module, "module", last, None)

    def set_fresh(self, values):
        """In the keeper's fork: parts as the polluters leave them, and no others."""
        for resource, name, pickled in values:
            value = pickle.loads(pickled)  # noqa: S301 - written by this very process
            if resource != "module":
                self.part(resource, name).put(name, value)
                continue
            owner, kind, own, before = self.place(name)
            if type(before) is Saved and type(before.value) is type(value):
                # Whoever holds the container has to see it filled, too.
                inside = value.items() if type(value) in MAPS else value
                value = Saved(before.value, list(inside))
            put((owner, kind, own, value), gone=False)

    def say(self, parts, events, fresh):
        """Tells what came of it; whether it passed, None where it did not end."""
        phases = [each for each in events or () if each["e"] == "phase"]
        self.witness.channel.write(
            "undone",
            id=self.witness.name(self.items[-1].nodeid),
            parts=[
                [resource, name[:500]]
                + [shown(resource, name, each) for each in apart(was, now)]
                for resource, name, was, now in parts[:100]
            ],
            fresh=fresh,
            asked=events is not None,
            phases=phases,
        )
        if not any(each["when"] == "teardown" for each in phases):
            return None
        return all(each["outcome"] == "passed" for each in phases)

    def changed(self):
        """What is another than before the first test and can be put back."""
        (parts, walked), state = self.state.first, self.state
        now = state.look(PARTS)
        found = list(differences(parts, now, ()))
        if walked is not None:
            state.look_at_modules()
        if walked is not None and state.globals is not None:
            gone = changed_modules(walked, state.globals)
            found += differences(walked.tokens, state.globals.tokens, gone)
        return [each for each in found if self.can(each)]

    def shared(self):
        """Fixtures that outlive a test: what they hold is seen by no other look."""
        item = self.items[-1]
        self.fixtures = shared(item, self.witness.frames.inside)
        # What others are made of comes last: with it they are set up anew, too.
        names = sorted(
            self.fixtures, key=lambda name: len(made_of(self.fixtures[name], item))
        )
        return [("process", name, "(new)", "(used)") for name in names]

    def is_told(self, part, single):
        """Whether a fixture can only cure by what is made of it, which cures alone."""
        fixture = self.fixtures.get(part[1])
        if fixture is None:
            return False
        made = made_of(fixture, self.items[-1])
        return any(self.fixtures.get(each[0][1]) in made for each in single)

    def loaded(self):
        """The project's modules that were not there before the first test.

        What loading a file does is done once, and not for whoever loads it next.
        """
        walked, now = self.state.first[1], self.state.globals
        if walked is None or now is None:
            return []
        names = ("sys.modules[%r]" % name for name in sorted(now.own - walked.own))
        return [
            ("module", name, ABSENT, now.tokens[name])
            for name in names
            if name not in walked.tokens
        ]

    def can(self, difference):
        resource, name, was, _ = difference
        if resource != "module":
            return (resource, name) in self.kept or resource == ENVIRONMENT
        if name.startswith("sys.modules["):
            return True
        walked = self.state.first[1] if was is not ABSENT else self.state.globals
        return name in walked.kept

    def put_back(self, difference):
        resource, name, was, _ = difference
        walked = self.state.first[1] if was is not ABSENT else self.state.globals
        if resource == "process" and name in self.fixtures:
            set_up_anew(self.fixtures[name], self.items[-1])
        elif resource != "module":
            value = self.kept.get((resource, name), (None, ABSENT))[1]
            self.part(resource, name).put(name, value)
        elif not name.startswith("sys.modules["):
            put(walked.kept[name], gone=was is ABSENT)
        elif was is ABSENT:
            forget(name[13:-2])
        else:
            sys.modules[name[13:-2]] = walked.modules[name[13:-2]]

    def part(self, resource, name):
        """Who puts a thing back; new variables were not there to be kept."""
        return self.kept.get((resource, name), (CHEAP[0], None))[0]


def forget(name):
    """A module is loaded again by whoever wants it next."""
    module = sys.modules.pop(name, None)
    above, _, last = name.rpartition(".")
    holder = sys.modules.get(above)
    if type(holder) is type(sys) and vars(holder).get(last) is module:
        vars(holder).pop(last, None)


def keep(resource=None):
    """By (resource, name): the part that it is of, and what `put` takes."""
    found = {}
    for part in PARTS:
        if resource in (None, part.resource):
            try:
                values = part.keep()
            except Exception:
                continue
            for name, value in values.items():
                found[part.resource, name] = (part, value)
    return found


def is_plain(token):
    """Whether a token is all there is to a value, and no mark of an object."""
    if not isinstance(token, (tuple, frozenset)):
        return True
    if isinstance(token, tuple) and len(token) == 3 and token[0] == "@":
        return False
    return all(map(is_plain, token))
