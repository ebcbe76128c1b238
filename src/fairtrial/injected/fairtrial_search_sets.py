"""Where the answer about one test turns, and which sets of tests turn it.

Runs on Python 3.7 and newer, with the standard library only.
"""

from __future__ import annotations

from fairtrial_search_forks import REAL

PASSED, FAILED, NEITHER = "passed", "failed", "neither"
#: More tests than this in one set are not looked for.
MOST = 8
#: So much longer than for cleaners it is looked for others like a set that was found.
SIBLINGS = 10
#: Cleaners that are named, tests that are tried one by one, those of them that are
#: tried however long it takes, and tests in one block.
CLEANERS = 3
NEAR = 40
FREE = 4
BLOCK = 32


class Sets:
    """The search for one subject, on the copies that a `Search` keeps."""

    def __init__(self, search, subject, placed, cause):
        self.search = search
        self.subject = subject
        #: What came of it in its place; None: it did not get there.
        self.placed = placed
        #: What kept the search from going on to its place.
        self.cause = cause
        self.found = []
        self.cleaners = []
        self.load_time = False
        self.hostile = ""

    def find(self, seconds):
        """All that can be told; `seconds` for cleaners."""
        search = self.search
        if not search.copies:
            self.hostile = self.cause or "the process could not be copied"
            return
        start = search.copies[0]
        end, last = self.subject, self.placed
        if last is None:
            # The run did not get so far; maybe the answer has turned before.
            here = [each for each in search.copies if each.position <= self.subject]
            end = here[-1].position
            last = search.question(here[-1], [], self.subject)
        first = search.question(start, [], self.subject)
        if first == last == FAILED:
            self._of_files()
            return
        if NEITHER in (first, last) or first == last:
            if self.placed is None:
                self.hostile = self.cause
            return
        one = self._one_set(first, last, end)
        if one is None:
            return
        if search.question(start, [], self.subject) != first:
            self.hostile = "what its trials leave behind is not in the process alone"
            return
        self.found = [one]
        if len(one) == 1:
            self.found += self._alike(one[0], last, seconds)
        if last == FAILED:
            self._look_for_cleaners(one, seconds)

    def _of_files(self):
        """It fails before any test ran: loading files is why, or nothing in here."""
        files = self.search.files
        if files.question([], self.subject) != PASSED:
            self.hostile = (
                "it fails by now even in a fresh copy: what it needs, or what was left,"
                " lies outside the process"
            )
            return
        self.load_time = True
        one = files.smallest(self.subject)
        self.found = [one] if one else []

    def _one_set(self, first, last, end):
        """The smallest set that turns the answer, in order; None: it was not found."""
        search, kept = self.search, []
        start = search.copies[0]
        while len(kept) < MOST and REAL["now"]() < search.until:
            found = self.turn(kept, end, first)
            if found is None or found in kept:
                return None
            kept, end = [found, *kept], found
            if search.question(start, kept, self.subject) == last:
                return self._without_spare(kept, last)
        return None

    def _alike(self, one, last, seconds):
        """Tests of the same file that turn the answer as well, each by itself.

        One table of parameters pollutes in each of its rows; found here, they spare a
        search of their own.
        """
        items, begun = self.search.items, REAL["now"]()
        file = items[one].location[0]
        near = sorted(range(self.subject), key=lambda each: abs(each - one))
        near = [each for each in near if items[each].location[0] == file]
        found = []
        for each in near[1 : NEAR + 1]:
            # Where there is one more, there are likely others.
            allowed = SIBLINGS * seconds if found else seconds
            if len(found) >= MOST - 1 or REAL["now"]() > begun + allowed:
                break
            answer = self.search.question(self.search.copies[0], [each], self.subject)
            if answer == last:
                found.append(each)
        return [[each] for each in found]

    def _without_spare(self, kept, last):
        start, place = self.search.copies[0], 0
        while place < len(kept) and len(kept) > 1:
            fewer = kept[:place] + kept[place + 1 :]
            if self.search.question(start, fewer, self.subject) == last:
                kept = fewer
            else:
                place += 1
        return kept

    def turn(self, kept, end, first):
        """The test behind which the answer is another than `first`, before `end`.

        At the first copy it is `first`, and at `end` it is not; between two
        neighbours with different answers there is a turn, wherever others are.
        """
        copies = [each for each in self.search.copies if each.position <= end]
        if not copies:
            return None
        low, high = 0, len(copies)
        while high - low > 1:
            middle, answer = self._middle(copies, low, high, kept)
            if answer is None:
                break
            if answer == first:
                low = middle
            else:
                high = middle
        at = copies[low].position
        until = copies[high].position if high < len(copies) else end
        if until <= at:
            return None
        if until - at == 1:
            return at
        return self._inside(copies[low], until, kept, first)

    def _middle(self, copies, low, high, kept):
        """An answer near the middle; those that give none are passed over."""
        middle = (low + high) // 2
        near = sorted(range(low + 1, high), key=lambda each: abs(each - middle))
        for each in near:
            answer = self.search.question(copies[each], kept, self.subject)
            if answer != NEITHER:
                return each, answer
        return middle, None

    def _inside(self, at, until, kept, first):
        found = at.ask(
            {
                "do": "inside",
                "until": until,
                "kept": kept,
                "first": first,
                "subject": self.subject,
            }
        )
        if self.search.beat is not None:
            self.search.beat()
        return found if isinstance(found, int) else None

    # ---- cleaners

    def _look_for_cleaners(self, one, seconds):
        near, rest = self._candidates(one)
        found = self.search.copies[0].ask(
            {
                "do": "clean",
                "set": one,
                "candidates": [near[:NEAR], near[NEAR:] + rest],
                "subject": self.subject,
                "seconds": seconds,
            }
        )
        self.cleaners = found if isinstance(found, list) else []

    def _candidates(self, one):
        """Tests beside the subject and the set first, then those that ran later."""
        items = self.search.items
        files = {items[each].location[0] for each in (self.subject, *one)}
        others = [
            each
            for each in range(len(items))
            if each not in one and each != self.subject
        ]
        near = [each for each in others if items[each].location[0] in files]
        near.sort(key=lambda each: abs(each - self.subject))
        rest = [each for each in others if each not in set(near)]
        return near, [each for each in rest if each > one[-1]]

    def cleaning(self, candidates, until):
        """In a copy that has run the set: the tests behind which it passes again."""
        if self._answer([]) != FAILED:
            return []
        found = []
        singles, rest = candidates
        blocks = [[each] for each in singles]
        blocks += [rest[at : at + BLOCK] for at in range(0, len(rest), BLOCK)]
        for place, block in enumerate(blocks):
            late = place >= FREE and REAL["now"]() > until
            if late or len(found) >= CLEANERS:
                break
            if self._answer(block) == PASSED:
                found += self._halved(block)
        return found

    def _halved(self, block):
        while len(block) > 1:
            half = len(block) // 2
            parts = [block[half:], block[:half]]
            block = next((each for each in parts if self._answer(each) == PASSED), [])
        return block

    def _answer(self, tests):
        if not self.search.copies:
            return NEITHER
        return self.search.question(self.search.copies[0], tests, self.subject)
