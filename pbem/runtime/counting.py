"""How many files a turn still takes: a table played on with drawn dice, by what is in force, from what everybody knows.

A question that nothing answers is a file by hand of its player; more questions to the same player are in the same file as
long as no die stands between. It gets its default, or else the answer that does least. A turn in which something hidden has
to be shown is counted up to there.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.canon import Plain, sha256_hex
from pbem.kernel.dataclass import dataclass
from pbem.kernel.flow import Ask
from pbem.kernel.notation import order_text
from pbem.kernel.orders import Rejected, verb_of
from pbem.kernel.questions import DONE, NONE
from pbem.kernel.records import to_plain
from pbem.kernel.standing import read_clauses
from pbem.runtime.asked import proposals, question_of
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import StandingOrder
from pbem.runtime.table import Table

MOST = 40  # files that are counted
TRIED = 12  # answers to a question before it counts as one that nobody can guess
QUIET = ("no", "pass", "hold", "stay", NONE)  # words of orders that do nothing


@dataclass(frozen=True, slots=True)
class Counted:
    """One way in which the turn may go on: each file by hand as its player and the kind of question that forces it.

    `whole`: it was played to the turn's end.
    """

    files: tuple[tuple[str, str], ...]
    whole: bool


class _Drawn(Table):
    """A table whose dice come from a number, at once: nobody has to show a link."""

    number = 0

    def seed(self) -> bytes:
        return bytes.fromhex(sha256_hex(f"{self.number} {len(self.ledger.rolled)} {len(self.ledger.draws)}".encode()))


def counted(table: Table, since: Plain, number: int, supposed: Sequence[tuple[str, str, Plain]] = ()) -> Counted:
    """The files by hand until the turn `since` (`part_of` it) is over. `number`: of the dice.

    `supposed`: player, kind and, as in a file, standing orders that are taken to be in force where there is none.
    """
    drawn = _Drawn(table.charter, table.module, table.engine.fork(), table.ledger.fork(), table.due)
    drawn.number, drawn.ledger.source = number, table.last
    drawn.ledger.standing[:0] = [
        StandingOrder(0, player, kind, [to_plain(clause) for clause in read_clauses(kind, plain)])
        for player, kind, plain in supposed
    ]
    files, last = list[tuple[str, str]](), ("", -1)
    drawn.advance(Hand("", table.last))
    while drawn.result is None and part_of(drawn) == since and len(files) < MOST:
        due, rolled = drawn.due, len(drawn.ledger.rolled)
        ask = question_of(drawn, due.player)
        if due.what != "orders" or not isinstance(ask, Ask):
            return Counted(tuple(files), whole=False)
        if (due.player, rolled) != last:
            files.append((due.player, ask.kind))
        last = (due.player, rolled)
        if not _answered(drawn, ask):
            return Counted(tuple(files), whole=False)
        drawn.advance(Hand("", table.last))
    return Counted(tuple(files), whole=len(files) < MOST)


def part_of(table: Table) -> Plain:
    """The turn at hand, of whoever is at play."""
    state = table.engine.state
    return [table.game.words().turn(state), table.game.own_turn(state)]


def _answered(table: Table, ask: Ask) -> bool:
    """The default, or the answer that does least, is given. False: none of those tried stands."""
    listed = [ask.default] if ask.default is not None else _by_quiet(proposals(table, ask, None))
    for order in listed[:TRIED]:
        try:
            table.engine.reply(order)
        except Rejected:
            continue
        return True
    return False


def _by_quiet(options: Sequence[Plain]) -> list[Plain]:
    """`done` first, then what says no, then the others as they are listed."""

    def loudness(order: Plain) -> int:
        says_no = verb_of(order) in QUIET or order_text(order).rpartition(": ")[2] in QUIET
        return 0 if order == DONE else 1 if says_no else 2

    return sorted(options, key=loudness)
