"""Paratroops and airmobile units: which flight is worth its risk, by the exact results of the fire at it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from msgspec import Struct

from pbem.games.next_war.air import SAFE, fires
from pbem.games.next_war.air_missions import Lift
from pbem.games.next_war.air_transport import read_drop, steps_lost_in_drop
from pbem.games.next_war.airmobile import fired_at_start, read_lift
from pbem.games.next_war.bot.judgement import POINT, cleared, danger, prize, prizes, step
from pbem.games.next_war.bot.supporting import EARLY, FACES
from pbem.games.next_war.charts import Fire
from pbem.games.next_war.control import mssp
from pbem.games.next_war.obstacles import hostile_place
from pbem.games.next_war.state import FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected

MOST = 4  # prizes that each unit is tried for
ESCORTS = (0, 1, 2)
NOTHING_LOST = (0,) * FACES


class Flight(Struct, frozen=True):
    """One unit flies to take a hex.

    `arrives`, `harmed`, `cleared`: in how many of a thousand cases; `worth`: points over ten faces.
    """

    order: Plain
    unit: str
    place: int
    arrives: int
    harmed: int
    cleared: int
    worth: int


def flights(g: State, side: str) -> list[Flight]:
    """Flights that promise something, the best first: prizes that nobody guards, straight into them or by the hex beside."""
    empty = [h for h in prizes(g, side) if not g.ground(FOE[side], h) and not g.ground(side, h)]
    empty.sort(key=lambda h: (-prize(g, side, h), h))
    found: list[Flight] = []
    for unit in g.on_map(side, "ground"):
        if not g.counter(unit).yellow or unit in g.moved or g.pieces[unit].aboard:
            continue
        if prize(g, FOE[side], g.pieces[unit].at) >= POINT and danger(g, side).get(g.pieces[unit].at):
            continue
        for place in [h for h in empty if _holds_out(g, side, unit, h)][:MOST]:
            found += [one for one in _to(g, side, unit, place) if one.worth > 0]
    return sorted(found, key=lambda one: (-one.worth, one.unit, str(one.order)))


def _holds_out(g: State, side: str, unit: str, place: int) -> bool:
    """One unit is enough to clear the hex, and nothing around is much stronger."""
    enough = not hostile_place(g, side, place) or g.values(unit).sp >= 2 * mssp(g, g.board.hexes[place])
    return enough and danger(g, side).get(place, 0) <= 3 * g.values(unit).defense


def _to(g: State, side: str, unit: str, place: int) -> Iterator[Flight]:
    drops = g.counter(unit).airborne and not g.counter(unit).airmobile
    for verb, body in product(("drop", "lift") if drops else ("lift",), _ways_in(g, side, place)):
        whole: dict[str, Plain] = {"units": [unit], **body}
        try:
            lift = (read_drop if verb == "drop" else read_lift)(g, side, whole)
        except Rejected:
            continue
        for escort in ESCORTS[: g.air[side] + 1]:
            yield _weighed(g, side, place, lift, escort, {verb: {**whole, "escort": escort}})


def _ways_in(g: State, side: str, place: int) -> Iterator[dict[str, Plain]]:
    """Straight into the hex, or beside it and in."""
    label = g.board.hexes[place].label
    if not hostile_place(g, side, place):
        yield {"to": label}
        return
    risk = danger(g, side)
    beside = [n for n in g.board.land_near[place] if not g.ground(FOE[side], n)]
    for n in sorted(beside, key=lambda h: (risk.get(h, 0), h))[:2]:
        yield {"to": g.board.hexes[n].label, "clear": label}


def _weighed(g: State, side: str, place: int, lift: Lift, escort: int, order: dict[str, Plain]) -> Flight:
    (unit,), drm, drop = lift.units, escort * int(g.p["adf_drms"].get("escort", 1)), "drop" in order
    start = lift.path[0]
    first = fires(g, side, start, (start,), drm, True) if not drop and fired_at_start(g, side, start) else ()
    at_landing = fires(g, side, lift.to, lift.path, drm, not drop)
    falls = [steps_lost_in_drop(g, side, lift.to, die) for die in range(FACES)] if drop else NOTHING_LOST
    arrived = harmed = 0
    for faces in product(first or (SAFE,) * FACES, at_landing, falls):
        aborted, lost = _course(faces[:2], faces[2])
        arrived += not aborted and lost < g.steps(unit)
        harmed += lost > 0
    sure = cleared(g, side, place, [unit]) if hostile_place(g, side, place) else 1000
    gain = prize(g, side, place) * sure // 1000
    worth = FACES * (arrived * gain - harmed * step(g, unit)) // 1000 - escort * EARLY
    return Flight(order, unit, place, arrived, harmed, sure, worth)


def _course(fire: Sequence[Fire], fall: int) -> tuple[bool, int]:
    """Whether a flight is broken off, and the steps that it loses."""
    lost = 0
    for one in fire:
        lost += one.lost
        if one.abort:
            return True, lost
    return False, lost + fall
