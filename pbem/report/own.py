"""What a player alone knows of his pieces on the board, in tables of the games that hide some."""

from __future__ import annotations

from pbem.games.parts import Words
from pbem.kernel.wording import Overview
from pbem.runtime.asked import question_of
from pbem.runtime.knowledge import Knowledge, Unknown
from pbem.runtime.table import Table


def own_overviews(words: Words, knowledge: Knowledge, table: Table) -> tuple[Overview, ...]:
    """The tables of every seat of this player; nothing where a seal was handed over without its key."""
    try:
        seats = table.charter.seats_of(knowledge.player)
        ask = question_of(table, knowledge.player)
        asked = {ask.seat: ask.kind} if ask is not None else {}
        g, reveal = table.engine.state, knowledge.reveal
        return tuple(one for seat in seats for one in words.own(g, seat, reveal, asked.get(seat, "")))
    except Unknown:
        return ()
