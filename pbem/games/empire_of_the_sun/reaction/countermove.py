"""[7.26] Reaction movement: the HQ that leads, its units, their moves and battles."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.activation import (
    candidates,
    check,
    efficiency,
    eligible,
    hqs,
    logistics,
    reacting_hqs,
    why_not,
)
from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.events.offensives import Committed, ReactionLed, UnitsActivated
from pbem.games.empire_of_the_sun.labels import ASKED, names, places, unread, written
from pbem.games.empire_of_the_sun.lines import sea_field
from pbem.games.empire_of_the_sun.movement.limits import naval_allowance
from pbem.games.empire_of_the_sun.movement.plans import plan
from pbem.games.empire_of_the_sun.orders import ASSAULT, MOVE, read_place, read_route, read_unit, read_units, split_order
from pbem.games.empire_of_the_sun.reaction.forms import counters
from pbem.games.empire_of_the_sun.rehearsal import rehearse
from pbem.games.empire_of_the_sun.state import State, offensive
from pbem.kernel.canon import Plain
from pbem.kernel.events import Event
from pbem.kernel.flow import Ask
from pbem.kernel.orders import illegal, possible, unreadable
from pbem.kernel.proposals import Read, stands
from pbem.kernel.questions import NONE
from pbem.kernel.wording import msg

AIR = "air"  # of a standing order


def ask_counter(g: State, side: str) -> Ask:
    """[7.26] The question for the whole reaction movement at once; its answer is a list of events."""
    o = offensive(g)

    def read(plain: Plain) -> list[Event]:
        _, body = split_order(plain, ("counter",))
        return [] if body == NONE else read_counter(g, side, body)

    def policy(wanted: Plain) -> Plain:
        return in_the_air(g, side, read) if wanted == AIR else {"counter": wanted}

    return Ask(
        side,
        "counter",
        "7.26",
        ASKED["counter"],
        read,
        ("counter",),
        facts={"condition": o.condition, "battles": len(o.battles), "ops": o.ops},
        options=lambda: counter_options(g, side, read),
        policy=policy,
        form=lambda: counters(
            g,
            side,
            reacting_hqs(g, side, o.battles),
            lambda hq: _counter_base(g, hq),
            lambda hq, units: counter_allowance(g, side, hq, units),
            read,
        ),
        idle=None if _somebody_near(g, side) else {"counter": NONE},
    )


def _somebody_near(g: State, side: str) -> bool:
    """[7.26] Some unit that an HQ may call in reaction is not plainly too far from every battle."""
    o = offensive(g)
    card = g.board.cards[o.counter] if o.counter else None
    near = [u for u in candidates(g, side) if _not_too_far(g, u)]
    return any(not why_not(g, hq, u, card)[0] for hq in reacting_hqs(g, side, o.battles) for u in near)


def _not_too_far(g: State, unit: str) -> bool:
    """As the crow flies: legs of an air unit [8.31], a fleet's allowance [8.1], twice that for troops; then its range."""
    counter, at = g.counter(unit), g.pieces[unit].at
    if g.pieces[unit].box != "map" or g.board.links:
        return True
    allowance = naval_allowance(g)
    far = {"air": offensive(g).ops * counter.leg, "naval": allowance}.get(counter.kind, 2 * allowance)
    return any(distance(at, h) <= far + counter.reach for h in offensive(g).battles)


def counter_allowance(g: State, side: str, hq: str, units: Sequence[str]) -> int:
    """[7.26] Efficiency and the counteroffensive's logistics value, else the operations value of the active player's card."""
    return _counter_base(g, hq) + efficiency(g, hq, units)


def _counter_base(g: State, hq: str) -> int:
    o = offensive(g)
    if o.counter:
        return logistics(g.board.cards[o.counter], hq, g.board.cards[o.card])
    return o.ops


def read_counter(g: State, side: str, body: Plain) -> list[Event]:
    """[7.26] `{hq, activate, moves, battles}` played through on a copy; returns the events. Raises Rejected."""
    if not isinstance(body, dict) or body.keys() - {"hq", "activate", "moves", "battles"} or "hq" not in body:
        form = "counter: {hq: HQ, activate: [UNITS], moves: [...], battles: {HEX: [UNITS]}}"
        raise unreadable(unread("counter", body), written(form, "counter: none"))
    o = offensive(g)
    hq = read_unit(g, body["hq"])
    if hq not in hqs(g, side) or hq not in reacting_hqs(g, side, o.battles):
        legal = possible(names(g, reacting_hqs(g, side, o.battles))) or msg("no HQ can react")
        raise illegal(msg("{unit} cannot react here", unit=g.counter(hq).name), "7.26", legal)
    listed = body.get("activate")
    units = read_units(g, listed) if listed and listed != NONE else []
    check(g, hq, units, _counter_base(g, hq), g.board.cards[o.counter] if o.counter else None)
    copy, events = rehearse(g), []

    def happens(event: Event) -> None:
        event.apply(copy)
        events.append(event)

    happens(ReactionLed(hq))
    happens(UnitsActivated(side, tuple(units), "7.26"))
    for order in _listed(body.get("moves")):
        verb, rest = split_order(order, (MOVE, ASSAULT))
        for event in plan(copy, side, verb, read_route(copy, rest), True):
            happens(event)
    for event in _commitments(copy, units, body.get("battles")):
        happens(event)
    for unit in units:
        _check_fights(copy, unit)
    return events


def _listed(plain: Plain) -> list[Plain]:
    return plain if isinstance(plain, list) else [] if plain is None else [plain]


