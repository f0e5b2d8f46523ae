"""The order file under the board: read when somebody else changed it, replaced in one step, never over a change unseen; and one
order of it picked anew: the desk before it, its picks.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.board import gestures
from pbem.board.gestures import Gesture, Question
from pbem.kernel.canon import Plain, sha256_hex
from pbem.kernel.forms import Chosen, Partial
from pbem.kernel.orders import Problem
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report.board import Shown
from pbem.runtime.ahead import Ahead
from pbem.runtime.desk import OVER, Desk
from pbem.runtime.paper import read_paper
from pbem.store.disk import Disk

if TYPE_CHECKING:
    from pbem.board.game import OpenGame

NAME = "unsent.yaml"  # in the game folder; `pbem play` goes on with the same
NOTHING = ""
TYPED = msg("this order has no picks: change it as text")
PLAN = -2  # in the place of the number of an order
GONE = msg("nothing is being planned now: begin again")
ENDS = ("to", "target", "at", "via")  # slots that a place fills


class ChangedElsewhere(Exception):
    """The file is not the one that the page has seen."""

    def __init__(self, text: str, stamp: str) -> None:
        super().__init__(stamp)
        self.text, self.stamp = text, stamp


class DraftFile:
    """One order file."""

    def __init__(self, path: Path, disk: Disk) -> None:
        self.path, self._disk = path, disk

    def read(self) -> tuple[str, str]:
        """Its text and its stamp; both empty where there is none."""
        try:
            data = self._disk.read(self.path)
        except FileNotFoundError:
            return "", NOTHING
        return data.decode("utf-8", "replace"), stamp_of(data)

    def save(self, text: str, seen: str) -> str:
        """Another text in the place of the one with the stamp `seen`; the new stamp. Raises ChangedElsewhere."""
        now, stamp = self.read()
        if stamp != seen and now != text:
            raise ChangedElsewhere(now, stamp)
        data = text.encode("utf-8", "surrogatepass")
        if stamp != stamp_of(data):
            self._disk.replace(self.path, data)
        return stamp_of(data)

    def discard(self) -> None:
        """It is sent: the file goes."""
        self._disk.remove(self.path)


def stamp_of(data: bytes) -> str:
    """What tells one content from another."""
    return sha256_hex(data)[:16] if data else NOTHING


# -- one of its orders ------------------------------------------------------------------------------------------------------


class Before(Struct, frozen=True):
    """The game in front of one order of the file. `behind`: the desk with the file's text."""

    behind: Desk
    text: str
    at: int
    desk: Desk


class Entries:
    """The orders of one game's file."""

    def __init__(self, game: OpenGame) -> None:
        self._game = game
        self._before: Before | None = None
        self._question = Question(None)
        self._told: dict[int, Shown] = {}
        self._told_of: tuple[Desk, str] | None = None

    def question(self, at: int) -> Question:
        """What is asked in front of an order, with the steps that were looked at already. Raises ProtocolError."""
        form = self.desk(at).form()
        if self._question.form is not form:
            self._question = Question(form)
        return self._question

    def desk(self, at: int) -> Desk | Ahead:
        """What orders come behind: as `desk_before`, for PLAN the question that is being planned for. Raises ProtocolError."""
        if at != PLAN:
            return self.desk_before(at)
        if self._game.planning is None:
            raise ProtocolError(Outcome.UNREADABLE, GONE)
        return self._game.planning

    def desk_before(self, at: int) -> Desk:
        """The desk in front of an order, counted from 0; that behind all of them for -1. Raises ProtocolError."""
        desk, before = self._game.desk, self._before
        text = desk.sheet.text
        if at < 0:
            return desk
        if before is None or before.behind is not desk or (before.text, before.at) != (text, at):
            paper = read_paper(text)
            if at >= len(paper.orders):
                raise ProtocolError(Outcome.UNREADABLE, TYPED)
            made = self._game.session.desk(paper.without(at, len(paper.orders) - at).text)
            self._before = before = Before(desk, text, at, made)
        return before.desk

    def told(self, at: int) -> Shown:
        """An order picked anew as the page shows it, made once for each text. Raises ProtocolError where it has no picks."""
        desk = self._game.desk
        if self._told_of is None or self._told_of[0] is not desk or self._told_of[1] != desk.sheet.text:
            self._told, self._told_of = {}, (desk, desk.sheet.text)
        if at not in self._told:
            teller = self._game.teller(self.desk(at).table.engine.state)
            self._told[at] = gestures.told(teller, self.picked(at), at)
        return self._told[at]

    def picked(self, at: int) -> Gesture:
        """The picks of an order. Raises ProtocolError where it has none."""
        question = self.question(at)
        if question.form is None:
            raise ProtocolError(Outcome.WAITING, OVER.note)
        order = read_paper(self._game.desk.sheet.text).orders[at]
        gesture = Gesture(question, question.form.partial(_meant(self._game.desk, at, order)))
        verb, pairs = gesture.partial.verb, zip(gesture.partial.chosen, gesture.offered, strict=True)
        knows = not verb or any(p.value == verb for p in question.verbs)
        if not knows or not all(pick is not None and pick.most >= one.count for one, pick in pairs):
            raise ProtocolError(Outcome.REFUSED, TYPED)
        return gesture

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


def _meant(desk: Desk, at: int, order: Plain) -> Plain:
    """An entry as it was taken; several orders at once stand as text only."""
    meant = [one for entry, one in desk.placed() if entry == at]
    return meant[0] if len(meant) == 1 else order
