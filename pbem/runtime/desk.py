"""A player's desk: the text of an order file, the question behind it, and what it would give up. No files, no network.

The text is the truth. It may be typed (`edit`) or picked (`step`, `take`, `undo`), in any order; picking edits lines of the
text, so that comments and notation stay. Orders that are accepted go on with one table; undoing and edits in the middle
play the file anew, and so does `compose`, which says the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.consequences import Consequence
from pbem.kernel.flow import Ask, Commit, same
from pbem.kernel.forms import Form, Partial, Step
from pbem.kernel.orders import Problem, Rejected
from pbem.kernel.questions import DONE
from pbem.kernel.wording import NO_WORDS, Message, msg
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime import giving_up, phases, typed
from pbem.runtime.asked import WithPassed, form_at, question_of
from pbem.runtime.composing import Composed, Draft, Salt, Secrets, compose, same_but_orders
from pbem.runtime.contents import Fetch
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.living import Living, Passed, is_surplus, is_too_late, place_of
from pbem.runtime.paper import Paper, read_paper
from pbem.runtime.sheet import LeftOut, Sheet, Trouble, done_left_out, done_too_late, trouble_at
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused

MOST_DONE = 50  # at once
OVER = Step(note=msg("nothing more is asked"))


class Desk:
    """One file being written by one player."""

    def __init__(self, table: Table, secrets: Secrets, fetch: Fetch, salt: Salt, text: str = "") -> None:
        self.start, self._secrets, self._fetch, self._salt = table, secrets, fetch, salt
        self._paper = read_paper("")
        self._living = self._begun(self._paper.draft)
        self._gestures: list[int] = []
        self._counts: list[int] = []  # of the orders that each entry of the text is, up to the first trouble
        self._typed: dict[int, tuple[Plain, tuple[Plain, ...]]] = {}  # an entry by its first order, and what it was read as
        self._form: tuple[Sheet, Form] | None = None
        self._passed: tuple[Passed, ...] = ()
        self._weights: tuple[Sheet, tuple[Consequence, ...], list[tuple[int, Message]]] | None = None
        self.sheet = self._read()
        if text:
            self.edit(text)

    # -- what stands ----------------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The game behind the orders that stand."""
        return self._living.table

    @property
    def player(self) -> str:
        """Whose file it is."""
        return self._secrets.player

    @property
    def sealed(self) -> Mapping[str, Mapping[str, Any]]:
        """What these orders seal: handle -> content."""
        return self._living.sealed

    @property
    def draft(self) -> Draft:
        """What would be sent: the text without what is refused or left out."""
        return replace(self._paper.draft, orders=[*self.sheet.orders])

    @property
    def wanted(self) -> Draft:
        """The same with what is refused."""
        return replace(self._paper.draft, orders=[order for _, order in self.placed()])

    def placed(self) -> list[tuple[int, Plain]]:
        """Each order that would be sent with its entry of the text; one entry may be several orders."""
        stand = iter(self.sheet.orders)
        found = [(at, next(stand)) for at, count in enumerate(self._counts) for _ in range(count)]
        behind = len(self._counts)
        rest = enumerate(self._paper.orders[behind:], behind)
        player = self._secrets.player
        return [*found, *((at, one) for at, order in rest for one in typed.best_guess(self.table, player, order))]

    @property
    def not_played(self) -> tuple[int, tuple[Plain, ...]]:
        """The entries of the text behind those that stand, and the number of the first, counted from 0."""
        return self._entries(), self._paper.orders[self._entries() :]

    def parted(self, at: int, orders: Sequence[Plain]) -> Desk:
        """Another desk, with several entries in the place of one, counted from 0."""
        text = self._paper.without(at).adding(orders, at).text
        return Desk(self.start, self._secrets, self._fetch, self._salt, text)

    def reworded(self) -> list[tuple[int, list[Plain]]]:
        """The entries that stand in other words than the text has, each with its orders."""
        stand = self.placed()[: len(self.sheet.orders)]
        found = {at: [order for of, order in stand if of == at] for at, _ in stand}
        return [(at, orders) for at, orders in found.items() if not same(orders, [self._paper.orders[at]])]

    def knowledge(self) -> Knowledge:
        """What the player knows of hidden things there."""
        return self.knowledge_at(self.table)

    def knowledge_at(self, table: Table) -> Knowledge:
        """The same at another table of this game."""
        secrets = self._secrets
        sealed = {**secrets.sealed, **self._living.sealed}
        return Knowledge(secrets.player, secrets.draw_secrets, sealed, table.ledger, table.charter.game_id)

    def step(self, partial: Partial) -> Step:
        """What may be picked next at the question behind the orders."""
        form = self.form()
        return form.step(partial) if form is not None else OVER

    def form(self) -> Form | None:
        """The form of the question behind the orders, with those that are passed; None when nothing more is asked."""
        asked, passed = self.sheet.asked, self.sheet.passed
        if asked is None and not passed:
            return None
        if self._form is None or self._form[0].asked is not asked or self._form[0].passed is not passed:
            found = form_at(self.table, asked, self.knowledge()) if asked is not None else None
            for one in self._passed:
                found = WithPassed(found, form_at(one.table, one.ask, self.knowledge_at(one.table)), one.ask.verbs)
            assert found is not None
            self._form = (self.sheet, found)
        return self._form[1]

    def consequences(self) -> tuple[Consequence, ...]:
        """What the file gives up, worst first."""
        return self._weighed()[0]

    def chosen_ways(self) -> list[tuple[int, Message]]:
        """Each entry that sends units to a place, counted from 0, with the way that the rules take."""
        return self._weighed()[1]

    def _weighed(self) -> tuple[tuple[Consequence, ...], list[tuple[int, Message]]]:
        """Both, from one time that the file is played anew."""
        if self._weights is None or self._weights[0] is not self.sheet:
            placed, ways = self.placed(), list[tuple[int, Message]]()

            def look(table: Table, ask: Ask | Commit | None, n: int) -> None:
                if isinstance(ask, Ask) and (way := table.game.chosen_way(table.engine.state, ask, placed[n][1])):
                    ways.append((placed[n][0], way))

            lost = giving_up.consequences(self._begun(self._paper.draft), self.sheet.orders, self.player, look)
            self._weights = (self.sheet, lost, ways)
        return self._weights[1:]

    def compose(self) -> Composed:
        """The file from the beginning, unsigned. Raises Refused, ProtocolError."""
        return compose(self.start, self._secrets, self.draft, self._fetch, self._salt)

    # -- changes ----------------------------------------------------------------------------------------------------------

    def edit(self, text: str) -> Sheet:
        """Another text, as it was typed. What cannot be read at all leaves the orders as they stood."""
        try:
            paper = read_paper(text)
        except ProtocolError as error:
            trouble = Trouble(error.line or 0, unread=error.message)
            self.sheet = replace(self.sheet, text=text, trouble=trouble)
            return self.sheet
        self._gestures = []
        return self._put(paper)

    def refuse(self, text: str, problems: Sequence[Problem]) -> None:
        """A text with standing orders or a plan that nobody can carry out: it is kept, and the orders stay as they stood."""
        self.sheet = replace(self.sheet, text=text, trouble=Trouble(0, tuple(problems)))

    def take(self, orders: Sequence[Plain]) -> Sheet:
        """Finished orders of a form behind those that stand, in players' notation; one gesture.

        Raises Refused, or ProtocolError while the text cannot be read; then nothing changes.
        """
        form = self.form()
        return self.put([form.line(order) for order in orders] if form is not None else orders)

    def put(self, orders: Sequence[Plain]) -> Sheet:
        """The same with orders as they were written."""
        self._check_readable()
        if self.sheet.asked is None and not self.sheet.passed:
            raise Refused([Problem("not allowed", OVER.note, "protocol")])
        before, at = self._paper, self._entries()
        lines = [*self._named_done(), *orders[1:]] if orders and self._would_be_left_out(orders[0]) else [*orders]
        sheet = self._put(before.adding(lines, at))
        if sheet.trouble is not None and self._entries() < at + len(lines):
            problems = sheet.trouble.problems
            self._put(before)
            raise Refused([*problems])
        self._gestures.append(len(lines))
        return sheet

    def finish(self) -> Sheet:
        """`done` to what is asked and to whatever follows, up to a question that does not take it or would give something up.

        One gesture. Raises Refused where already the first does not; ProtocolError.
        """
        before = len(self._gestures)
        self.put([DONE])
        with suppress(Refused):
            while len(self._gestures) < before + MOST_DONE:
                stood, given_up = self._paper, giving_up.graver(self.consequences())
                self.put([DONE])
                if giving_up.graver(self.consequences()) > given_up:
                    self._put(stood)
                    self._gestures.pop()
                    break
        self._gestures[before:] = [sum(self._gestures[before:])]
        return self.sheet

    def wrong_with(self, orders: Sequence[Plain]) -> tuple[Problem, ...]:
        """Why orders would be refused here; nothing where they would stand. Nothing changes."""
        before, gestures = self._paper, [*self._gestures]
        try:
            self.put(orders)
        except Refused as error:
            return tuple(error.problems)
        self._put(before)
        self._gestures = gestures
        return ()

    def done_forgotten(self) -> Message:
        """A word about the first order that is refused where it would stand behind a `done`; the file is played anew for it."""
        trouble, place = self.sheet.trouble, place_of(self.table, self._secrets.player)
        at = trouble.problems[0].order if trouble is not None and trouble.problems else None
        if at is None or place is None or not place.takes_done or phases.named_by(self._paper.orders[at]):
            return NO_WORDS
        kept = self._living
        try:
            self._living = self._begun(self._paper.draft)
            for stands in (*kept.orders, DONE):
                self._living.add(stands)
            asked = question_of(self.table, self._secrets.player)
            self._add(self._paper.orders[at])
        except (Refused, ProtocolError):
            return NO_WORDS
        finally:
            self._living = kept
        assert asked is not None
        return msg("write `done` before it if this is over: then comes {prompt}, where it stands", prompt=asked.prompt)

    def say(self, key: str, value: Plain) -> Sheet:
        """Standing orders or a note in the text, in the place of those that stand there. Raises Refused, ProtocolError."""
        self._check_readable()
        before, stood = self._paper, self.sheet.trouble
        sheet = self._put(before.saying(key, value))
        if (trouble := sheet.trouble) is not None and stood is None:
            self._put(before)
            raise Refused([*trouble.problems])
        return sheet

    def undo(self) -> Sheet:
        """Without the orders of the last gesture, or without the last order of the text. Raises ProtocolError."""
        self._check_readable()
        if self._gestures:
            count, last = self._gestures.pop(), self._entries()
        else:
            count, last = 1, len(self._paper.orders)
        return self._put(self._paper.without(last - count, count)) if last >= count else self.sheet

    def remarked(self, text: str, remarks: Sequence[str]) -> str:
        """The text as somebody wrote it, before words were spelled out, with remarks behind the orders that stand."""
        return read_paper(text).remarked(remarks, self._entries())

    def _check_readable(self) -> None:
        """Nothing is written over a text that somebody is still typing."""
        if self.sheet.text != self._paper.text:
            read_paper(self.sheet.text)
            assert self.sheet.trouble is not None
            raise Refused([*self.sheet.trouble.problems])

    def _would_be_left_out(self, order: Plain) -> bool:
        """A `done` picked at a question in sight is meant for that question."""
        if not self._living.orders or (self.sheet.left_out and self.sheet.left_out[-1].at == self._entries() - 1):
            return False
        now = place_of(self.table, self._secrets.player)
        return is_surplus(self._living.places[-1], order, now, self._living.orders[-1])

    def _named_done(self) -> list[Plain]:
        """A `done` for the question in sight, behind one of another name that had ended by itself; or two bare ones."""
        before, now = self._living.places[-1], question_of(self.table, self._secrets.player)
        assert before is not None and now is not None
        return [{DONE: now.kind}] if before.ask.kind != now.kind else [DONE, DONE]

    def _entries(self) -> int:
        return len(self._counts)

    # -- playing ------------------------------------------------------------------------------------------------------------

    def _begun(self, draft: Draft) -> Living:
        return Living(self.start, self._secrets, self._fetch, self._salt, draft)

    def _put(self, paper: Paper) -> Sheet:
        """Play what the text says: on with the table where it only grew."""
        if not same_but_orders(paper.draft, self._paper.draft):
            self._living = self._begun(paper.draft)
        self._paper = paper
        self.sheet = self._read()
        return self.sheet

    def _read(self) -> Sheet:
        """Every order of the text, up to the first that does not stand."""
        wanted, stand, lines = self._paper.orders, 0, []
        left_out: list[LeftOut] = []
        trouble = None
        previous: Plain = None
        self._counts = []
        for at, order in enumerate(wanted):
            try:
                grown = self._grown(stand, order, previous)
            except (Refused, ProtocolError) as error:
                trouble = trouble_at(at, self._paper.line_of(at), error)
                break
            if isinstance(grown, Message):
                left_out.append(LeftOut(at, self._paper.line_of(at), grown))
            self._counts.append(0 if isinstance(grown, Message) else grown)
            lines += [self._paper.line_of(at)] * self._counts[-1]
            stand += self._counts[-1]
            previous = phases.plainly(order)
        self._cut(stand)
        asked, self._passed = question_of(self.table, self._secrets.player), tuple(self._living.passed())
        passed = tuple(one.ask for one in self._passed)
        return Sheet(self._paper.text, tuple(self._living.orders), tuple(lines), trouble, tuple(left_out), asked, passed)

    def _grown(self, stand: int, order: Plain, previous: Plain) -> int | Message:
        """How many orders the entry at this place of those that stand is; a sentence when it is a `done` that ends nothing."""
        known, meant = self._typed.get(stand, (None, ()))
        meant = meant if same(known, order) else (order,)
        old = self._living.orders[stand : stand + len(meant)]
        if old and not same([*old], [*meant]):
            self._cut(stand)
            old = []
        living = self._living
        before = living.places[stand - 1] if stand else None
        now = living.places[stand] if old else place_of(living.table, self._secrets.player)
        if is_surplus(before, order, now, previous):
            self._cut(stand)
            assert before is not None and now is not None
            return done_left_out(before.ask.prompt, now.ask.prompt)
        if not old and now is None and is_too_late(before, order, living.table, previous):
            assert before is not None
            return done_too_late(before.ask.prompt)
        if not old and (words := phases.named_by(order)) and is_surplus(before, DONE, now, previous):
            assert before is not None
            if phases.phases_of(living.table.game, words, before.ask.kind) == [before.ask.kind]:
                self._cut(stand)
                return msg("`done: {phase}` is left out: that phase had ended by itself", phase=before.ask.kind)
        if not old:
            meant = self._add(order)
            self._typed[stand] = (order, meant)
        return len(meant)

    def _add(self, order: Plain) -> tuple[Plain, ...]:
        """An order put behind those that stand: as it was written, or as it is meant. Raises Refused, ProtocolError."""
        if self._ends_by_name(order):
            self._living.add(DONE)
            return (DONE,)
        try:
            self._living.add(order)
        except Refused as refused:
            return typed.first_that_stands(self._add_all, self.table, self.player, order, refused, self.knowledge().reveal)
        return (order,)

    def _ends_by_name(self, order: Plain) -> bool:
        """A `done` that names the question at which it stands, before the rules see it: some pass over its words.

        Raises Refused where it names another.
        """
        words, ask = phases.named_by(order), question_of(self._living.table, self._secrets.player)
        if not words or not isinstance(ask, Ask) or DONE not in ask.verbs:
            return False
        try:
            phases.check(self._living.table.game, words, ask.kind)
        except Rejected as wrong:
            raise Refused(list(wrong.problems)) from None
        return True

    def _add_all(self, orders: Sequence[Plain]) -> None:
        stand = len(self._living.orders)
        try:
            for order in orders:
                self._living.add(order)
        except (Refused, ProtocolError):
            self._cut(stand)
            raise

    def _cut(self, stand: int) -> None:
        """Only so many orders, on a table played anew where there were more."""
        orders = self._living.orders
        if len(orders) > stand:
            self._living = self._begun(self._paper.draft)
            self._add_all(orders[:stand])