def _commitments(g: State, units: Sequence[str], plain: Plain) -> list[Event]:
    """Battles named by the owner; a flyer that left a battle hex keeps that battle; others take the nearest in range."""
    o, chosen = offensive(g), _chosen(g, units, plain)
    found: list[Event] = []
    for unit in units:
        at = g.pieces[unit].at
        if not g.counter(unit).flies or at in o.battles:
            continue
        near = sorted((h for h in o.battles if distance(at, h) <= g.counter(unit).reach), key=lambda h: (distance(at, h), h))
        place = _bound(g, unit) or chosen.get(unit, near[0] if near else 0)
        if place:
            found.append(Committed(unit, place, False, "7.26"))
    return found


def _chosen(g: State, units: Sequence[str], plain: Plain) -> dict[str, int]:
    """The battle hex that the owner names for each of these units. Raises Rejected."""
    battles = offensive(g).battles
    chosen: dict[str, int] = {}
    if plain is not None and not isinstance(plain, dict):
        raise unreadable(unread("battles", plain), written("battles: {HEX: [UNITS]}"))
    for name, listed in (plain or {}).items():
        place = read_place(g, name)
        if place not in battles:
            raise illegal(msg("{place} is no battle hex", place=g.board.name(place)), "7.26", possible(places(g, battles)))
        for unit in read_units(g, listed):
            if unit not in units:
                raise illegal(msg("{unit} is not activated", unit=g.counter(unit).name), "7.26", possible(names(g, units)))
            if unit in chosen:
                raise illegal(msg("{unit} has a battle already", unit=g.counter(unit).name), "9.1")
            bound = _bound(g, unit) or place
            if bound != place:
                told = msg("{unit} has to fight in {place}", unit=g.counter(unit).name, place=g.board.name(bound))
                raise illegal(told, "7.26")
            chosen[unit] = place
    return chosen


def _bound(g: State, unit: str) -> int:
    """[7.26] The battle hex in which a reacting unit stands, or that it has left: it fights there. 0 for neither."""
    where = (g.pieces[unit].at, offensive(g).reactors[unit].start)
    return next((place for place in where if place in offensive(g).battles), 0)


def _check_fights(g: State, unit: str) -> None:
    """[7.26] Every activated unit has to fight in a declared battle."""
    o = offensive(g)
    entry, at, counter = o.reactors[unit], g.pieces[unit].at, g.counter(unit)
    if g.pieces[unit].box != "map":
        raise illegal(msg("{unit} is not on the map", unit=counter.name), "7.26")
    if at in o.battles:
        if entry.start in o.battles and at != entry.start:
            raise illegal(msg("{unit} has to fight in {place}", unit=counter.name, place=g.board.name(entry.start)), "7.26")
        return
    place = entry.battle
    parenthetical = entry.far and counter.parenthesis
    if not place or distance(at, place) > counter.reach or parenthetical:
        raise illegal(msg("{unit} reaches no battle", unit=counter.name), "7.26", msg("every reacting unit has to fight"))


# -- suggestions ---------------------------------------------------------------------------------------------------


def counter_options(g: State, side: str, read: Read) -> list[Plain]:
    """No reaction, or the flyers in range and ships that reach a battle, for each HQ that may react."""
    o = offensive(g)
    goal, allowance = g.board.fields.one[o.battles[0]], naval_allowance(g)
    found: list[Plain] = [{"counter": NONE}]
    for hq in reacting_hqs(g, side, o.battles):
        ready = _ready(g, hq)
        found += _flyers(g, side, hq, read)
        ships = [u for u in ready if g.counter(u).kind == "naval" and g.pieces[u].at not in o.battles]
        for unit in ships[:4]:
            if not sea_field(g, g.pieces[unit].at, allowance) & goal:
                continue
            moves: list[Plain] = [{"move": f"{unit} to {o.battles[0]:04}"}]
            found += _shrinking(read, hq, [unit], moves)
    return found


def in_the_air(g: State, side: str, read: Read) -> Plain:
    """[7.26] What `air` says beforehand: the HQ that calls most of what flies and reaches a battle where it stands.

    Raises Rejected where none calls anything: a next clause may say what is to be done then.
    """
    found = [order for hq in reacting_hqs(g, side, offensive(g).battles) for order in _flyers(g, side, hq, read)]
    if not found:
        raise illegal(msg("nothing that flies reaches a battle"), "7.26")
    return max(found, key=_called)  # of several the first


def _called(order: Plain) -> int:
    body = order["counter"] if isinstance(order, dict) else None
    units = body["activate"] if isinstance(body, dict) else None
    return len(units) if isinstance(units, list) else 0


def _ready(g: State, hq: str) -> Sequence[str]:
    o = offensive(g)
    return eligible(g, hq, g.board.cards[o.counter] if o.counter else None)


def _flyers(g: State, side: str, hq: str, read: Read) -> list[Plain]:
    """An HQ calls as much of what flies and reaches a battle as it may; nothing where it may call none."""
    battles = offensive(g).battles
    flyers = [
        u
        for u in _ready(g, hq)
        if g.counter(u).flies and any(distance(g.pieces[u].at, h) <= g.counter(u).reach for h in battles)
    ]
    return _shrinking(read, hq, flyers[: max(0, counter_allowance(g, side, hq, flyers))], [])


def _shrinking(read: Read, hq: str, units: list[str], moves: list[Plain]) -> list[Plain]:
    """The largest legal part of a list of units, taking away the last ones."""
    while units:
        order: Plain = {"counter": {"hq": hq, "activate": list(units), "moves": list(moves)}}
        if stands(read, order):
            return [order]
        units = units[:-1]
    return []
