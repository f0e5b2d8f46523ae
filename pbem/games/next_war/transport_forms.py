"""[8.5.2 to 8.5.8, 6.5.1.2, 7.5] Movement by air and by sea pick by pick: transport, lifts, helicopters, ships and cargo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pbem.games.next_war.air_missions import check_limit
from pbem.games.next_war.air_transport import check_drop_hex
from pbem.games.next_war.airmobile import check_airmobile_hex, check_points, own_wings
from pbem.games.next_war.board import distance
from pbem.games.next_war.choices import Spot
from pbem.games.next_war.helicopters import room
from pbem.games.next_war.naval import check_zones, route, spot_of
from pbem.games.next_war.obstacles import hostile_place
from pbem.games.next_war.orders import read_unit
from pbem.games.next_war.picks import (
    Notation,
    hex_of,
    known,
    numbers,
    of_stack,
    own_units,
    place_picks,
    spot_at,
    spot_pick,
    spot_words,
    stack,
    unit_picks,
    where,
)
from pbem.games.next_war.sealift import harbour
from pbem.games.next_war.searches import reach
from pbem.games.next_war.stacking import halves
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Pick
from pbem.kernel.orders import Rejected
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken, no_budget
from pbem.kernel.wording import Message, msg

A = TypeVar("A", int, str)
Able = Callable[[], list[str]]
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


def flights(orders: Notation, may: Callable[[str], bool]) -> dict[str, Gesture]:
    """Every kind of movement by air."""
    g, side = orders.g, orders.side

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
    found: dict[str, Gesture] = {k.verb: _mission(orders, k) for k in kinds}
    return {**found, "rebase": _rebase(orders)}


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


def _mission(orders: Notation, kind: Kind) -> Fields:
    g, side = orders.g, orders.side

    def units(taken: Taken) -> list[Pick]:
        there = (u for u in kind.units() if where(g, u) == taken.one("at"))
        return unit_picks(g, "unit", legal(there, lambda u: kind.check([*taken.all("unit"), u])))

    def bases(taken: Taken) -> list[Pick]:
        near = (h for h in g.board.bases if g.base(side, h) and distance(h, _start(g, taken)) <= LIFTED)
        return place_picks(g, "with", near)

    def after(taken: Taken) -> list[Pick]:
        to = hex_of(g, taken.one("to"))
        near = reach(g, side, taken.all("unit"), to, (), 2).ends() if kind.after == "then" else g.board.land_near[to]
        return place_picks(g, "target", (h for h in near if kind.after == "then" or hostile_place(g, side, h)))

    ships = Field("by", lambda _: unit_picks(g, "by", (u for u in g.on_map(side, "AMPH") if g.counter(u).lift)))
    fields = [
        stack(g, kind.units),
        Field("unit", units, most=MANY),
        *([ships] if kind.by == "by" else []),
        Field("to", lambda taken: place_picks(g, "to", kind.ends(taken), "land"), trusted=kind.trusted),
        Field("number", lambda _: numbers(min(2, g.air[side])), 0),
        Field("target", after, 0, trusted=kind.after == "then"),
        *([Field("with", bases, 0)] if kind.by == "base" else []),
    ]
    words = {"unit": "units", "to": "to", "number": "escort", "target": kind.after}
    carried = {"by": "by"} if kind.by == "by" else {"with": "base"} if kind.by else {}
    return orders.order(kind.verb, fields, words | carried, kind.budget)


# -- helicopters -----------------------------------------------------------------------------------------------------------


def _rebase(orders: Notation) -> Fields:
    """[6.5.1.2] A helicopter, then a hex with room or an AMPH."""
    g, side = orders.g, orders.side

    def able() -> list[str]:
        return [u for u in g.on_map(side, "helo") if u not in g.moved and u not in g.grounded and not g.missions.get(u)]

    def ends(taken: Taken) -> list[Pick]:
        helo = taken.one("unit")
        near = g.board.within(g.pieces[helo].at, 2 * g.counter(helo).range)
        bases = place_picks(g, "to", (h for h in near if room(g, side, h) > 0), "base")
        return bases + (unit_picks(g, "to", g.on_map(side, "AMPH")) if g.counter(helo).usmc else [])

    def make(taken: Taken) -> Plain:
        return (aboard if taken.one("to") in g.board.counters else based).make(taken)

    def said(body: Plain) -> Said:
        ship = known(body, ("to", "on", "escort")).get("on")
        return based.said(body) if ship is None else {**aboard.said(body), "to": [read_unit(g, ship, side)]}

    escort = Field("number", lambda _: numbers(min(2, g.air[side])), 0)
    fields = [stack(g, able), of_stack(g, able, 1), Field("to", ends), escort]
    based, aboard = (orders.order("rebase", fields, {"unit": "units", "to": word, "number": "escort"}) for word in ("to", "on"))
    return replace(based, make=make, said=said)


# -- ships and their cargo --------------------------------------------------------------------------------------------------


def voyages(orders: Notation, may: Callable[[str], bool]) -> dict[str, Gesture]:
    """Every order about ships and what they carry."""
    g, side = orders.g, orders.side

    def ships() -> list[str]:
        return [] if g.storm else [u for u in g.board.ships[side] if u not in g.moved and g.area_of(u)]

    def transports() -> list[str]:
        return [u for u in ships() if g.counter(u).kind == "AMPH"]

    def ashore() -> list[str]:
        units = (u for u in g.on_map(side, "ground", "helo") if u not in g.moved and not g.pieces[u].aboard)
        return [u for u in units if harbour(g, side, g.pieces[u].at) and (not g.counter(u).ground or may(u))]

    def aboard() -> list[str]:
        return [u for u in g.pieces if g.seat(u) == side and g.pieces[u].aboard and u not in g.moved and g.counter(u).ground]

    def near(taken: Taken) -> list[int]:
        place, _ = spot_at(g, taken.one("at"))
        return [place, *g.board.near[place]] if place else []

    def vessels(taken: Taken) -> list[Pick]:
        there = near(taken)
        return unit_picks(g, "by", (u for u in transports() if g.pieces[u].at in there))

    def one_place(verb: str, places: Iterable[int]) -> Fields:
        return orders.order(verb, [Field("to", lambda _: place_picks(g, "to", places))], {"to": ""})

    def stacked(verb: str, able: Able, most: int, words: Mapping[str, str], *fields: Field) -> Fields:
        return orders.order(verb, [stack(g, able), of_stack(g, able, most), *fields], words)

    units, marines = {"unit": "units"}, lambda: [u for u in ashore() if g.counter(u).marine]
    beaches = Field("to", lambda taken: place_picks(g, "to", (h for h in near(taken) if g.board.hexes[h].land), "land"))
    return {
        "sail": _sail(orders, ships),
        "ship": _passage(orders, ashore),
        "embark": stacked("embark", marines, MANY, {**units, "by": "on"}, Field("by", vessels)),
        "disembark": stacked("disembark", aboard, MANY, {**units, "to": "to"}, beaches),
        "poise": _poise(orders, lambda: [u for u in transports() if g.cargo(u)]),
        "mine": stacked("mine", ships, 1, {**units, "to": "at"}, Field("to", lambda taken: place_picks(g, "to", near(taken)))),
        "submine": one_place("submine", _seas(g)),
        "remove-beachhead": one_place("remove-beachhead", g.beachheads),
        "convert": stacked("convert", ships, 1, {"unit": ""}),
    }


def _seas(g: State) -> list[int]:
    return sorted(h for places in g.board.seas.values() for h in places)


def _sail(orders: Notation, able: Able) -> Fields:
    g, side = orders.g, orders.side

    def ends(taken: Taken) -> list[Pick]:
        ports = [h for h in g.board.ports if g.own_port(side, h)]
        spots: list[Spot] = [*((0, a) for a in g.board.areas), *((h, "") for h in (*_seas(g), *ports))]
        here = spot_of(g, taken.all("unit")[0])
        return [spot_pick(g, "to", s) for s in spots if s != here]

    def make(taken: Taken) -> Plain:
        body: dict[str, Plain] = {"units": [*taken.all("unit")], "to": taken.one("to")}
        return {"sail": {**body, "via": ", ".join(taken.all("via"))} if taken.all("via") else body}

    def said(body: Plain) -> Said:
        f = known(body, ("from", "to", "via"))
        units = own_units(g, side, f.get("units"))
        via = [spot_words(g, part.strip()) for part in str(f["via"]).split(",")] if "via" in f else []
        return {"at": [where(g, units[0])], "unit": units, "via": via, "to": [spot_words(g, f.get("to"))]}

    def between(taken: Taken) -> Iterable[Pick]:
        units, passed = taken.all("unit"), [spot_at(g, w) for w in taken.all("via")]

        def entered(area: str) -> None:
            check_zones(g, units, route(g, side, spot_of(g, units[0]), (0, area), passed) or ())

        return [spot_pick(g, "via", (0, a)) for a in legal(g.board.areas, entered)]

    areas = Field("via", between, 0, MANY, trusted=True)
    return Fields((stack(g, able), of_stack(g, able, MANY), areas, Field("to", ends)), make, said, orders.read)


def _passage(orders: Notation, able: Able) -> Fields:
    g, side = orders.g, orders.side

    def ends(taken: Taken) -> list[Pick]:
        places = dict.fromkeys([*g.board.ports, *g.beachheads])
        return place_picks(g, "to", (h for h in places if harbour(g, side, h)), "land")

    def after(taken: Taken) -> list[Pick]:
        ground = [u for u in taken.all("unit") if g.counter(u).ground]
        to = hex_of(g, taken.one("to"))
        return place_picks(g, "target", reach(g, side, ground, to, (), 2).ends()) if ground else []

    fields = [stack(g, able), of_stack(g, able, MANY), Field("to", ends), Field("target", after, 0)]
    return orders.order("ship", fields, {"unit": "units", "to": "to", "target": "then"})


def _poise(orders: Notation, able: Able) -> Fields:
    """[8.5.8] An AMPH, its Marines (all without a pick), the sea hex, the Beach."""
    g = orders.g

    def marines(taken: Taken) -> list[Pick]:
        return unit_picks(g, "with", (u for u in g.cargo(taken.one("unit")) if g.counter(u).ground and u not in g.moved))

    def seas(taken: Taken) -> list[Pick]:
        near = sorted(g.board.seas.get(g.area_of(taken.one("unit")), ()))
        return place_picks(g, "to", (h for h in near if any(g.board.hexes[n].beach for n in g.board.near[h])))

    def beaches(taken: Taken) -> list[Pick]:
        near = g.board.near[hex_of(g, taken.one("to"))]
        return place_picks(g, "target", (h for h in near if g.board.hexes[h].beach), "attack")

    landing = (Field("with", marines, 0, MANY), Field("to", seas), Field("target", beaches))
    words = {"unit": "units", "to": "to", "target": "at", "with": "with"}
    return orders.order("poise", [stack(g, able), of_stack(g, able, 1), *landing], words)
