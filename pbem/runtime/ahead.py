"""What may be asked behind the dice: a table played on with drawn ones, by what is in force, as everybody knows it.

A question that nothing answers gets its default, or else the answer that does least; what is hidden has to be shown first, so
that it ends there.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.kernel.canon import Plain, sha256_hex
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.forms import Form, Partial, Step
from pbem.kernel.orders import Rejected
from pbem.kernel.questions import DONE
from pbem.runtime.asked import form_at, proposals, question_of
from pbem.runtime.desk import Desk
from pbem.runtime.hand import Hand
from pbem.runtime.planned import name_of, seat_of
from pbem.runtime.quiet import does_nothing
from pbem.runtime.table import Table

TRIED = 12  # answers to a question before it counts as one that nobody can guess
MOST = 400  # questions on the way to one that can be planned


class Drawn(Table):
    """A table whose dice come from a number, at once: nobody has to show a link."""

    number = 0

    def seed(self) -> bytes:
        """Of the dice that come next."""
        return bytes.fromhex(sha256_hex(f"{self.number} {len(self.ledger.rolled)} {len(self.ledger.draws)}".encode()))


def drawn_from(table: Table, number: int) -> Drawn:
    """A copy that goes on with dice of this number."""
    drawn = Drawn(table.charter, table.module, table.engine.fork(), table.ledger.fork(), table.due)
    drawn.number, drawn.ledger.source = number, table.last
    return drawn


def go_on(drawn: Drawn) -> None:
    """As far as nothing has to be ordered."""
    drawn.advance(Hand("", drawn.last))


def part_of(table: Table) -> Plain:
    """The turn at hand, of whoever is at play."""
    state = table.engine.state
    return [table.game.words().turn(state), table.game.own_turn(state)]


def answered(table: Table, ask: Ask) -> bool:
    """The default, or the answer that does least, is given. False: none of those tried stands, or several decide at once."""
    if table.engine.request is not ask:
        return False
    listed = [ask.default] if ask.default is not None else quiet_first(proposals(table, ask, None))
    for order in listed[:TRIED]:
        try:
            table.engine.reply(order)
        except Rejected:
            continue
        return True
    return False


def quiet_first(options: Sequence[Plain]) -> list[Plain]:
    """`done` first, then what says no, then the others as they are listed."""

    def loudness(order: Plain) -> int:
        return 0 if order == DONE else 1 if does_nothing(order) else 2

    return sorted(options, key=loudness)


class Ahead(Struct, frozen=True):
    """A question of the same turn that may be asked behind a file, with the table as it may stand then.

    `seat`: as a step of the file's plan names it, empty where it need not.
    """

    table: Table
    ask: Ask | Commit
    seat: str
    shape: Form

    @property
    def at(self) -> str:
        """The question as a step of the file's plan names it."""
        return name_of(self.ask)

    def form(self) -> Form:
        """What may be picked."""
        return self.shape

    def step(self, partial: Partial) -> Step:
        """What may be picked next."""
        return self.shape.step(partial)


def ahead(desk: Desk) -> Ahead | None:
    """The next question that a plan may answer and that of the file does not yet; None where none can be foreseen."""
    start, table = desk.start, desk.table
    game, player, since = table.game, desk.player, part_of(start)
    stretch, drawn = game.stretch(start.engine.state), drawn_from(table, 0)
    for _ in range(MOST):
        go_on(drawn)
        if drawn.result is not None or part_of(drawn) != since or game.stretches_since(drawn.engine.state, stretch) != 0:
            return None
        ask = question_of(drawn, drawn.due.player)
        if ask is None or drawn.engine.request is not ask:
            return None
        if drawn.due.player == player and name_of(ask) in game.plannable:
            seat = "" if ask.seat == seat_of(start.engine.request) else ask.seat
            return Ahead(drawn, ask, seat, form_at(drawn, ask, desk.knowledge_at(drawn)))
        if isinstance(ask, Commit) or not answered(drawn, ask):
            return None
    return None
