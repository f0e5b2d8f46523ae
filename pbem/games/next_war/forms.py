"""[8.5] A Movement Segment pick by pick: stacks with what is free in them, their ends with cost and enemy zones, ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.games.next_war.bridges import read_bridge
from pbem.games.next_war.movement import Search
from pbem.games.next_war.obstacles import hostile_place
from pbem.games.next_war.orders import fields as cut
from pbem.games.next_war.orders import read_places
from pbem.games.next_war.picks import hex_of, hex_word, known, label, line_of, own_units, place_pick, points, starts, unit_picks
from pbem.games.next_war.searches import reach
from pbem.games.next_war.stacking import excess
from pbem.games.next_war.state import State
from pbem.games.next_war.transport_forms import flights
from pbem.games.next_war.voyage_forms import voyages
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Lead, Pick, Read, WhyNot, verdict
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken, Verbs
from pbem.kernel.wording import NO_WORDS, Message, msg

BARE = ("move", "sail", "rebase")
May = Callable[[str], bool]  # the segment lets a unit move, as far as it alone is looked at


def moves(g: State, side: str, verbs: Sequence[str], read: Read, may: May) -> Form:
    """The form of a Movement Segment."""
    found: dict[str, Gesture] = {"move": _march(g, side, read, may)}
    found |= {**flights(g, side, read, may), **voyages(g, side, read, may), "bridge": _bridge(g, side, read)}
    gestures = {v: found[v] for v in verbs if v in found}
    return Verbs(read, verbs, gestures, bare=[v for v in BARE if v in gestures], line=line_of(read))


# -- marches ---------------------------------------------------------------------------------------------------------------


def _march(g: State, side: str, read: Read, may: May) -> Fields:
    def free() -> list[str]:
        return [u for u in g.on_map(side, "ground") if not g.pieces[u].aboard and u not in g.moved and may(u)]

    def search(taken: Taken) -> Search:
        units = taken.all("unit")
        return reach(g, side, units, g.pieces[units[0]].at, [hex_of(g, h) for h in taken.all("via")])

    def via(taken: Taken) -> Iterable[Pick]:
        found, passed = search(taken), len(taken.all("via"))
        goes_on = [h for h in found.ends() if found.goes_on(h, passed)]
        return [place_pick(g, "via", h) for h in goes_on]

    def to(taken: Taken) -> Iterable[Pick]:
        found = search(taken)
        return [_end(found, taken.all("unit"), h) for h in found.ends()]

    def make(taken: Taken) -> Plain:
        body: dict[str, Plain] = {"units": [*taken.all("unit")], "to": taken.one("to")}
        ways = taken.all("via")
        return {"move": {**body, "via": [*ways]} if ways else body}

    def said(body: Plain) -> Said:
        f = known(body, ("from", "to", "via"))
        units, goal = own_units(g, side, f.get("units")), hex_word(g, f.get("to"))
        ways = [label(g, h) for h in read_places(g, f["via"])] if "via" in f else []
        at = label(g, g.pieces[units[0]].at)
        return {"at": [at], "unit": units, "via": [h for h in ways if h not in (at, goal)], "to": [goal]}

    fields = (
        Field("at", lambda _: starts(g, free()), trusted=True),
        Field("unit", lambda taken: _stack(g, side, read, taken), most=MANY, trusted=True),
        Field("via", via, 0, MANY, trusted=True),
        Field("to", to),
    )
    return Fields(fields, make, said, read, lambda taken: _allowance(search(taken)) if taken.all("unit") else NO_WORDS)


def _stack(g: State, side: str, read: Read, taken: Taken) -> list[Pick]:
    """Own units of a hex, those that cannot march with the reason why."""
    place = hex_of(g, taken.one("at"))
    return [_with_reason(g, side, read, pick, place) for pick in unit_picks(g, "unit", g.ground(side, place))]


def _with_reason(g: State, side: str, read: Read, pick: Pick, place: int) -> Pick:
    goal = next(iter(reach(g, side, [pick.value], place).ends()), g.board.near[place][0])
    problems = verdict(read, [{"move": {"units": [pick.value], "to": label(g, goal)}}])
    why = WhyNot(problems[0].reason, problems[0].rule) if problems else None
    return Pick(pick.slot, pick.value, pick.name, pick.at, why_not=why)


def _end(search: Search, units: Sequence[str], place: int) -> Pick:
    """Where a march may stop: its cost, whether an enemy zone holds it, what it would bring."""
    g, path = search.g, search.end(place)
    assert path is not None
    cost = msg("movement points: {points}", points=points(path.spent))
    others = [u for u in search.own.get(place, ()) if u not in units]
    lead: Lead = "enters-zone" if place in search.zone else "move"
    if place in search.zone:
        cost = _also(cost, msg("enemy zone of control"))
    if hostile_place(g, search.side, place):
        cost = _also(cost, msg("has to be cleared"))
    if excess(g, place, [*others, *units]):
        cost = _also(cost, msg("over the stacking limit"))
    return place_pick(g, "to", place, cost, (lead,))


def _also(told: Message, more: Message) -> Message:
    return Message("{told}; {more}", {"told": told, "more": more})


def _allowance(search: Search) -> Message:
    return msg("movement points of the slowest: {points}", points=points(min(search.most)))


# -- bridges ---------------------------------------------------------------------------------------------------------------


def _bridge(g: State, side: str, read: Read) -> Fields:
    """[SOP] A unit, the hex across, what is done."""

    def across(place: int) -> list[int]:
        sides = ((n, g.board.side(place, n)) for n in g.board.near[place])
        return [n for n, s in sides if s.road and (s.river or s.water)]

    def make(taken: Taken) -> Plain:
        body: dict[str, Plain] = {"units": taken.one("word"), "by": taken.one("unit")}
        return {"bridge": {**body, "at": taken.one("at"), "to": taken.one("to")}}

    def said(body: Plain) -> Said:
        action, a, b = read_bridge(g, side, body)
        (unit, *_) = own_units(g, side, cut(body, ("by", "at", "to"))["by"])
        at = g.pieces[unit].at
        return {"at": [label(g, at)], "unit": [unit], "to": [label(g, b if at == a else a)], "word": [action]}

    ground = [u for u in g.on_map(side, "ground") if not g.pieces[u].aboard]
    words = (Pick("word", "destroy", msg("destroy the bridge")), Pick("word", "repair", msg("repair the bridge")))
    fields = (
        Field("at", lambda _: starts(g, (u for u in ground if across(g.pieces[u].at)))),
        Field("unit", lambda taken: unit_picks(g, "unit", g.ground(side, hex_of(g, taken.one("at"))))),
        Field("to", lambda taken: [place_pick(g, "to", n) for n in across(hex_of(g, taken.one("at")))]),
        Field("word", lambda _: words),
    )
    return Fields(fields, make, said, read)
