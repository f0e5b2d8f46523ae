"""[9.8.1] A retreat pick by pick: the hex, by air or aboard which ship; over which hexes where there are several ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pbem.games.next_war.orders import read_places, read_unit
from pbem.games.next_war.picks import hex_of, hex_word, known, label, place_pick, unit_picks
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.picking import MANY, Field, Fields, Said, Taken, Verbs
from pbem.kernel.wording import msg

AIR = "air "  # before the base in a pick of a flight


class Way(Protocol):
    """A retreat: its hexes, the ship that takes the unit aboard, or a flight."""

    @property
    def path(self) -> tuple[int, ...]: ...

    @property
    def ship(self) -> str: ...

    @property
    def air(self) -> bool: ...


def retreats(g: State, side: str, ways: Sequence[Way], read: Read) -> Form:
    """The form of the retreat of one unit."""
    ground = [w.path for w in ways if not w.air and not w.ship]

    def ends(_: Taken) -> list[Pick]:
        flights = [place_pick(g, "to", w.path[-1], msg("by air"), ("retreat",)) for w in ways if w.air]
        return [
            *(place_pick(g, "to", h, leads=("retreat",)) for h in dict.fromkeys(p[-1] for p in ground)),
            *(Pick(p.slot, AIR + p.value, p.name, p.at, cost=p.cost, leads=p.leads) for p in flights),
            *unit_picks(g, "to", (w.ship for w in ways if w.ship)),
        ]

    def between(taken: Taken) -> list[Pick]:
        goal = hex_of(g, taken.one("to"))
        paths = [p for p in ground if p[-1] == goal]
        return [place_pick(g, "via", h) for h in dict.fromkeys(h for p in paths for h in p[1:-1])]

    def make(taken: Taken) -> Plain:
        to, via = taken.one("to"), taken.all("via")
        if to.startswith(AIR):
            return {"retreat": {"to": to.removeprefix(AIR), "by": "air"}}
        if not hex_of(g, to):
            return {"retreat": {"on": to}}
        return {"retreat": {"to": to, "via": [*via]} if via else {"to": to}}

    def said(body: Plain) -> Said:
        f = known(body, ("to", "via", "on", "by"))
        if "on" in f:
            return {"to": [read_unit(g, f["on"], side)]}
        to = hex_word(g, f.get("to"))
        via = [label(g, h) for h in read_places(g, f["via"])] if "via" in f else []
        return {"to": [AIR + to if f.get("by") == "air" else to], "via": via}

    gesture = Fields((Field("to", ends), Field("via", between, 0, MANY)), make, said, read)
    return Verbs(read, ("retreat",), {"retreat": gesture}, bare=("retreat",))
