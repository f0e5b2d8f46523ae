"""How well a bot plays, counted in what it weighs and never in seconds: the same seed and level, the same orders everywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from pbem.bots.advice import Advice
from pbem.kernel.hashing import canonical_record

FACES = 6
SECOND, THIRD = 3, 5  # from which draw of six on an easy bot takes its second and third best idea


def slip(found: Sequence[Advice], position: object, name: str, seed: int) -> Advice | None:
    """The idea that an easy bot follows: its best one half the time, else the second or third; None where it has none.

    It is drawn from the seed, a name and the position, so that it stays the same however often it is asked.
    """
    if not found:
        return None
    text = f"{seed} {name} ".encode() + canonical_record(position)
    drawn = int.from_bytes(hashlib.sha256(text).digest()[:6], "big") % FACES
    number = 2 if drawn >= THIRD else 1 if drawn >= SECOND else 0
    return found[min(number, len(found) - 1)]
