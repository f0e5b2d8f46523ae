"""[7.5.2, 11.0, 6.5.1.2, 9.8.1] Smaller questions pick by pick: mines, replacements, where helicopters flee to, retreats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pbem.games.next_war.orders import read_places, read_unit
from pbem.games.next_war.picks import hex_of, hex_word, known, label, line_of, numbers, place_pick, unit_picks
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.picking import MANY, Field, Fields, Said, Taken, Verbs
from pbem.kernel.questions import NONE
from pbem.kernel.wording import msg


def sweeps(g: State, verbs: Sequence[str], mines: Sequence[int], most: int, read: Read) -> Form:
    """[7.5.2] Mine markers; nothing picked is none."""

    def said(body: Plain) -> Said:
        return {} if body == NONE else {"to": [label(g, h) for h in read_places(g, body)]}

    field = Field("to", lambda _: [place_pick(g, "to", h) for h in mines], 0, most)
    gesture = Fields((field,), lambda taken: {"sweep": [*taken.all("to")] or NONE}, said, read)
    return Verbs(read, verbs, {"sweep": gesture}, bare=("sweep",), line=line_of(read))


def flees(g: State, bases: Sequence[int], may_stay: bool, escort: int, read: Read) -> Form:
    """[6.5.1.2] A base, with or without escort; nothing picked: the helicopter stays, where it may."""

    def make(taken: Taken) -> Plain:
        if not taken.one("to"):
            return {"flee": NONE}
        body: dict[str, Plain] = {"to": taken.one("to")}
        return {"flee": {**body, "escort": int(taken.one("number"))} if taken.one("number") else taken.one("to")}

    def said(body: Plain) -> Said:
        if body == NONE:
            return {}
        f = known(body, ("to", "escort")) if isinstance(body, str | dict) else {"to": body}
        number = [str(f["escort"])] if str(f.get("escort", 0)) != "0" else []
        return {"to": [hex_word(g, f["to"] if "to" in f else f.get("units"))], "number": number}

    fields = (
        Field("to", lambda _: [place_pick(g, "to", h, leads=("base",)) for h in bases], 0 if may_stay else 1),
        Field("number", lambda taken: numbers(escort) if taken.one("to") else (), 0),
    )
    return Verbs(read, ("flee",), {"flee": Fields(fields, make, said, read)}, line=line_of(read))


def replacements(
    g: State, side: str, verbs: Sequence[str], wanting: Sequence[str], places: Callable[[str], Sequence[int]], read: Read
) -> Form:
    """[11.0] Units that recover a step where they stand, eliminated ones that come back, and where."""

    def on_map(taken: Taken) -> list[Pick]:
        return unit_picks(g, "unit", (u for u in wanting if g.pieces[u].at))

    def gone(taken: Taken) -> list[Pick]:
        return unit_picks(g, "unit", (u for u in wanting if not g.pieces[u].at))

    def recovering(body: Plain) -> Said:
        return {"unit": [read_unit(g, body, side)]}

    def rebuilt(body: Plain) -> Said:
        f = known(body, ("at",))
        return {"unit": [read_unit(g, f.get("units"), side)], "to": [hex_word(g, f.get("at"))]}

    recover = Fields((Field("unit", on_map),), lambda taken: {"recover": taken.one("unit")}, recovering, read)
    rebuild = Fields(
        (Field("unit", gone), Field("to", lambda taken: [place_pick(g, "to", h) for h in places(taken.one("unit"))])),
        lambda taken: {"rebuild": {"units": taken.one("unit"), "at": taken.one("to")}},
        rebuilt,
        read,
    )
    return Verbs(read, verbs, {"recover": recover, "rebuild": rebuild}, line=line_of(read))


# -- retreats -----------------------------------------------------------------------------------------------------------


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
