"""[8.5] Movement Segments: one order after the other until the player is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.next_war import air_transport, airmobile, forms, helicopters, mines, naval, sealift
from pbem.games.next_war.bridges import read_bridge, work_on_bridge
from pbem.games.next_war.control import enter
from pbem.games.next_war.events.markers import BeachheadGone
from pbem.games.next_war.events.moves import Moved, Placed
from pbem.games.next_war.events.turns import MovementBegan, SegmentBegan, UnitsDone
from pbem.games.next_war.labels import SEGMENTS, SIDES
from pbem.games.next_war.movement import Path
from pbem.games.next_war.orders import (
    fields,
    first_legal,
    only,
    read_own,
    read_place,
    read_places,
    read_unit,
    split_order,
)
from pbem.games.next_war.searches import find_path
from pbem.games.next_war.stacking import efficiency
from pbem.games.next_war.state import State
from pbem.games.next_war.suggestions import movement_options
from pbem.games.next_war.zoc import in_enemy_zone, rough_for_light
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.questions import DONE, nothing
from pbem.kernel.wording import msg

GROUND = ("move",)
OTHER = (
    *("fly", "drop", "lift", "marine-lift", "sail", "mine", "submine", "ship", "embark", "disembark", "poise"),
    *("rebase", "convert", "remove-beachhead"),
)
LIFTS = ("lift", "marine-lift")
Deed = tuple[str, Any]


def movement(g: State, kind: str, side: str) -> Flow[None]:
    """[3.0] One Movement Segment: initiative, elite, exploitation, reaction or basic."""
    emit(g, SegmentBegan("movement", kind, side, "8.5"))
    emit(g, MovementBegan(tuple(u for u in g.on_map(side, "ground") if in_enemy_zone(g, u))))
    sealift.unpoise(g)
    while True:
        verb, deed = yield _ask(g, kind, side)
        if verb == DONE:
            break
        yield from _carry_out(g, side, verb, deed)
    sealift.drop_beachheads(g, side)


def _verbs(g: State, kind: str) -> tuple[str, ...]:
    bridges = ("bridge",) if g.on("bridges") else ()
    return (*GROUND, *bridges, DONE) if kind == "elite" else (*GROUND, *OTHER, *bridges, DONE)


def _ask(g: State, kind: str, side: str) -> Ask:
    verbs = _verbs(g, kind)

    def read(plain: Plain) -> Deed:
        verb, body = split_order(plain, verbs)
        if verb == DONE:
            only(verb, body)
            return verb, None
        deed = READERS[verb](g, side, body)
        for unit in _movers(deed):
            check_segment(g, kind, unit, verb in LIFTS)
        return verb, deed

    return Ask(
        side,
        "movement",
        "8.5",
        msg("{segment}: {power}", segment=SEGMENTS["movement", kind], power=SIDES[side]),
        read,
        verbs,
        facts={"turn": g.turn, "segment": kind, "moved": len(g.moved), "air": g.air[side], "airmobile": g.lift[side]},
        options=lambda: movement_options(g, kind, side, read),
        policy=lambda wanted: next_move(wanted, read),
        form=lambda: forms.moves(g, side, verbs, read, lambda unit: may_move(g, kind, unit)),
        idle=DONE if kind == "elite" and _no_elite(g, side) else None,
    )


def next_move(wanted: Plain, read: Callable[[Plain], Deed]) -> Plain:
    """A standing list of moves: the first that is legal now. Each uses its units up, so the list goes on by itself.

    A list without `done` asks its owner at its end. Raises Rejected for a move that cannot be read.
    """

    def order_of(move: Plain) -> Plain:
        read(move)
        return move

    return first_legal(wanted, order_of)


def _movers(deed: Any) -> tuple[str, ...]:
    """Ground units that an order moves."""
    units = getattr(deed, "units", None)
    if units is None:
        units = deed[0] if isinstance(deed, tuple) and deed and isinstance(deed[0], (list, tuple)) else ()
    return tuple(units)


def check_segment(g: State, kind: str, unit: str, lifted: bool = False) -> None:
    """[8.5, 8.2.4, SOP] Who moves in the elite and exploitation segments. Raises Rejected.

    [LIGHT-LIFT] In the air Light Infantry ignores no zone.
    """
    counter = g.counter(unit)
    if not counter.ground or g.pieces[unit].aboard:
        return
    check_free(g, unit)
    in_zone = unit in g.started_in_zone
    light = counter.yellow and not lifted and rough_for_light(g, g.pieces[unit].at)
    if kind == "exploitation":
        if in_zone and not light:
            raise illegal(
                msg("{unit} began the segment in an enemy zone of control: no Exploitation Movement", unit=counter.name), "8.5"
            )
        if unit in g.unsupplied:
            raise illegal(msg("{unit} is out of supply: no Exploitation Movement", unit=counter.name), "13.1.5")
    if kind == "elite":
        if unit in g.unsupplied:
            raise illegal(msg("{unit} is out of supply: no Elite Reaction", unit=counter.name), "13.1.5")
        rating = efficiency(g, unit)
        if rating < 6:
            raise illegal(msg("{unit} has efficiency {n}: elite units have 6 or more", unit=counter.name, n=rating), "2.3.3")
        if in_zone and not (g.newer and light):
            raise illegal(
                msg("{unit} began the segment in an enemy zone of control: no Elite Reaction", unit=counter.name), "8.5"
            )


def check_free(g: State, unit: str) -> None:
    """[KOREA-FIXED] Raises Rejected for a unit that the scenario holds where it is."""
    if unit in g.p["fixed_units"]:
        raise illegal(msg("{unit} holds its ground in this scenario", unit=g.counter(unit).name), "KOREA-FIXED")


def _no_elite(g: State, side: str) -> bool:
    """[8.5] No ground unit on land may still move in Elite Reaction, nor is there work at bridges."""
    if g.on("bridges"):
        return False
    ashore = [u for u in g.on_map(side, "ground") if not g.pieces[u].aboard and u not in g.moved]
    return not any(may_move(g, "elite", u) for u in ashore)


def may_move(g: State, kind: str, unit: str) -> bool:
    """The segment lets this unit move."""
    try:
        check_segment(g, kind, unit)
    except Rejected:
        return False
    return True


# -- ground movement -----------------------------------------------------------------------------------------------------


def read_move(g: State, side: str, body: Plain) -> tuple[list[str], Path]:
    """[8.5] `move: 3/II, 6/II to N2718 via N2817`. Raises Rejected."""
    f = fields(body, ("from", "to", "via"), ("units", "to"))
    units = read_own(g, f["units"], side, "8.5")
    starts = {g.pieces[u].at for u in units}
    for unit in units:
        counter = g.counter(unit)
        if not counter.ground or not g.pieces[unit].at or g.pieces[unit].aboard:
            raise illegal(msg("{unit} is no ground unit on land", unit=counter.name), "8.5")
        if unit in g.moved:
            raise illegal(msg("{unit} has moved in this segment", unit=counter.name), "8.5")
    if len(starts) > 1:
        raise illegal(msg("a stack that moves has started together"), "8.5")
    start = starts.pop()
    if "from" in f and read_place(g, f["from"]) != start:
        raise illegal(msg("the units are in {place}", place=g.board.name(start)), "8.5")
    to = read_place(g, f["to"])
    if to == start:
        raise illegal(msg("the units are there already"), "8.5")
    via = tuple(h for h in read_places(g, f.get("via")) if h not in (start, to)) if "via" in f else ()
    return units, find_path(g, side, units, start, to, via)


def _move(g: State, side: str, deed: tuple[list[str], Path]) -> Flow[None]:
    units, path = deed
    emit(g, Moved(tuple(units), path.hexes, "march", "8.5", path.spent))
    yield from enter(g, side, path.hexes, "8.4.1")


def read_convert(g: State, side: str, body: Plain) -> str:
    """[7.3.2.1] `convert: Amph 2`: an AMPH with a SAG on its back is turned over. Raises Rejected."""
    unit = read_unit(g, body, side)
    counter = g.counter(unit)
    if g.seat(unit) != side or not counter.flips_to or not g.area_of(unit):
        raise illegal(msg("{unit} has no SAG on its back", unit=counter.name), "7.3.2.1")
    if g.cargo(unit):
        raise illegal(msg("{unit} has units aboard", unit=counter.name), "7.3.2.1")
    return unit


def _convert(g: State, unit: str) -> None:
    piece = g.pieces[unit]
    emit(g, Placed(g.counter(unit).flips_to, piece.at, piece.box, "7.3.2.1"))
    emit(g, Placed(unit, 0, "removed", "7.3.2.1"))
    if unit in g.moved:
        emit(g, UnitsDone((g.counter(unit).flips_to,), "7.3.2.1"))


def read_remove(g: State, side: str, body: Plain) -> int:
    """[8.5.8.2.1] `remove-beachhead: N3805`. Raises Rejected."""
    place = read_place(g, body)
    if place not in g.beachheads or g.beachheads[place].side != side:
        raise illegal(msg("you have no Beachhead in {place}", place=g.board.name(place)), "8.5.8.2.1")
    return place


READERS: dict[str, Callable[[State, str, Plain], Any]] = {
    "move": read_move,
    "fly": air_transport.read_fly,
    "drop": air_transport.read_drop,
    "lift": airmobile.read_lift,
    "marine-lift": airmobile.read_marine_lift,
    "sail": naval.read_sail,
    "mine": mines.read_mine,
    "submine": mines.read_submine,
    "ship": sealift.read_ship,
    "embark": sealift.read_embark,
    "disembark": sealift.read_disembark,
    "poise": sealift.read_poise,
    "rebase": lambda g, side, body: body if helicopters.read_rebase(g, side, body) else None,
    "convert": read_convert,
    "remove-beachhead": read_remove,
    "bridge": read_bridge,
}


def _carry_out(g: State, side: str, verb: str, deed: Any) -> Flow[None]:
    flows: dict[str, Callable[[], Flow[Any] | None]] = {
        "move": lambda: _move(g, side, deed),
        "fly": lambda: air_transport.fly(g, side, deed),
        "drop": lambda: air_transport.drop(g, side, deed),
        "lift": lambda: airmobile.lift_units(g, side, deed),
        "marine-lift": lambda: airmobile.marine_lift(g, side, deed),
        "sail": lambda: naval.sail(g, side, deed),
        "mine": lambda: mines.lay(g, side, *deed),
        "submine": lambda: mines.submine(g, side, deed),
        "ship": lambda: sealift.ship(g, side, deed),
        "embark": lambda: sealift.embark(g, *deed),
        "disembark": lambda: sealift.disembark(g, side, *deed),
        "poise": lambda: sealift.poise(g, side, deed),
        "rebase": lambda: helicopters.rebase(g, side, deed),
        "convert": lambda: _convert(g, deed),
        "remove-beachhead": lambda: emit(g, BeachheadGone(deed, "8.5.8.2.1")),
        "bridge": lambda: work_on_bridge(g, side, deed),
    }
    yield from flows[verb]() or nothing()
