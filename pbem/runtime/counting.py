"""How many files a turn still takes: a table played on with drawn dice, by what is in force, from what everybody knows.

A question that nothing answers is a file by hand of its player; more questions to the same player are in the same file as
long as no die stands between. It gets its default, or else the answer that does least. A turn in which something hidden has
to be shown is counted up to there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.records import to_plain
from pbem.kernel.standing import read_clauses
from pbem.runtime.ahead import answered, drawn_from, go_on, part_of
from pbem.runtime.asked import question_of
from pbem.runtime.ledger import StandingOrder
from pbem.runtime.table import Table

MOST = 40  # files that are counted


@dataclass(frozen=True, slots=True)
class Counted:
    """One way in which the turn may go on: each file by hand as its player and the kind of question that forces it.

    `whole`: it was played to the turn's end.
    """

    files: tuple[tuple[str, str], ...]
    whole: bool


def counted(table: Table, since: Plain, number: int, supposed: Sequence[tuple[str, str, Plain]] = ()) -> Counted:
    """The files by hand until the turn `since` (`part_of` it) is over. `number`: of the dice.

    `supposed`: player, kind and, as in a file, standing orders that are taken to be in force where there is none.
    """
    drawn = drawn_from(table, number)
    drawn.ledger.standing[:0] = [
        StandingOrder(0, player, kind, [to_plain(clause) for clause in read_clauses(kind, plain)])
        for player, kind, plain in supposed
    ]
    files, last = list[tuple[str, str]](), ("", -1)
    go_on(drawn)
    while drawn.result is None and part_of(drawn) == since and len(files) < MOST:
        due, rolled = drawn.due, len(drawn.ledger.rolled)
        ask = question_of(drawn, due.player)
        if due.what != "orders" or not isinstance(ask, Ask):
            return Counted(tuple(files), whole=False)
        if (due.player, rolled) != last:
            files.append((due.player, ask.kind))
        last = (due.player, rolled)
        if not answered(drawn, ask):
            return Counted(tuple(files), whole=False)
        go_on(drawn)
    return Counted(tuple(files), whole=len(files) < MOST)
