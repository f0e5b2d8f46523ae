"""Agreed slots: times of the day at which files with decisions leave, so that their speed shows nothing (SPEC 3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol import schema
from pbem.protocol.outcomes import unreadable

MOST = 48  # slots of a day
DAY = 24 * 60
_SLOT = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")


@schema.described({"type": "string", "pattern": f"^{_SLOT.pattern}$"})
def slot(value: Plain) -> str:
    """A time of the day, UTC: 06:00."""
    return "" if isinstance(value, str) and _SLOT.fullmatch(value) else "a time of the day is needed, such as 06:00"


SHAPE = schema.record({"slots": schema.list_of(slot, MOST, least=1)})


class Pace(Struct, frozen=True):
    """The slots of a day, in minutes from midnight UTC."""

    slots: tuple[int, ...]

    @classmethod
    def read(cls, plain: Mapping[str, Any] | None) -> Pace | None:
        """What a charter says under `pace`; None where it says nothing. Raises ProtocolError where slots are out of order."""
        if not plain:
            return None
        minutes = tuple(int(text[:2]) * 60 + int(text[3:]) for text in plain["slots"])
        if any(one >= other for one, other in pairwise(minutes)):
            raise unreadable(msg("the slots of `pace` are in order of time, each once"))
        return cls(minutes)

    @property
    def times(self) -> list[str]:
        """The slots as a charter writes them."""
        return [f"{minute // 60:02}:{minute % 60:02}" for minute in self.slots]

    @property
    def longest(self) -> int:
        """The minutes of the longest wait from one slot to the next."""
        following = (*self.slots[1:], self.slots[0] + DAY)
        return max(other - one for one, other in zip(self.slots, following, strict=True))


def chosen(slots: str) -> dict[str, Plain] | None:
    """What a new charter says under `pace`, of times by commas; "" or `none`: nothing. Raises ProtocolError (unreadable)."""
    if slots in ("", "none"):
        return None
    plain: dict[str, Plain] = {"slots": [*sorted({part.strip() for part in slots.split(",")})]}
    if SHAPE(plain):
        raise unreadable(msg("slots: {shape}", shape=SHAPE(plain)))
    return plain
