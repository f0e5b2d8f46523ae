"""[PW-MOV-02] [PW-AMP-01] Troops pick by pick: a march hex by hex with its cost, going aboard, ashore, off the map."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.pacific_war.orders import misread, read_places, read_unit
from pbem.games.pacific_war.picks import hex_word, place_pick, place_word, unit_picks, where
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.picking import MANY, Field, Fields, Said, Taken, Verbs
from pbem.kernel.wording import Message, msg

Cost = Callable[[str, int, int], int | None]  # unit, from, to


def land_moves(
    g: State, side: str, verbs: Sequence[str], able: Callable[[], list[str]], cost: Cost, allowance: int, read: Read
) -> Form:
    """The form of a land phase."""
    places = Field("at", lambda _: _places(g, able()))
    units = Field("unit", lambda taken: unit_picks(g, "unit", (u for u in able() if where(g, u) == taken.one("at"))))

    def gesture(verb: str, field: Field, value: Callable[[Taken], Plain], values: Callable[[Plain], list[str]]) -> Fields:
        def said(body: Plain) -> Said:
            unit, what = _mover(g, side, verb, body)
            return {"at": [where(g, unit)], "unit": [unit], field.slot: values(what)}

        return Fields((places, units, field), lambda taken: {verb: {taken.one("unit"): value(taken)}}, said, read)

    def spent(taken: Taken) -> tuple[int, int]:
        """Where the march has come, and what it has cost."""
        unit, points = taken.one("unit"), 0
        at = g.units[unit].at
        for step in map(int, taken.all("to")):
            points, at = points + (cost(unit, at, step) or 0), step
        return at, points

    def steps(taken: Taken) -> list[Pick]:
        at, points = spent(taken)
        prices = ((n, cost(taken.one("unit"), at, n)) for n in g.board.marches(at))
        return [place_pick(g, "to", n, msg("movement points: {n}", n=points + p)) for n, p in prices if p is not None]

    def told(taken: Taken) -> Message:
        used = spent(taken)[1] if taken.all("unit") else 0
        return msg("movement points: {n} of {most}", n=used, most=allowance)

    march = gesture("move", Field("to", steps, most=MANY), lambda t: [int(h) for h in t.all("to")], lambda what: _way(g, what))
    ships = Field("by", lambda taken: unit_picks(g, "by", g.ships(side, g.units[taken.one("unit")].at)))
    beach = Field("to", lambda taken: [place_pick(g, "to", g.units[taken.one("unit")].at, leads=("land",))])
    gestures = {
        "move": Fields(march.fields, march.make, march.said, read, told),
        "embark": gesture("embark", ships, lambda t: t.one("by"), lambda what: [read_unit(g, what, side)]),
        "debark": gesture("debark", beach, lambda t: int(t.one("to")), lambda what: [place_word(g, what)]),
        "leave": Fields(
            (places, units),
            lambda taken: {"leave": taken.one("unit")},
            lambda body: _leaver(g, side, body),
            read,
        ),
    }
    return Verbs(read, verbs, gestures, bare=("move", "embark", "debark"))


def _mover(g: State, side: str, verb: str, body: Plain) -> tuple[str, Plain]:
    """Whom an order names, and what it says of him. Raises Rejected."""
    if not isinstance(body, dict) or len(body) != 1:
        raise misread(verb, body, "move: {unit: [hexes]}", "embark: {unit: ship}", "debark: {unit: hex}")
    (who, what), *_ = body.items()
    return read_unit(g, who, side), what


def departures(g: State, side: str, fighting: Sequence[str], read: Read) -> Fields:
    """[PW-DEA-02] Troops that leave a battle together, for a neighbour or for a ship in their hex."""

    def ends(taken: Taken) -> list[Pick]:
        at = g.units[taken.all("unit")[0]].at
        return [
            *(place_pick(g, "to", n, leads=("retreat",)) for n in g.board.near(at)),
            *unit_picks(g, "to", g.ships(side, at)),
        ]

    def make(taken: Taken) -> Plain:
        to = taken.one("to")
        return {"disengage": {"units": [*taken.all("unit")], "to": to if to in g.units else int(to)}}

    def said(body: Plain) -> Said:
        units, goal, ship = read({"disengage": body})[1]
        return {"unit": units, "to": [ship or hex_word(goal)]}

    return Fields((Field("unit", lambda _: unit_picks(g, "unit", fighting), most=MANY), Field("to", ends)), make, said, read)


def _places(g: State, units: Sequence[str]) -> list[Pick]:
    return [place_pick(g, "at", int(w)) for w in dict.fromkeys(where(g, u) for u in units) if w]


def _way(g: State, what: Plain) -> list[str]:
    return [hex_word(h) for h in read_places(g, what)]


def _leaver(g: State, side: str, body: Plain) -> Said:
    unit = read_unit(g, next(iter(body)) if isinstance(body, dict) and body else body, side)
    return {"at": [where(g, unit)], "unit": [unit]}
