"""[8.5.6 to 8.5.8, 7.5] Movement by sea pick by pick: ships, passages, cargo and landings, mines and markers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.games.next_war.choices import Spot
from pbem.games.next_war.naval import check_zones, route, spot_of
from pbem.games.next_war.orders import read_unit
from pbem.games.next_war.picks import (
    hex_of,
    hex_word,
    known,
    own_units,
    place_pick,
    spot_at,
    spot_pick,
    spot_words,
    starts,
    unit_picks,
    where,
)
from pbem.games.next_war.sealift import harbour
from pbem.games.next_war.searches import reach
from pbem.games.next_war.state import State
from pbem.games.next_war.transport_forms import legal
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Pick, Read
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken

Able = Callable[[], list[str]]


def voyages(g: State, side: str, read: Read, may: Callable[[str], bool]) -> dict[str, Gesture]:
    """Every order about ships and what they carry."""

    def ships() -> list[str]:
        return [] if g.storm else [u for u in g.board.ships[side] if u not in g.moved and g.area_of(u)]

    def transports() -> list[str]:
        return [u for u in ships() if g.counter(u).kind == "AMPH"]

    def ashore() -> list[str]:
        units = (u for u in g.on_map(side, "ground", "helo") if u not in g.moved and not g.pieces[u].aboard)
        return [u for u in units if harbour(g, side, g.pieces[u].at) and (not g.counter(u).ground or may(u))]

    def aboard() -> list[str]:
        return [u for u in g.pieces if g.seat(u) == side and g.pieces[u].aboard and u not in g.moved and g.counter(u).ground]

    return {
        "sail": _sail(g, side, read, ships),
        "ship": _passage(g, side, read, ashore),
        "embark": _embark(g, side, read, lambda: [u for u in ashore() if g.counter(u).marine], transports),
        "disembark": _disembark(g, side, read, aboard),
        "poise": _poise(g, side, read, lambda: [u for u in transports() if g.cargo(u)]),
        "mine": _mine(g, side, read, ships),
        "submine": _one_place(g, read, "submine", lambda: _seas(g)),
        "remove-beachhead": _one_place(g, read, "remove-beachhead", lambda: [*g.beachheads]),
        "convert": _convert(g, side, read, ships),
    }


def _seas(g: State) -> list[int]:
    return sorted(h for places in g.board.seas.values() for h in places)


def _at(g: State, able: Able) -> Field:
    return Field("at", lambda _: starts(g, able()))


def _units(g: State, able: Able, most: int = MANY) -> Field:
    return Field("unit", lambda taken: unit_picks(g, "unit", (u for u in able() if where(g, u) == taken.one("at"))), 1, most)


def _near(g: State, taken: Taken) -> list[int]:
    place, _ = spot_at(g, taken.one("at"))
    return [place, *g.board.near[place]] if place else []


def _sail(g: State, side: str, read: Read, able: Able) -> Fields:
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
    return Fields((_at(g, able), _units(g, able), areas, Field("to", ends)), make, said, read)


def _passage(g: State, side: str, read: Read, able: Able) -> Fields:
    def ends(taken: Taken) -> list[Pick]:
        places = dict.fromkeys([*g.board.ports, *g.beachheads])
        return [place_pick(g, "to", h, leads=("land",)) for h in places if harbour(g, side, h)]

    def after(taken: Taken) -> list[Pick]:
        ground = [u for u in taken.all("unit") if g.counter(u).ground]
        to = hex_of(g, taken.one("to"))
        return [place_pick(g, "target", h) for h in reach(g, side, ground, to, (), 2).ends()] if ground else []

    def make(taken: Taken) -> Plain:
        body: dict[str, Plain] = {"units": [*taken.all("unit")], "to": taken.one("to")}
        return {"ship": {**body, "then": taken.one("target")} if taken.one("target") else body}

    def said(body: Plain) -> Said:
        f = known(body, ("from", "to", "then"))
        units = own_units(g, side, f.get("units"))
        then = [hex_word(g, f["then"])] if "then" in f else []
        return {"at": [where(g, units[0])], "unit": units, "to": [hex_word(g, f.get("to"))], "target": then}

    fields = (_at(g, able), _units(g, able), Field("to", ends), Field("target", after, 0))
    return Fields(fields, make, said, read)


# -- cargo ------------------------------------------------------------------------------------------------------------------


def _embark(g: State, side: str, read: Read, able: Able, ships: Able) -> Fields:
    def vessels(taken: Taken) -> list[Pick]:
        return unit_picks(g, "by", (u for u in ships() if g.pieces[u].at in _near(g, taken)))

    def said(body: Plain) -> Said:
        f = known(body, ("on",))
        units = own_units(g, side, f.get("units"))
        return {"at": [where(g, units[0])], "unit": units, "by": [read_unit(g, f.get("on"), side)]}

    def make(taken: Taken) -> Plain:
        return {"embark": {"units": [*taken.all("unit")], "on": taken.one("by")}}

    return Fields((_at(g, able), _units(g, able), Field("by", vessels)), make, said, read)


def _disembark(g: State, side: str, read: Read, able: Able) -> Fields:
    def ends(taken: Taken) -> list[Pick]:
        return [place_pick(g, "to", h, leads=("land",)) for h in _near(g, taken) if g.board.hexes[h].land]

    def said(body: Plain) -> Said:
        f = known(body, ("to",))
        units = own_units(g, side, f.get("units"))
        return {"at": [where(g, units[0])], "unit": units, "to": [hex_word(g, f.get("to"))]}

    def make(taken: Taken) -> Plain:
        return {"disembark": {"units": [*taken.all("unit")], "to": taken.one("to")}}

    return Fields((_at(g, able), _units(g, able), Field("to", ends)), make, said, read)


def _poise(g: State, side: str, read: Read, able: Able) -> Fields:
    """[8.5.8] An AMPH, its Marines (all without a pick), the sea hex, the Beach."""

    def marines(taken: Taken) -> list[Pick]:
        return unit_picks(g, "with", (u for u in g.cargo(taken.one("unit")) if g.counter(u).ground and u not in g.moved))

    def seas(taken: Taken) -> list[Pick]:
        near = sorted(g.board.seas.get(g.area_of(taken.one("unit")), ()))
        return [place_pick(g, "to", h) for h in near if any(g.board.hexes[n].beach for n in g.board.near[h])]

    def beaches(taken: Taken) -> list[Pick]:
        near = g.board.near[hex_of(g, taken.one("to"))]
        return [place_pick(g, "target", h, leads=("attack",)) for h in near if g.board.hexes[h].beach]

    def make(taken: Taken) -> Plain:
        body: dict[str, Plain] = {"units": taken.one("unit"), "to": taken.one("to"), "at": taken.one("target")}
        return {"poise": {**body, "with": [*taken.all("with")]} if taken.all("with") else body}

    def said(body: Plain) -> Said:
        f = known(body, ("with", "to", "at"))
        vessel = read_unit(g, f.get("units"), side)
        marines = own_units(g, side, f["with"]) if "with" in f else []
        target = {"to": [hex_word(g, f.get("to"))], "target": [hex_word(g, f.get("at"))]}
        return {"at": [where(g, vessel)], "unit": [vessel], "with": marines, **target}

    fields = (_at(g, able), _units(g, able, 1), Field("with", marines, 0, MANY), Field("to", seas), Field("target", beaches))
    return Fields(fields, make, said, read)


# -- mines and markers ------------------------------------------------------------------------------------------------------


def _mine(g: State, side: str, read: Read, able: Able) -> Fields:
    def make(taken: Taken) -> Plain:
        return {"mine": {"units": taken.one("unit"), "at": taken.one("to")}}

    def said(body: Plain) -> Said:
        f = known(body, ("at",))
        (ship, *_) = own_units(g, side, f.get("units"))
        return {"at": [where(g, ship)], "unit": [ship], "to": [hex_word(g, f.get("at"))]}

    near = Field("to", lambda taken: [place_pick(g, "to", h) for h in _near(g, taken)])
    return Fields((_at(g, able), _units(g, able, 1), near), make, said, read)


def _one_place(g: State, read: Read, verb: str, places: Callable[[], Sequence[int]]) -> Fields:

    def offers(taken: Taken) -> Iterable[Pick]:
        return [place_pick(g, "to", h) for h in places()]

    return Fields((Field("to", offers),), lambda taken: {verb: taken.one("to")}, lambda body: {"to": [hex_word(g, body)]}, read)


def _convert(g: State, side: str, read: Read, able: Able) -> Fields:
    def said(body: Plain) -> Said:
        ship = read_unit(g, body, side)
        return {"at": [where(g, ship)], "unit": [ship]}

    return Fields((_at(g, able), _units(g, able, 1)), lambda taken: {"convert": taken.one("unit")}, said, read)
