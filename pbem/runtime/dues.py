"""Who has to send what."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kernel.wording import NO_WORDS, Message


@dataclass(frozen=True, slots=True)
class Due:
    """Who has to send what. `what`: orders, witness, open, claim, seal, draws (new draw keys), accept, start, or nothing."""

    player: str
    what: str
    seat: str = ""
    detail: Message = NO_WORDS
    rule: str = ""


NOTHING = Due("", "nothing")
AUTOMATIC = ("witness", "open", "claim", "start", "draws")  # nothing in these is a decision
