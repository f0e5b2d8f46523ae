"""One order of the file picked anew: the desk before it, its picks, and another order in its place."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from pbem.board.game import OpenGame
from pbem.kernel.canon import Plain
from pbem.kernel.forms import VERB, Chosen, Form, Partial, Pick
from pbem.kernel.orders import Problem
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report import board
from pbem.report.board import Shown
from pbem.runtime.desk import OVER, Desk
from pbem.runtime.paper import read_paper

TYPED = msg("this order has no picks: change it as text")
ENDS = ("to", "target", "at", "via")  # slots that a place fills


@dataclass(frozen=True, slots=True)
class Before:
    """The game in front of one order of the file."""

    text: str
    at: int
    desk: Desk


class Entries:
    """The orders of one game's file."""

    def __init__(self, game: OpenGame) -> None:
        self._game = game
        self._before: Before | None = None

    def desk(self, at: int) -> Desk:
        """The desk in front of an order, counted from 0; that behind all of them for -1. Raises ProtocolError."""
        desk = self._game.desk
        text = desk.sheet.text
        if at < 0:
            return desk
        if self._before is None or (self._before.text, self._before.at) != (text, at):
            paper = read_paper(text)
            if at >= len(paper.orders):
                raise ProtocolError(Outcome.UNREADABLE, TYPED)
            self._before = Before(text, at, self._game.session.desk(paper.without(at, len(paper.orders) - at).text))
        return self._before.desk

    def shown(self, at: int) -> Shown:
        """The picks of an order, and the first ones of its question. Raises ProtocolError where it has none."""
        desk = self.desk(at)
        form, order = desk.form(), read_paper(self._game.desk.sheet.text).orders[at]
        if form is None:
            raise ProtocolError(Outcome.WAITING, OVER.note)
        teller = self._game.teller(desk.table.engine.state)
        verb, picks = walked(form, form.partial(_meant(self._game.desk, at, order)))
        chosen: list[Plain] = [{**board.pick(teller, p), "count": c.count} for c, p in picks]
        return {"verb": verb, "chosen": chosen, "first": board.step(teller, form.step(Partial()))}

    def why(self, at: int, partial: Partial, places: Sequence[str]) -> Sequence[Problem]:
        """Why what is picked cannot go to a place, by one of its names; nothing where the rules do not say."""
        form = self.desk(at).form()
        if form is None:
            return ()
        slots = [p.slot for p in form.step(partial).picks if p.at and p.slot in ENDS]
        for slot in dict.fromkeys([*slots, *ENDS]):
            for place in places:
                with suppress(LookupError, ValueError):
                    found = form.step(Partial(partial.verb, (*partial.chosen, Chosen(slot, place))))
                    if found.problems:
                        return found.problems
        return ()


def walked(form: Form, wanted: Partial) -> tuple[str, list[tuple[Chosen, Pick]]]:
    """The verb and each pick as it is offered on the way. Raises ProtocolError where one is not."""
    so_far, found = Partial(wanted.verb), []
    if wanted.verb and not any((p.slot, p.value) == (VERB, wanted.verb) for p in form.step(Partial()).picks):
        raise ProtocolError(Outcome.REFUSED, TYPED)
    for one in wanted.chosen:
        offered = form.step(so_far).picks
        pick = next((p for p in offered if (p.slot, p.value) == (one.slot, one.value) and p.most >= one.count), None)
        if pick is None:
            raise ProtocolError(Outcome.REFUSED, TYPED)
        found.append((one, pick))
        so_far = so_far.plus(pick, one.count)
    return wanted.verb, found


def _meant(desk: Desk, at: int, order: Plain) -> Plain:
    """An entry as it was taken; several orders at once stand as text only."""
    meant = [one for entry, one in desk.placed() if entry == at]
    return meant[0] if len(meant) == 1 else order
