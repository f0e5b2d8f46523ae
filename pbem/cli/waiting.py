"""A file that holds no decision may wait for the orders of its player: what it shows, and that it is not sent yet."""

from __future__ import annotations

from pbem.cli.speech import speak
from pbem.runtime.composing import Composed
from pbem.store.session import Session


def told(session: Session, composed: Composed | None) -> list[str]:
    """The dice that such a file (`Session.asked_behind`) will show, and how it is sent; nothing where none waits."""
    if composed is None:
        return []
    behind = composed.table.ledger.rolled[len(session.table.ledger.rolled) :]
    dice = [speak("{label}: {dice}", label=rolled.label, dice=", ".join(map(str, rolled.dice))) for rolled in behind]
    waits = speak("this file waits for your orders: `pbem orders` drafts them; `pbem receive` without --wait sends it alone")
    return [*dice, waits]
