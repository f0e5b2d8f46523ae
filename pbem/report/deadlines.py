"""Claims that a file is overdue, and what follows from them, as sentences of a report."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.parts import Words
from pbem.kernel.wording import Argument, Message, msg
from pbem.runtime import overdue
from pbem.runtime.ledger import Claimed, Ruled
from pbem.runtime.table import Table

THEN = {
    "nothing": msg("nothing follows"),
    "stand-in": msg("the umpire stands in for a link that is due"),
    "substitute": msg("somebody else may take the seat"),
    "loss": msg("the side has lost"),
}


def remarks(words: Words, table: Table) -> Iterator[Message]:
    """Who claims which file, what the umpire asks for, what is not confirmed yet, what was ruled."""
    for claim in overdue.standing(table):
        yield from _claimed(words, table, claim)
    for ruled in overdue.holding(table, table.ledger.rulings):
        yield from _ruled(table, ruled)


def _claimed(words: Words, table: Table, claim: Claimed) -> Iterator[Message]:
    about: dict[str, Argument] = {"by": claim.by, "player": claim.due, "file": claim.place, "since": claim.since}
    if claim.by == table.charter.umpire_name:
        yield msg("The umpire {by} asks {player} for file {file}, due since {since} by his clock.", **about)
        return
    yield msg("{by} claims that file {file} of {player} is overdue, due since {since} by his clock.", **about)
    agreed = table.charter.overdue
    if agreed is None or table.charter.umpire_name or agreed.then == "nothing":
        return
    side = words.SIDES[table.side_of(claim.due)]
    yield msg("Claimed, not confirmed: {then} ({player}, {side}).", then=THEN[agreed.then], player=claim.due, side=side)


def _ruled(table: Table, ruled: Ruled) -> Iterator[Message]:
    about: dict[str, Argument] = {"by": ruled.by, "player": ruled.due, "file": ruled.place, "then": THEN[ruled.then]}
    if not table.charter.umpire_name:
        yield msg("{by} confirms that file {file} of {player} is overdue: {then}.", **about)
        return
    yield msg("The umpire {by} rules that file {file} of {player} is overdue: {then}.", **about)
    if ruled.place <= table.last:
        yield msg("File {file} has come; the umpire may lift his ruling.", file=ruled.place)


def reason(table: Table) -> Message | None:
    """Why the game is over, where a ruling ended it."""
    if table.ended is not None:
        return None
    held = [r for r in overdue.holding(table, table.ledger.rulings) if r.then == "loss"]
    return msg("file {file} of {player} never came", file=held[0].place, player=held[0].due) if held else None
