"""Deadlines: what a charter says of them, and the shapes of the slips by which a file is claimed and ruled overdue (SPEC 9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol import names, schema
from pbem.protocol.outcomes import unreadable

CONSEQUENCES = ("nothing", "stand-in", "substitute", "loss")
_TIME = re.compile(r"(0|[1-9][0-9]{0,3})([hd])")
_HOURS = {"h": 1, "d": 24}
_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


@schema.described({"type": "string", "pattern": f"^{_TIME.pattern}$"})
def span(value: Plain) -> str:
    """A number of hours or days: 72h, 3d."""
    return "" if isinstance(value, str) and _TIME.fullmatch(value) else "hours or days are needed, such as 72h or 3d"


@schema.described({"type": "string", "pattern": f"^{_STAMP.pattern}$"})
def stamp(value: Plain) -> str:
    """A time of receipt, UTC. Nobody believes it."""
    return "" if isinstance(value, str) and _STAMP.fullmatch(value) else "a time like 2025-01-31T18:00:00Z is needed"


SHAPE = schema.record({"after": span, "grace": span, "then": schema.one_of(*CONSEQUENCES)})
SLIPS: dict[str, dict[str, schema.Check]] = {
    "overdue": {"place": schema.number(1, 10**6), "due": names.name, "since": stamp},
    "ruling": {
        "place": schema.number(1, 10**6),
        "then": schema.one_of(*CONSEQUENCES),
        "claim": schema.map_of(schema.anything),
    },
}


class Overdue(Struct, frozen=True):
    """How many hours a player may take, how many more after a claim, and what follows."""

    after: int
    grace: int
    then: str

    @classmethod
    def read(cls, plain: Mapping[str, Any] | None) -> Overdue | None:
        """What a charter says under `overdue`; None where it says nothing."""
        return cls(hours(plain["after"]), hours(plain["grace"]), str(plain["then"])) if plain else None


def hours(text: str) -> int:
    """The hours of `72h` or `3d`."""
    found = _TIME.fullmatch(text)
    assert found is not None  # judged by `span`
    return int(found[1]) * _HOURS[found[2]]


def chosen(after: str, grace: str, then: str) -> dict[str, Plain] | None:
    """What a new charter says under `overdue`; `none`: no deadline. Raises ProtocolError (unreadable)."""
    if after in ("", "none"):
        return None
    plain: dict[str, Plain] = {"after": after, "grace": grace, "then": then}
    if SHAPE(plain):
        raise unreadable(msg("deadline: {shape}", shape=SHAPE(plain)))
    return plain
