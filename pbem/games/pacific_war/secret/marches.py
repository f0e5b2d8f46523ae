"""[PW-FOG-01] Forces that move without being shown, in one secret order a phase: marches, going aboard sealed task forces and
coming ashore on an own shore, flights from base to base.

Only where nothing can happen on the way: not among enemies, not past their Force markers, not into what they hold. Who
wants more shows his units first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.choices import proposals
from pbem.games.pacific_war.orders import read_unit
from pbem.games.pacific_war.picks import picker, place_word
from pbem.games.pacific_war.secret.forces import concealing, order_in_secret, presumed, restate_forces, stirring
from pbem.games.pacific_war.secret.orders import (
    DEBARK,
    EMBARK,
    FLY,
    LAND,
    MARCH,
    WHETHER,
    read_flights,
    read_land_rows,
    read_marches,
)
from pbem.games.pacific_war.state import FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Flow
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.gathering import Lists, Pairs
from pbem.kernel.memo import Memo
from pbem.kernel.orders import illegal
from pbem.kernel.picking import Gesture, Verbs
from pbem.kernel.questions import DONE, yes_or_no
from pbem.kernel.wording import msg

Judge = Callable[[State, Plain], object]
Route = Callable[[State, str, Plain], Sequence[int]]  # reads one open order of a unit and gives its way; raises Rejected
Row = tuple[str, str, Plain]  # verb, unit, what is said of it


def land_in_secret(g: State, side: str, route: Route, contact: bool) -> Flow[None]:
    """Before the open moves of ground units: those behind Force markers march or go aboard, those aboard sealed task forces
    come ashore."""
    ashore = not contact and may_come_ashore(g, side)
    if stirring(g, side) or ashore:
        yield from _seal_moves(g, side, MARCH, LAND, route, True if ashore else None)


def move_in_secret(g: State, side: str, kind: str, route: Route) -> Flow[None]:
    """Before the open moves of a kind: its owner may seal those of what stirs behind his Force markers."""
    if stirring(g, side):
        yield from _seal_moves(g, side, kind, (kind,), route, None)


def may_come_ashore(g: State, side: str) -> bool:
    """A sealed task force lies off a coast, and everybody knows that there may be troops aboard: they were seen to embark, or
    an order in secret may have brought them there."""
    if not concealing(g) or not _shores(g, side):
        return False
    ordered = any(s.kind == MARCH for s in g.in_secret.get(side, ()))
    return ordered or any(u.box == "sealed" and u.aboard and _is(g, n, side, "ground") for n, u in g.units.items())


def _is(g: State, unit: str, side: str, kind: str) -> bool:
    return g.side(unit) == side and g.counter(unit).kind == kind


def _seal_moves(g: State, side: str, kind: str, verbs: Sequence[str], route: Route, ashore: bool | None) -> Flow[None]:
    rule, wide = "PW-FOG-01", len(verbs) > 1
    wanted = yield from yes_or_no(side, WHETHER[kind], rule, WANTED_LAND if wide else WANTED[kind], default="no")
    if not wanted:
        return

    def judge(seen: State, plain: Plain) -> None:
        _judge(g, seen, side, rows(plain), route)

    def rows(plain: Plain) -> list[Row]:
        if wide:
            return read_land_rows(g, side, plain)
        return [(kind, unit, [*legs]) for unit, legs in READERS[kind](g, side, plain).items()]

    def options() -> Sequence[Plain]:
        seen = presumed(g, side)
        for name, u in seen.units.items():  # for a proposal; whether it is so its owner's program knows
            u.active = u.active or u.since > 0
            if wide and u.at and g.units[name].box == "sealed" and not u.tf and _is(g, name, side, "naval"):
                u.tf = next((m for m in g.forces_at(side, u.at) if g.markers[m].handle), "")
        return [DONE, *proposals(lambda plain: judge(seen, plain), _ideas(g, seen, side, kind, wide))]

    def picks(seen: State, may_seal: Read) -> Form:
        return _form(g, seen, side, kind, verbs, may_seal)

    prompt = SEALED_LAND if wide else SEALED[kind]
    held = yield from order_in_secret(g, side, kind, rule, prompt, judge, rows, options, picks=picks, stirring=ashore)
    if held:
        yield from restate_forces(g, side, rule)


WANTED = {
    MARCH: msg("move ground units behind Force markers, in secret"),
    FLY: msg("fly air units behind Force markers, in secret"),
}
SEALED = {
    MARCH: msg("movement of hidden ground units, in secret"),
    FLY: msg("flights of hidden air units, in secret"),
}
WANTED_LAND = msg("move, embark or land hidden ground units, in secret")
SEALED_LAND = msg("hidden ground units march, embark and come ashore, in secret")
READERS: dict[str, Callable[[State, str, Plain], dict[str, list[Plain]]]] = {MARCH: read_marches, FLY: read_flights}
OPEN_VERBS = {MARCH: "move", FLY: "rebase", EMBARK: "embark", DEBARK: "debark"}


def _form(g: State, seen: State, side: str, kind: str, verbs: Sequence[str], may_seal: Read) -> Form:
    """Each hidden unit, and its way: hex by hex for a march, airfield by airfield for a flight; its ship; its shore."""
    able = {MARCH: "ground", FLY: "air"}[kind]
    sealed = [n for n, u in seen.units.items() if _sealed(g, n) and _is(g, n, side, able)]
    fields = [h for h, base in g.airfields.items() if base.side == side]

    def ends(unit: str, way: Sequence[str]) -> list[Pick]:
        last = int(way[-1]) if way else seen.units[unit].at
        near = g.board.near(last) if kind == MARCH else [h for h in fields if h != last]
        return picker(g).places("to", near)

    def make(named: Mapping[str, Sequence[str]]) -> Plain:
        return {kind: {unit: [int(h) for h in way] for unit, way in named.items()}}

    def said(body: Plain) -> dict[str, list[str]]:
        moves = READERS[kind](g, side, {kind: body})
        return {unit: [place_word(g, h) for h in way] for unit, way in moves.items()}

    ways = Lists(("unit", "to"), lambda: picker(seen).units("unit", sealed), ends, make, said, may_seal)
    gestures: dict[str, Gesture] = {kind: ways}
    for verb in [v for v in verbs if v != kind]:
        gestures[verb] = _coast_form(g, seen, side, verb, sealed, may_seal)
    return Verbs(may_seal, (*verbs, DONE), gestures, bare=(kind,))


def _coast_form(g: State, seen: State, side: str, verb: str, sealed: Sequence[str], may_seal: Read) -> Pairs:
    """A hidden unit and the ship of a sealed task force that takes it, or the hex in which it comes ashore."""
    able = [n for n in sealed if bool(seen.units[n].aboard) == (verb == DEBARK)]

    def ends(unit: str, _: object) -> list[Pick]:
        at = seen.units[unit].at
        if verb == DEBARK:
            return [picker(g).place("to", at)]
        return picker(seen).units("to", [s for s in seen.ships(side, at) if _in_sealed_fleet(g, seen, s)])

    def make(pairs: Sequence[tuple[str, str]]) -> Plain:
        return {verb: {unit: int(end) if verb == DEBARK else end for unit, end in pairs}}

    def said(body: Plain) -> list[tuple[str, str]]:
        rows = read_land_rows(g, side, {verb: body})
        return [(unit, place_word(g, what) if verb == DEBARK else str(what)) for _, unit, what in rows]

    return Pairs(("unit", "to"), lambda _: picker(seen).units("unit", able), ends, make, said, may_seal)


def _sealed(g: State, unit: str) -> bool:
    return unit not in g.units or g.units[unit].box == "sealed"


def _in_sealed_fleet(g: State, seen: State, ship: str) -> bool:
    marker = g.markers.get(seen.units[ship].tf)
    return _sealed(g, ship) and marker is not None and bool(marker.handle)


def _judge(g: State, seen: State, side: str, rows: Sequence[Row], route: Route) -> None:
    """Each move as an open one would be read, one after the other, and with nobody to meet. Raises Rejected."""
    for verb, unit, what in rows:
        if not _sealed(g, unit):
            raise illegal(msg("{unit} is in sight", unit=unit), "PW-FOG-01", msg("move it openly"))
        if verb in (EMBARK, DEBARK):
            _judge_boarding(g, seen, side, (verb, unit, what), route)
            continue
        legs = what if verb == FLY and isinstance(what, list) else [what]
        for leg in legs:
            way = route(seen, side, {OPEN_VERBS[verb]: {unit: leg}})
            _check_way(g, side, verb, unit, way)
            seen.units[unit].at = way[-1] if way else seen.units[unit].at
            _has_moved(seen, unit)


def _judge_boarding(g: State, seen: State, side: str, row: Row, route: Route) -> None:
    """[PW-AMP-01] Aboard a sealed task force, or off it, where no enemy is. Raises Rejected."""
    verb, unit, what = row
    route(seen, side, {OPEN_VERBS[verb]: {unit: what}})
    ship = read_unit(g, what, side) if verb == EMBARK else seen.units[unit].aboard
    if not _in_sealed_fleet(g, seen, ship):
        raise illegal(
            msg("{ship} is in no sealed task force", ship=ship), "PW-FOG-01", msg("show the unit and give the order openly")
        )
    _check_way(g, side, MARCH, unit, [seen.units[unit].at])
    seen.units[unit].aboard = ship if verb == EMBARK else ""
    _has_moved(seen, unit)


def _has_moved(seen: State, unit: str) -> None:
    seen.moved = {**seen.moved, unit: seen.moved.get(unit, 0) + 1}
    seen.memo = Memo()


def _check_way(g: State, side: str, kind: str, unit: str, way: Sequence[int]) -> None:
    """[PW-MOV-06] [PW-MOV-08] Nobody may have to be asked whether he is there, and nothing may change hands."""
    foe = FOE[side]
    hidden = {*g.forces.get(foe, ()), *(m.at for m in g.markers.values() if m.side == foe)}
    if kind == FLY:
        if any(g.near_air(foe, h, 2) or any(distance(h, place) <= 2 for place in hidden) for h in way):
            raise illegal(msg("{unit} may meet enemy aircraft", unit=unit), "PW-MOV-06", msg("show it and fly openly"))
        return
    for h in way:
        held = any(bases[h].side == foe for bases in (g.airfields, g.ports, g.osbs) if h in bases)
        held = held or any(hq.side == foe and hq.box == "map" and hq.at == h for hq in g.hqs.values())
        if held or g.control.get(h) == foe or h in hidden or g.here(foe, h):
            raise illegal(
                msg("{place} is the enemy's", place=g.board.name(h)), "PW-FOG-01", msg("show the unit and march openly")
            )


def _ideas(g: State, seen: State, side: str, kind: str, wide: bool) -> Iterator[Any]:
    """A march to each neighbour, a flight to each near airfield, of a few units; a ship, a shore."""
    sealed = [n for n, u in seen.units.items() if n in g.units and g.units[n].box == "sealed" and g.side(n) == side]
    if kind == FLY:
        for unit in [n for n in sealed if g.counter(n).kind == "air" and not seen.units[n].aboard][:6]:
            yield from ({FLY: {unit: h}} for h, base in g.airfields.items() if base.side == side and h != seen.units[unit].at)
        return
    ground = [n for n in sealed if g.counter(n).kind == "ground"]
    if wide:
        yield from boarding_ideas(g, seen, side)
    for unit in ground[:6]:
        yield from ({MARCH: {unit: [n]}} for n in g.board.near(seen.units[unit].at))


def boarding_ideas(g: State, seen: State, side: str) -> Iterator[Any]:
    """Each hidden ground unit aboard each ship that may take it, or off its ship."""
    for unit in [n for n, u in seen.units.items() if _sealed(g, n) and _is(g, n, side, "ground")]:
        at, ship = seen.units[unit].at, seen.units[unit].aboard
        if ship:
            yield {DEBARK: {unit: at}}
        else:
            yield from ({EMBARK: {unit: s}} for s in seen.ships(side, at) if _in_sealed_fleet(g, seen, s))


def _shores(g: State, side: str) -> list[int]:
    return sorted({m.at for m in g.markers.values() if m.side == side and m.handle and g.board.coast(m.at)})
