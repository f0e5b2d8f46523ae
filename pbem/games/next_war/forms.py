"""[8.5] A Movement Segment pick by pick: stacks with what is free in them, their ends with cost and enemy zones, ways.

[8.5.2 to 8.5.8, 6.5.1.2, 7.5] Movement by air and by sea: transport, lifts, helicopters, ships and cargo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from pbem.games.next_war.air_missions import check_limit
from pbem.games.next_war.air_transport import check_drop_hex
from pbem.games.next_war.airmobile import check_airmobile_hex, check_points, own_wings
from pbem.games.next_war.board import distance
from pbem.games.next_war.choices import Spot, spot_word
from pbem.games.next_war.combat_forms import bridges
from pbem.games.next_war.helicopters import room
from pbem.games.next_war.movement import Search
from pbem.games.next_war.naval import check_zones, route, spot_of
from pbem.games.next_war.obstacles import hostile_place
from pbem.games.next_war.orders import read_unit
from pbem.games.next_war.picks import (
    Notation,
    hex_of,
    known,
    label,
    legal,
    numbers,
    own_units,
    picker,
    points,
    spot_at,
    spot_words,
    where,
)
from pbem.games.next_war.sealift import harbour
from pbem.games.next_war.searches import reach
from pbem.games.next_war.stacking import excess, halves
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read, refused, verdict
from pbem.kernel.orders import Problem
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken, no_budget
from pbem.kernel.wording import NO_WORDS, Message, linked, msg

LIFTED = 24  # [8.5.4.3] hexes
BARE = ("move", "sail", "rebase")
Able = Callable[[], list[str]]
Check = Callable[[Sequence[str]], object]
Told = Callable[[Taken], Message]
May = Callable[[str], bool]  # the segment lets a unit move, as far as it alone is looked at


def moves(g: State, side: str, verbs: Sequence[str], read: Read, may: May) -> Form:
    """The form of a Movement Segment."""
    orders = Notation(g, side, read)
    found: dict[str, Gesture] = {"move": _march(orders, may), "bridge": bridges(orders)}
    found |= {**flights(orders, may), **voyages(orders, may)}
    gestures = {v: found[v] for v in verbs if v in found}
    return orders.form(verbs, gestures, [v for v in BARE if v in gestures])


# -- marches ---------------------------------------------------------------------------------------------------------------


def _march(orders: Notation, may: May) -> Fields:
    g, side = orders.g, orders.side

    def free() -> list[str]:
        return [u for u in g.on_map(side, "ground") if not g.pieces[u].aboard and u not in g.moved and may(u)]

    def search(taken: Taken) -> Search:
        units = taken.all("unit")
        return reach(g, side, units, g.pieces[units[0]].at, [hex_of(g, h) for h in taken.all("via")])

    def via(taken: Taken) -> Iterable[Pick]:
        found, passed = search(taken), len(taken.all("via"))
        return picker(g).places("via", (h for h in found.ends() if found.goes_on(h, passed)))

    def to(taken: Taken) -> Iterable[Pick]:
        found = search(taken)
        return [_end(found, taken.all("unit"), h) for h in found.ends()]

    def told(taken: Taken) -> Message:
        if not taken.all("unit"):
            return NO_WORDS
        return msg("movement points of the slowest: {points}", points=points(min(search(taken).most)))

    fields = (
        replace(picker(g).stack(free)[0], trusted=True),
        Field("unit", lambda taken: _stack(orders, hex_of(g, taken.one("at"))), most=MANY, trusted=True),
        Field("via", via, 0, MANY, trusted=True),
        Field("to", to),
    )
    return orders.order("move", fields, {"unit": "units", "to": "to", "via": "via"}, told)


def _stack(orders: Notation, place: int) -> list[Pick]:
    """Own units of a hex, those that cannot march with the reason why."""
    g = orders.g

    def wrong(unit: str) -> Sequence[Problem]:
        goal = next(iter(reach(g, orders.side, [unit], place).ends()), g.board.near[place][0])
        return verdict(orders.read, [{"move": {"units": [unit], "to": label(g, goal)}}])

    return [refused(pick, wrong(pick.value)) for pick in picker(g).units("unit", g.ground(orders.side, place))]


def _end(search: Search, units: Sequence[str], place: int) -> Pick:
    """Where a march may stop: its cost, whether an enemy zone holds it, what it would bring."""
    g, path = search.g, search.end(place)
    assert path is not None
    others = [u for u in search.own.get(place, ()) if u not in units]
    told = [msg("movement points: {points}", points=points(path.spent))]
    if place in search.zone:
        told.append(msg("enemy zone of control"))
    if hostile_place(g, search.side, place):
        told.append(msg("has to be cleared"))
    if excess(g, place, [*others, *units]):
        told.append(msg("over the stacking limit"))
    return picker(g).place("to", place, linked("; ", *told), ("enters-zone" if place in search.zone else "move",))


# -- by air ----------------------------------------------------------------------------------------------------------------


def flights(orders: Notation, may: May) -> dict[str, Gesture]:
    """Every kind of movement by air."""
    g, side, flyers, goals = orders.g, orders.side, _flyers(orders, may), _goals(orders)

    def lifted(taken: Taken) -> Message:
        """[8.5.4.1] What the picked units need, and what is there."""
        need = g.stack_points([u for u in taken.all("unit") if not own_wings(g, u)])
        return msg("Airmobile Points needed: {needed}; left: {left}", needed=halves(need), left=halves(g.lift[side]))

    def bases(taken: Taken) -> list[Pick]:
        near = (h for h in g.board.bases if g.base(side, h) and distance(h, _start(g, taken)) <= LIFTED)
        return picker(g).places("with", near)

    def cleared(taken: Taken) -> list[Pick]:
        near = g.board.land_near[hex_of(g, taken.one("to"))]
        return picker(g).places("target", (h for h in near if hostile_place(g, side, h)))

    def to(verb: str) -> Field:
        return Field("to", lambda taken: picker(g).places("to", goals[verb](taken), "land"), trusted=verb != "fly")

    def mission(verb: str, check: Check, more: Sequence[Field], words: Mapping[str, str], told: Told = no_budget) -> Fields:
        """`check`: some units are not too many of them. Raises Rejected."""

        def units(taken: Taken) -> list[Pick]:
            there = (u for u in flyers[verb]() if where(g, u) == taken.one("at"))
            return picker(g).units("unit", legal(there, lambda u: check([*taken.all("unit"), u])))

        fields = [picker(g).stack(flyers[verb])[0], Field("unit", units, most=MANY), *more]
        return orders.order(verb, fields, {"unit": "units", "to": "to", "number": "escort", **words}, told)

    def limited(verb: str, name: str, after: Field, word: str) -> Fields:
        return mission(
            verb, lambda units: check_limit(g, side, name, units, "8.5"), (to(verb), escort, after), {"target": word}
        )

    escort, entered = Field("number", lambda _: numbers(min(2, g.air[side])), 0), Field("target", cleared, 0)
    onward = Field("target", lambda taken: _onward(g, side, taken), 0, trusted=True)
    ships = Field("by", lambda _: picker(g).units("by", (u for u in g.on_map(side, "AMPH") if g.counter(u).lift)))
    lift = (to("lift"), escort, entered, Field("with", bases, 0))
    marine = (ships, to("marine-lift"), escort, entered)
    return {
        "fly": limited("fly", "air_transport_limit", onward, "then"),
        "drop": limited("drop", "airborne_limit", entered, "clear"),
        "lift": mission("lift", lambda units: check_points(g, side, units), lift, {"target": "clear", "with": "base"}, lifted),
        "marine-lift": mission("marine-lift", no_budget, marine, {"target": "clear", "by": "by"}),
        "rebase": _rebase(orders),
    }


def _flyers(orders: Notation, may: May) -> dict[str, Able]:
    """Which units may fly so."""
    g, side = orders.g, orders.side

    def waiting() -> list[str]:
        return [] if g.storm else [u for u in g.on_map(side, "ground") if u not in g.moved and may(u)]

    def ashore(fits: May) -> list[str]:
        return [u for u in waiting() if not g.pieces[u].aboard and fits(u)]

    def on_foot(unit: str) -> bool:
        return g.base(side, g.pieces[unit].at) and (g.values(unit).mobility in ("leg", "li") or g.counter(unit).airborne)

    def jumps(unit: str) -> bool:
        return g.base(side, g.pieces[unit].at) and g.counter(unit).airborne and not g.counter(unit).airmobile

    return {
        "fly": lambda: ashore(on_foot),
        "drop": lambda: ashore(jumps),
        "lift": lambda: ashore(lambda unit: g.counter(unit).yellow),
        "marine-lift": lambda: [u for u in waiting() if g.counter(u).marine],
    }


def _goals(orders: Notation) -> dict[str, Callable[[Taken], Iterable[int]]]:
    """Where they may go so, more than are legal."""
    g, side = orders.g, orders.side

    def flown(taken: Taken) -> Iterable[int]:
        start = _start(g, taken)
        return (h for h in g.board.bases if h != start and g.base(side, h))

    def landed(taken: Taken) -> Iterable[int]:
        start = _start(g, taken)
        near = sorted((distance(start, h), h) for h in g.board.within(start, LIFTED) if h != start)
        return legal((h for _, h in near), lambda h: check_airmobile_hex(g, side, h))

    def dropped(_: Taken) -> Iterable[int]:
        return legal(g.board.hexes, lambda h: check_drop_hex(g, side, h))

    return {"fly": flown, "drop": dropped, "lift": landed, "marine-lift": landed}


def _start(g: State, taken: Taken) -> int:
    return g.pieces[taken.all("unit")[0]].at


def _onward(g: State, side: str, taken: Taken) -> list[Pick]:
    """Where troops go on behind their landing."""
    ground = [u for u in taken.all("unit") if g.counter(u).ground]
    to = hex_of(g, taken.one("to"))
    return picker(g).places("target", reach(g, side, ground, to, (), 2).ends()) if ground else []


# -- helicopters -----------------------------------------------------------------------------------------------------------


def _rebase(orders: Notation) -> Fields:
    """[6.5.1.2] A helicopter, then a hex with room or an AMPH."""
    g, side = orders.g, orders.side

    def able() -> list[str]:
        return [u for u in g.on_map(side, "helo") if u not in g.moved and u not in g.grounded and not g.missions.get(u)]

    def ends(taken: Taken) -> list[Pick]:
        helo = taken.one("unit")
        near = g.board.within(g.pieces[helo].at, 2 * g.counter(helo).range)
        bases = picker(g).places("to", (h for h in near if room(g, side, h) > 0), "base")
        return bases + (picker(g).units("to", g.on_map(side, "AMPH")) if g.counter(helo).usmc else [])

    def make(taken: Taken) -> Plain:
        return (aboard if taken.one("to") in g.board.counters else based).make(taken)

    def said(body: Plain) -> Said:
        ship = known(body, ("to", "on", "escort")).get("on")
        return based.said(body) if ship is None else {**aboard.said(body), "to": [read_unit(g, ship, side)]}

    escort = Field("number", lambda _: numbers(min(2, g.air[side])), 0)
    fields = [*picker(g).stack(able, 1), Field("to", ends), escort]
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
        return picker(g).units("by", (u for u in transports() if g.pieces[u].at in there))

    def one_place(verb: str, places: Iterable[int]) -> Fields:
        return orders.order(verb, [Field("to", lambda _: picker(g).places("to", places))], {"to": ""})

    def stacked(verb: str, able: Able, most: int, words: Mapping[str, str], *fields: Field) -> Fields:
        return orders.order(verb, [*picker(g).stack(able, most), *fields], words)

    units, marines = {"unit": "units"}, lambda: [u for u in ashore() if g.counter(u).marine]
    waters = Field("to", lambda taken: picker(g).places("to", near(taken)))
    beaches = Field("to", lambda taken: picker(g).places("to", (h for h in near(taken) if g.board.hexes[h].land), "land"))
    return {
        "sail": _sail(orders, ships),
        "ship": _passage(orders, ashore),
        "embark": stacked("embark", marines, MANY, {**units, "by": "on"}, Field("by", vessels)),
        "disembark": stacked("disembark", aboard, MANY, {**units, "to": "to"}, beaches),
        "poise": _poise(orders, lambda: [u for u in transports() if g.cargo(u)]),
        "mine": stacked("mine", ships, 1, {**units, "to": "at"}, waters),
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
        return [picker(g).at("to", spot_word(g, s)) for s in spots if s != here]

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

        return [picker(g).at("via", spot_word(g, (0, a))) for a in legal(g.board.areas, entered)]

    areas = Field("via", between, 0, MANY, trusted=True)
    return Fields((*picker(g).stack(able, MANY), areas, Field("to", ends)), make, said, orders.read)


def _passage(orders: Notation, able: Able) -> Fields:
    g, side = orders.g, orders.side

    def ends(taken: Taken) -> list[Pick]:
        places = dict.fromkeys([*g.board.ports, *g.beachheads])
        return picker(g).places("to", (h for h in places if harbour(g, side, h)), "land")

    fields = [
        *picker(g).stack(able, MANY),
        Field("to", ends),
        Field("target", lambda taken: _onward(g, side, taken), 0),
    ]
    return orders.order("ship", fields, {"unit": "units", "to": "to", "target": "then"})


def _poise(orders: Notation, able: Able) -> Fields:
    """[8.5.8] An AMPH, its Marines (all without a pick), the sea hex, the Beach."""
    g = orders.g

    def marines(taken: Taken) -> list[Pick]:
        return picker(g).units("with", (u for u in g.cargo(taken.one("unit")) if g.counter(u).ground and u not in g.moved))

    def seas(taken: Taken) -> list[Pick]:
        near = sorted(g.board.seas.get(g.area_of(taken.one("unit")), ()))
        return picker(g).places("to", (h for h in near if any(g.board.hexes[n].beach for n in g.board.near[h])))

    def beaches(taken: Taken) -> list[Pick]:
        near = g.board.near[hex_of(g, taken.one("to"))]
        return picker(g).places("target", (h for h in near if g.board.hexes[h].beach), "attack")

    landing = (Field("with", marines, 0, MANY), Field("to", seas), Field("target", beaches))
    words = {"unit": "units", "to": "to", "target": "at", "with": "with"}
    return orders.order("poise", [*picker(g).stack(able, 1), *landing], words)
