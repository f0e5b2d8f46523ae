"""[PW-FOG-01] Forces that move without being shown: marches and flights from base to base, in one secret order a phase.

Only where nothing can happen on the way: not among enemies, not past their Force markers, not into what they hold. Who
wants more shows his units first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.choices import proposals
from pbem.games.pacific_war.picks import place_pick, place_word, unit_picks
from pbem.games.pacific_war.secret.forces import order_in_secret, presumed, restate_forces, stirring
from pbem.games.pacific_war.secret.orders import FLY, MARCH, read_flights, read_marches
from pbem.games.pacific_war.state import FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Flow
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.gathering import Lists
from pbem.kernel.memo import Memo
from pbem.kernel.orders import illegal
from pbem.kernel.picking import Verbs
from pbem.kernel.questions import DONE, yes_or_no
from pbem.kernel.wording import msg

Judge = Callable[[State, Plain], object]
Route = Callable[[State, str, Plain], Sequence[int]]  # reads one open order of a unit and gives its way; raises Rejected


def move_in_secret(g: State, side: str, kind: str, route: Route) -> Flow[None]:
    """Before the open moves of a kind: its owner may seal those of what stirs behind his Force markers."""
    if not stirring(g, side):
        return
    rule = "PW-FOG-01"
    wanted = yield from yes_or_no(side, f"{kind}_hidden", rule, WANTED[kind], default="no")
    if not wanted:
        return

    def judge(seen: State, plain: Plain) -> None:
        _judge(g, seen, side, kind, route, plain)

    def form(plain: Plain) -> object:
        return READERS[kind](g, side, plain)

    def options() -> Sequence[Plain]:
        seen = presumed(g, side)
        for u in seen.units.values():
            u.active = u.active or u.since > 0  # for a proposal; whether it is so its owner's program knows
        return [DONE, *proposals(lambda plain: judge(seen, plain), _ideas(g, seen, side, kind))]

    def picks(seen: State, may_seal: Read) -> Form:
        return _form(g, seen, side, kind, may_seal)

    held = yield from order_in_secret(g, side, kind, rule, SEALED[kind], judge, form, options, picks=picks)
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
READERS: dict[str, Callable[[State, str, Plain], dict[str, list[Plain]]]] = {MARCH: read_marches, FLY: read_flights}
OPEN_VERBS = {MARCH: "move", FLY: "rebase"}


def _form(g: State, seen: State, side: str, kind: str, may_seal: Read) -> Form:
    """Each hidden unit, and its way: hex by hex for a march, airfield by airfield for a flight."""
    able = {MARCH: "ground", FLY: "air"}[kind]
    sealed = [n for n, u in g.units.items() if u.box == "sealed" and g.side(n) == side and g.counter(n).kind == able]
    fields = [h for h, base in g.airfields.items() if base.side == side]

    def ends(unit: str, way: Sequence[str]) -> list[Pick]:
        last = int(way[-1]) if way else seen.units[unit].at
        near = g.board.near(last) if kind == MARCH else [h for h in fields if h != last]
        return [place_pick(g, "to", h) for h in near]

    def make(named: Mapping[str, Sequence[str]]) -> Plain:
        return {kind: {unit: [int(h) for h in way] for unit, way in named.items()}}

    def said(body: Plain) -> dict[str, list[str]]:
        moves = READERS[kind](g, side, {kind: body})
        return {unit: [place_word(g, h) for h in way] for unit, way in moves.items()}

    gesture = Lists(("unit", "to"), lambda: unit_picks(seen, "unit", sealed), ends, make, said, may_seal)
    return Verbs(may_seal, (kind, DONE), {kind: gesture}, bare=(kind,))


def _judge(g: State, seen: State, side: str, kind: str, route: Route, plain: Plain) -> None:
    """Each move as an open one would be read, one after the other, and with nobody to meet. Raises Rejected."""
    for unit, legs in READERS[kind](g, side, plain).items():
        if unit in g.units and g.units[unit].box != "sealed":
            raise illegal(msg("{unit} is in sight", unit=unit), "PW-FOG-01", msg("move it openly"))
        for leg in [legs] if kind == MARCH else legs:
            way = route(seen, side, {OPEN_VERBS[kind]: {unit: leg}})
            _check_way(g, side, kind, unit, way)
            seen.units[unit].at = way[-1] if way else seen.units[unit].at
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


def _ideas(g: State, seen: State, side: str, kind: str) -> Iterator[Any]:
    """A march to each neighbour, a flight to each near airfield, of a few units."""
    sealed = [n for n, u in seen.units.items() if n in g.units and g.units[n].box == "sealed" and g.side(n) == side]
    if kind == MARCH:
        for unit in [n for n in sealed if g.counter(n).kind == "ground"][:6]:
            yield from ({MARCH: {unit: [n]}} for n in g.board.near(seen.units[unit].at))
        return
    for unit in [n for n in sealed if g.counter(n).kind == "air" and not seen.units[n].aboard][:6]:
        yield from ({FLY: {unit: h}} for h, base in g.airfields.items() if base.side == side and h != seen.units[unit].at)
