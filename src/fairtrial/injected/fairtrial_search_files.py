"""Which files make a test fail when they are only loaded.

A copy is kept from before any file was collected; its children collect what they are
asked to, and run the one test. Runs on Python 3.7 and newer, with the standard library
and pytest only.
"""

from __future__ import annotations

import os

from fairtrial_search_forks import REAL, Asked, pause


class Files:
    """The copy from before the collection, and what it is asked."""

    def __init__(self, search):
        self.search = search
        self.copy = None
        #: In a child of that copy: what it was asked.
        self.asked = None

    def pause_here(self, session):
        search = self.search
        # A child collects, which may take longer than one test.
        made = pause(search.wires, -1, search.limit + 60)
        if not isinstance(made, Asked):
            self.copy = made
            return
        self.asked = made
        search.session = session
        search.be_nobody()
        search.beat = made.beat
        workspace = search.witness.frames.workspace
        paths = [os.path.join(workspace, each) for each in made.message["files"]]
        session.config.args[:] = paths

    def answer(self):
        """In the child, when the files are loaded: what the one test does."""
        search = self.search
        names = [search.witness.name(item.nodeid) for item in search.items]
        subject = self.asked.message["subject"]
        if subject in names:
            self.asked.answer(search._run_listed([], names.index(subject)))
        REAL["exit"](1)

    def end(self):
        if self.copy is not None:
            self.copy.end()

    def question(self, files, subject):
        """What the test at a place does when these files are loaded beside its own."""
        search = self.search
        if self.copy is None:
            return "neither"
        search.asked += 1
        name = search.witness.name(search.items[subject].nodeid)
        own = file_of(name)
        order = [each for each in self.order() if each in files or each == own]
        found = self.copy.ask({"files": order, "subject": name})
        return found if found in ("passed", "failed") else "neither"

    def order(self):
        """The files in the order in which they were collected."""
        named = [
            file_of(self.search.witness.name(item.nodeid)) for item in self.search.items
        ]
        return list(dict.fromkeys(self.search.witness.covered + named))

    def smallest(self, subject):
        """A test of each file that is needed for it to fail; empty: not found."""
        own = file_of(self.search.witness.name(self.search.items[subject].nodeid))
        others = [each for each in self.order() if each != own]
        if self.question(others, subject) != "failed":
            return []
        found = self._halve(others, [], subject)
        if found is None or self.question(found, subject) != "failed":
            return []
        places = {}
        for place, item in enumerate(self.search.items):
            places.setdefault(file_of(self.search.witness.name(item.nodeid)), place)
        return sorted(places[each] for each in found if each in places)

    def _halve(self, files, kept, subject):
        """The part of the files that is needed beside those that are kept."""
        if len(files) < 2:
            return files
        if REAL["now"]() > self.search.until:
            return None
        half = len(files) // 2
        older, newer = files[:half], files[half:]
        for part in (newer, older):
            if self.question(part + kept, subject) == "failed":
                return self._halve(part, kept, subject)
        needed = self._halve(newer, kept + older, subject)
        if needed is None:
            return None
        rest = self._halve(older, kept + needed, subject)
        return None if rest is None else rest + needed


def file_of(name):
    return name.partition("::")[0]
