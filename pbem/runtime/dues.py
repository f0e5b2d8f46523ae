"""Who has to send what."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.wording import NO_WORDS, Message, msg


class Due(Struct, frozen=True):
    """Who has to send what. `what`: orders, witness, open, claim, seal, draws (new draw keys), accept, start, or nothing."""

    player: str
    what: str
    seat: str = ""
    detail: Message = NO_WORDS
    rule: str = ""


NOTHING = Due("", "nothing")
AUTOMATIC = ("witness", "open", "claim", "start", "draws")  # nothing in these is a decision
SENDS = {
    "orders": msg("{player} has to send orders"),
    "witness": msg("{player} has to send a file that turns the dice"),
    "start": msg("{player} has to send the opening file"),
    "draws": msg("{player} has to send new draw keys"),
    "open": msg("{player} has to send an opening"),
    "claim": msg("{player} has to send a statement"),
    "seal": msg("{player} has to send a sealed order"),
    "accept": msg("{player} has to send an answer to an offer"),
}


def sends(due: Due) -> Message:
    """Who has to send what, without what it is about."""
    return replace(SENDS[due.what], args={"player": due.player})
