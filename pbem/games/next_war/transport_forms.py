"""[8.5.2 to 8.5.5, 6.5.1.2] Movement by air pick by pick: transport, drops, lifts, helicopters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pbem.games.next_war.air_missions import check_limit
from pbem.games.next_war.air_transport import check_drop_hex
from pbem.games.next_war.airmobile import check_airmobile_hex, check_points, own_wings
from pbem.games.next_war.board import distance
from pbem.games.next_war.helicopters import room
from pbem.games.next_war.obstacles import hostile_place
from pbem.games.next_war.orders import read_unit
from pbem.games.next_war.picks import (
    hex_of,
    hex_word,
    known,
    numbers,
    own_units,
    place_pick,
    starts,
    unit_picks,
    where,
)
from pbem.games.next_war.searches import reach
from pbem.games.next_war.stacking import halves
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Pick, Read
from pbem.kernel.orders import Rejected
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken, no_budget
from pbem.kernel.wording import Message, msg

A = TypeVar("A", int, str)
LIFTED = 24  # [8.5.4.3] hexes


@dataclass(frozen=True, slots=True)
class Kind:
    """A mission by air: the key of the hex that is entered after landing, that of a base or ship, who flies, where to.

    `check`: some units are not too many of them. Raises Rejected.
    """

    verb: str
    after: str
    by: str
    units: Callable[[], list[str]]
    ends: Callable[[Taken], Iterable[int]]
    trusted: bool = True
    check: Callable[[Sequence[str]], object] = no_budget
    budget: Callable[[Taken], Message] = no_budget


def flights(g: State, side: str, read: Read, may: Callable[[str], bool]) -> dict[str, Gesture]:
    """Every kind of movement by air."""

    def waiting() -> list[str]:
        return [] if g.storm else [u for u in g.on_map(side, "ground") if u not in g.moved and may(u)]

    def ashore(fits: Callable[[str], bool]) -> list[str]:
        return [u for u in waiting() if not g.pieces[u].aboard and fits(u)]

    def based(unit: str) -> bool:
        return g.base(side, g.pieces[unit].at)

    def dropped(taken: Taken) -> Iterable[int]:
        return legal(g.board.hexes, lambda h: check_drop_hex(g, side, h))

    def landed(taken: Taken) -> Iterable[int]:
        start = _start(g, taken)
        near = sorted((distance(start, h), h) for h in g.board.within(start, LIFTED) if h != start)
        return legal((h for _, h in near), lambda h: check_airmobile_hex(g, side, h))

    def on_foot(unit: str) -> bool:
        return based(unit) and (g.values(unit).mobility in ("leg", "li") or g.counter(unit).airborne)

    def jumps(unit: str) -> bool:
        return based(unit) and g.counter(unit).airborne and not g.counter(unit).airmobile

    def flown(taken: Taken) -> Iterable[int]:
        start = _start(g, taken)
        return (h for h in g.board.bases if h != start and g.base(side, h))

    def capable(unit: str) -> bool:
        return g.counter(unit).yellow

    def limited(name: str) -> Callable[[Sequence[str]], object]:
        return lambda units: check_limit(g, side, name, units, "8.5")

    def lifted(units: Sequence[str]) -> object:
        return check_points(g, side, units)

    kinds = (
        Kind("fly", "then", "", lambda: ashore(on_foot), flown, False, limited("air_transport_limit")),
        Kind("drop", "clear", "", lambda: ashore(jumps), dropped, check=limited("airborne_limit")),
        Kind("lift", "clear", "base", lambda: ashore(capable), landed, True, lifted, _lift_points(g, side)),
        Kind("marine-lift", "clear", "by", lambda: [u for u in waiting() if g.counter(u).marine], landed),
    )
    found: dict[str, Gesture] = {k.verb: _mission(g, side, read, k) for k in kinds}
    return {**found, "rebase": _rebase(g, side, read)}


def legal(places: Iterable[A], check: Callable[[A], object]) -> Iterator[A]:
    """Those of some places, or units, that a check of the rules lets pass."""
    for place in places:
        try:
            check(place)
        except Rejected:
            continue
        yield place


def _start(g: State, taken: Taken) -> int:
    return g.pieces[taken.all("unit")[0]].at


def _lift_points(g: State, side: str) -> Callable[[Taken], Message]:
    """[8.5.4.1] What the picked units need, and what is there."""

    def told(taken: Taken) -> Message:
        need = g.stack_points([u for u in taken.all("unit") if not own_wings(g, u)])
        return msg("Airmobile Points needed: {needed}; left: {left}", needed=halves(need), left=halves(g.lift[side]))

    return told


def _mission(g: State, side: str, read: Read, kind: Kind) -> Fields:
    def units(taken: Taken) -> list[Pick]:
        there = (u for u in kind.units() if where(g, u) == taken.one("at"))
        return unit_picks(g, "unit", legal(there, lambda u: kind.check([*taken.all("unit"), u])))

    def carriers(taken: Taken) -> list[Pick]:
        if kind.by == "by":
            return unit_picks(g, "by", (u for u in g.on_map(side, "AMPH") if g.counter(u).lift))
        near = (h for h in g.board.bases if g.base(side, h) and distance(h, _start(g, taken)) <= LIFTED)
        return [place_pick(g, "with", h) for h in near]

    def ends(taken: Taken) -> Iterable[Pick]:
        return (place_pick(g, "to", h, leads=("land",)) for h in kind.ends(taken))

    def after(taken: Taken) -> list[Pick]:
        to = hex_of(g, taken.one("to"))
        near = reach(g, side, taken.all("unit"), to, (), 2).ends() if kind.after == "then" else g.board.land_near[to]
        return [place_pick(g, "target", h) for h in near if kind.after == "then" or hostile_place(g, side, h)]

    escort = Field("number", lambda _: numbers(min(2, g.air[side])), 0)
    ship = (Field("by", carriers),) if kind.by == "by" else ()
    base = (Field("with", carriers, 0),) if kind.by == "base" else ()
    fields = (
        Field("at", lambda _: starts(g, kind.units())),
        Field("unit", units, most=MANY),
        *(*ship, Field("to", ends, trusted=kind.trusted), escort),
        *(Field("target", after, 0, trusted=kind.after == "then"), *base),
    )
    return Fields(fields, lambda taken: _order(kind, taken), lambda body: _said(g, side, kind, body), read, kind.budget)


def _order(kind: Kind, taken: Taken) -> Plain:
    body: dict[str, Plain] = {"units": [*taken.all("unit")], "to": taken.one("to")}
    if taken.one("number"):
        body["escort"] = int(taken.one("number"))
    if taken.one("target"):
        body[kind.after] = taken.one("target")
    if taken.one("with") or taken.one("by"):
        body[kind.by] = taken.one("with") or taken.one("by")
    return {kind.verb: body}


def _said(g: State, side: str, kind: Kind, body: Plain) -> Said:
    keys = ("from", "to", "escort", kind.after, *([kind.by] if kind.by else []))
    f = known(body, keys)
    units = own_units(g, side, f.get("units"))
    found = {"at": [where(g, units[0])], "unit": units, "to": [hex_word(g, f.get("to"))]}
    if str(f.get("escort", 0)) != "0":
        found["number"] = [str(f["escort"])]
    if kind.after in f:
        found["target"] = [hex_word(g, f[kind.after])]
    if kind.by in f:
        found |= {"by": [read_unit(g, f["by"], side)]} if kind.by == "by" else {"with": [hex_word(g, f["base"])]}
    return found


# -- helicopters -----------------------------------------------------------------------------------------------------------


def _rebase(g: State, side: str, read: Read) -> Fields:
    """[6.5.1.2] A helicopter, then a hex with room or an AMPH."""

    def able() -> list[str]:
        return [u for u in g.on_map(side, "helo") if u not in g.moved and u not in g.grounded and not g.missions.get(u)]

    def ends(taken: Taken) -> list[Pick]:
        helo = taken.one("unit")
        near = g.board.within(g.pieces[helo].at, 2 * g.counter(helo).range)
        bases = [place_pick(g, "to", h, leads=("base",)) for h in near if room(g, side, h) > 0]
        return bases + (unit_picks(g, "to", g.on_map(side, "AMPH")) if g.counter(helo).usmc else [])

    def make(taken: Taken) -> Plain:
        key = "on" if taken.one("to") in g.board.counters else "to"
        body: dict[str, Plain] = {"units": taken.one("unit"), key: taken.one("to")}
        return {"rebase": {**body, "escort": int(taken.one("number"))} if taken.one("number") else body}

    def said(body: Plain) -> Said:
        f = known(body, ("to", "on", "escort"))
        (helo, *_) = own_units(g, side, f.get("units"))
        to = read_unit(g, f["on"], side) if "on" in f else hex_word(g, f.get("to"))
        number = [str(f["escort"])] if str(f.get("escort", 0)) != "0" else []
        return {"at": [where(g, helo)], "unit": [helo], "to": [to], "number": number}

    fields = (
        Field("at", lambda _: starts(g, able())),
        Field("unit", lambda taken: unit_picks(g, "unit", (u for u in able() if where(g, u) == taken.one("at")))),
        Field("to", ends),
        Field("number", lambda _: numbers(min(2, g.air[side])), 0),
    )
    return Fields(fields, make, said, read)
