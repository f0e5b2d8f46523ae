"""[8.5] A Movement Segment pick by pick: stacks with what is free in them, their ends with cost and enemy zones, ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pbem.games.next_war.bridges import read_bridge
from pbem.games.next_war.movement import Search
from pbem.games.next_war.obstacles import hostile_place
from pbem.games.next_war.orders import fields as cut
from pbem.games.next_war.picks import Notation, hex_of, label, own_units, place_pick, place_picks, points, stack, unit_picks
from pbem.games.next_war.searches import reach
from pbem.games.next_war.stacking import excess
from pbem.games.next_war.state import State
from pbem.games.next_war.transport_forms import flights, voyages
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read, refused, verdict
from pbem.kernel.orders import Problem
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken
from pbem.kernel.wording import NO_WORDS, Message, linked, msg

BARE = ("move", "sail", "rebase")
May = Callable[[str], bool]  # the segment lets a unit move, as far as it alone is looked at


def moves(g: State, side: str, verbs: Sequence[str], read: Read, may: May) -> Form:
    """The form of a Movement Segment."""
    orders = Notation(g, side, read)
    found: dict[str, Gesture] = {"move": _march(orders, may), "bridge": _bridge(orders)}
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
        return place_picks(g, "via", (h for h in found.ends() if found.goes_on(h, passed)))

    def to(taken: Taken) -> Iterable[Pick]:
        found = search(taken)
        return [_end(found, taken.all("unit"), h) for h in found.ends()]

    def told(taken: Taken) -> Message:
        if not taken.all("unit"):
            return NO_WORDS
        return msg("movement points of the slowest: {points}", points=points(min(search(taken).most)))

    fields = (
        replace(stack(g, free), trusted=True),
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

    return [refused(pick, wrong(pick.value)) for pick in unit_picks(g, "unit", g.ground(orders.side, place))]


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
    return place_pick(g, "to", place, linked("; ", *told), ("enters-zone" if place in search.zone else "move",))


# -- bridges ---------------------------------------------------------------------------------------------------------------


def _bridge(orders: Notation) -> Fields:
    """[SOP] A unit, the hex across, what is done."""
    g, side = orders.g, orders.side

    def across(place: int) -> list[int]:
        sides = ((n, g.board.side(place, n)) for n in g.board.near[place])
        return [n for n, s in sides if s.road and (s.river or s.water)]

    def said(body: Plain) -> Said:
        action, a, b = read_bridge(g, side, body)
        (unit, *_) = own_units(g, side, cut(body, ("by", "at", "to"))["by"])
        at = g.pieces[unit].at
        return {"at": [label(g, at)], "unit": [unit], "to": [label(g, b if at == a else a)], "word": [action]}

    ground = [u for u in g.on_map(side, "ground") if not g.pieces[u].aboard]
    deeds = (Pick("word", "destroy", msg("destroy the bridge")), Pick("word", "repair", msg("repair the bridge")))
    fields = (
        stack(g, lambda: (u for u in ground if across(g.pieces[u].at))),
        Field("unit", lambda taken: unit_picks(g, "unit", g.ground(side, hex_of(g, taken.one("at"))))),
        Field("to", lambda taken: place_picks(g, "to", across(hex_of(g, taken.one("at"))))),
        Field("word", lambda _: deeds),
    )
    words = {"word": "units", "unit": "by", "at": "at", "to": "to"}
    return replace(orders.order("bridge", fields, words), said=said)
