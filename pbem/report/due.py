"""What is asked next, and of whom."""

from __future__ import annotations

from pbem.games.parts import Words
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.kernel.wording import Argument, Message, msg
from pbem.report import deadlines
from pbem.runtime.table import Table
from pbem.store.dues import sealed_in


def due_message(words: Words, table: Table) -> Message:
    """Who has to send what, or how the game ended."""
    result, due = table.result, table.due
    if result is not None:
        reason = deadlines.reason(table) or result.reason
        if result.winner is None:
            return msg("The game is over, a draw: {reason}.", reason=reason)
        return msg("The game is over. Winner: {side} ({reason}).", side=words.SIDES[result.winner], reason=reason)
    who: Argument = msg("{player} ({seat})", player=due.player, seat=words.SEATS[due.seat]) if due.seat else due.player
    match due.what:
        case "witness":
            return msg("{who} has to send a file that turns the dice.", who=who)
        case "start":
            return msg("{who} has to send the opening file.", who=who)
        case "open":
            if seq := sealed_in(due):  # its handle tells people nothing
                return msg("{who} has to show what was sealed in file {seq}.", who=who, seq=seq)
            handle = drawn_told(table, str(due.detail)) or due.detail
            return msg("{who} has to show {handle}.", who=who, handle=handle)
        case "claim":
            return msg("{who} has to state: {detail}.", who=who, detail=due.detail)
        case "seal":
            return msg("{who} has to send a sealed order: {detail}.", who=who, detail=_about(words, table))
        case "accept":
            return msg("{who} has to answer an offer.", who=who)
    return msg("{who} has to send orders: {detail}.", who=who, detail=_about(words, table))


def drawn_told(table: Table, handle: str) -> Message | None:
    """Where something was drawn or rolled in secret, by its handle; None: it was not."""
    made = table.ledger.draw_of(handle)
    if made is None:
        return None
    if made.sides:
        return msg("{label}, rolled in secret in file {seq}", label=made.told, seq=made.seq)
    return msg("what was drawn unseen in file {seq}", seq=made.seq)


def _about(words: Words, table: Table) -> Argument:
    request = table.engine.request
    ask = request.asks[0] if isinstance(request, Simultaneous) else request
    known = words.ASKED.get(ask.kind) if isinstance(ask, Ask | Commit) else None
    return known or table.due.detail
